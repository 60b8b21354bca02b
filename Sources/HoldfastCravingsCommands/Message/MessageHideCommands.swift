internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastCravings

/// `holdfast message hide`
struct MessageHideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide", abstract: "Hide a message, so that it is no longer shown.")

  @OptionGroup var message: RecordArgument<Message>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(message, "hidden") { try $0.hideMessage(id: $1.id) }
  }
}

/// `holdfast message unhide`
struct MessageUnhideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unhide", abstract: "Show a hidden message again.")

  @OptionGroup var message: RecordArgument<Message>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(message, "unhidden") { try $0.hideMessage(id: $1.id, false) }
  }
}
