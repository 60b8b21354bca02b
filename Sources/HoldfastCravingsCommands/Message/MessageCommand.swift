package import ArgumentParser
import HoldfastConsole
import HoldfastCravings
import HoldfastModel

package struct MessageCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "message", abstract: "Show kind words for hard moments, and add your own.",
    subcommands: [
      MessageNextCommand.self, MessageListCommand.self, RecordAddCommand<NewMessage>.self,
      RecordEditCommand<MessageEdit>.self, RecordActionCommand<HideMessage>.self,
      RecordActionCommand<UnhideMessage>.self, RecordDeleteCommand<Message>.self,
    ])

  package init() {}
}

let categoryHelp = ArgumentHelp(
  "The kind of moment it is for: \(MessageCategory.words).", valueName: "category")
