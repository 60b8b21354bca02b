internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast craving link`
struct CravingLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Say which recording helped with a craving.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let craving = try library.linkCraving(
      id: library.craving(named: id).id, to: library.recording(named: recording).id)
    try common.console.show(craving, "linked")
  }
}

/// `holdfast craving unlink`
struct CravingUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Take the link to a recording away.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let craving = try library.linkCraving(id: library.craving(named: id).id, to: nil)
    try common.console.show(craving, "unlinked")
  }
}
