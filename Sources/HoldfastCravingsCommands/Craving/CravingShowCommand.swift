internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast craving show`
struct CravingShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about a craving.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let craving = try library.record(Craving.self, idPrefix: id)
    if console.isJSON { return try console.json(CravingOutput(craving)) }
    var lines = craving.details
    if let helper = try craving.recordingID.flatMap({ try library.recording(id: $0) }) {
      lines.append(("helped by", "\(helper.displayTitle) (\(helper.id.short))"))
    }
    console.details(lines, colors: ["intensity": craving.intensity.category.color])
  }
}
