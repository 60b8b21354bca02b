internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
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
    let craving = try library.linkCraving(
      id: library.craving(idPrefix: id).id, to: library.recording(idPrefix: recording).id)
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
    let craving = try library.linkCraving(id: library.craving(idPrefix: id).id, to: nil)
    try common.console.show(craving, "unlinked")
  }
}
