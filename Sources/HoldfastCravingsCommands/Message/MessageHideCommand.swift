internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast message hide`
struct MessageHideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide", abstract: "Hide a message, so that it is no longer shown.")

  @Argument(help: "The message's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let message = try library.hideMessage(id: library.record(Message.self, idPrefix: id).id)
    try common.console.show(message, "hidden")
  }
}

/// `holdfast message unhide`
struct MessageUnhideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unhide", abstract: "Show a hidden message again.")

  @Argument(help: "The message's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite()
    let message = try library.hideMessage(id: library.record(Message.self, idPrefix: id).id, false)
    try common.console.show(message, "unhidden")
  }
}
