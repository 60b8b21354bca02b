internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast craving link`
struct CravingLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a craving to the recording that helped.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var recording: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let recording = try library.recording(idPrefix: recording).id
    let craving = try library.edit(
      Craving.self, id: library.record(Craving.self, idPrefix: id).id
    ) { $0.recordingID = recording }
    try common.console.show(craving, "linked")
  }
}

/// `holdfast craving unlink`
struct CravingUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove a craving's link to a recording.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let craving = try library.edit(
      Craving.self, id: library.record(Craving.self, idPrefix: id).id
    ) { $0.recordingID = nil }
    try common.console.show(craving, "unlinked")
  }
}
