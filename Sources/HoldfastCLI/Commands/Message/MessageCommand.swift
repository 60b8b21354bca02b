internal import ArgumentParser
internal import HoldfastModel

/// `holdfast message`
struct MessageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "message", abstract: "Kind words for hard moments, and your own.",
    subcommands: [
      MessageNextCommand.self, MessageListCommand.self, MessageAddCommand.self,
      MessageEditCommand.self, MessageHideCommand.self, MessageUnhideCommand.self,
      MessageDeleteCommand.self,
    ])
}

/// The help for an option that takes a category.
let categoryHelp = ArgumentHelp(
  "Which moments it is for: \(MessageCategory.words).", valueName: "category")
