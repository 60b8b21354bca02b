import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct HideMessage: RecordAction {
  static let verb = RecordVerb(
    "hide", done: "hidden", abstract: "Hide a message, so that it is no longer shown.")

  func apply(to message: Message, in library: Library) throws -> Message {
    try library.hideMessage(id: message.id)
  }
}

struct UnhideMessage: RecordAction {
  static let verb = RecordVerb("unhide", done: "unhidden", abstract: "Show a hidden message again.")

  func apply(to message: Message, in library: Library) throws -> Message {
    try library.hideMessage(id: message.id, false)
  }
}
