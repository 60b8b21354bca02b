import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct NewMessage: NewRecord {
  static let verb = RecordVerb.add("Add a message of your own.")

  @Argument(help: "The words; at most \(Message.longestContent) characters.")
  var content: String

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory = .urge

  @Option(
    parsing: .unconditional,
    help: """
      Of messages shown equally often, the one with the lowest priority comes first. Those that \
      came with the library have 1 to 3.
      """)
  var priority = 0

  func record(now: Date) -> Message {
    Message(content: content, category: category, priority: priority, createdAt: now)
  }
}
