import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct MessageEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a message of your own.",
    "The messages that came with the library can be hidden, not changed.")
  static let options = "--content, --category or --priority"

  @Option(parsing: .unconditional, help: "The words; at most \(Message.longestContent) characters.")
  var content: String?

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory?

  @Option(
    parsing: .unconditional,
    help: "Of messages shown equally often, the one with the lowest priority comes first.")
  var priority: Int?

  var changes: [Change<Message>?] {
    [.set(\.content, content), .set(\.category, category), .set(\.priority, priority)]
  }

  func validate() throws {
    try requireChange(changes, Self.options)
    try validating {
      var message = Message(content: "unchanged", category: .urge, createdAt: Date())
      try changes.apply(to: &message)
      try message.validate()
    }
  }

  func edit(
    _ id: UUID, in library: Library, now: Date, _ change: (inout Message) throws -> Void
  ) throws -> Message {
    try library.editMessage(id: id, now: now, change)
  }
}
