import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct CravingListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List cravings, newest first.")

  @OptionGroup var list: EntryListOptions

  @Option(
    help: ArgumentHelp("Only cravings at least this strong.", valueName: "intensity"),
    transform: { try Intensity(argument: $0) })
  var minIntensity: Intensity?

  @Option(
    help: ArgumentHelp("Only cravings that this recording helped with.", valueName: "id"),
    completion: .recording)
  var recording: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    var query = CravingQuery(
      since: list.since, minimum: minIntensity, trigger: list.trigger,
      recording: try recording.map { try library.recording(idPrefix: $0).id },
      offset: list.page.offset)
    if list.summary {
      let summary = try library.summary(of: query)
      if console.isJSON { return try console.json(summary) }
      let average = summary.averageIntensity.map { ", average intensity \($0.oneDecimal)" } ?? ""
      return console.result("\(summary.count.counted("craving"))\(average).")
    }
    try console.page(list.page, in: library) { limit in
      query.limit = limit
      return try library.cravings(matching: query)
    }
  }
}
