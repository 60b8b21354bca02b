internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast message edit`
struct MessageEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a message of your own.",
    discussion: "The messages that came with the library can be hidden, not changed.")

  @OptionGroup var message: RecordArgument<Message>

  @Option(parsing: .unconditional, help: "The words; at most \(Message.longestContent) characters.")
  var content: String?

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory?

  @Option(
    parsing: .unconditional,
    help: "Of messages shown equally often, the one with the lowest priority comes first.")
  var priority: Int?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if content == nil, category == nil, priority == nil {
      throw ValidationError("Name what to change: --content, --category or --priority.")
    }
    try validating {
      try Message(
        content: content ?? "unchanged", category: .urge, priority: priority ?? 0,
        createdAt: Date()
      ).validate()
    }
  }

  func run() throws {
    try common.update(message, "changed") { library, before in
      try library.editMessage(id: before.id) { message in
        if let content { message.content = content }
        if let category { message.category = category }
        if let priority { message.priority = priority }
      }
    }
  }
}
