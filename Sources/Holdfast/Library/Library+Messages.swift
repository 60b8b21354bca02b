public import Foundation
internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// Picks the message to show.
  ///
  /// It does not count the showing, so it need not wait while another command writes. Show the
  /// message, then call ``countShowing(id:now:)``.
  ///
  /// - Parameter category: The situation that the message is for.
  /// - Throws: ``LibraryError`` when every message is hidden.
  public func nextMessage(for category: MessageCategory) throws -> Message {
    let next = try LibraryError.translating { try catalog.nextMessage(for: category) }
    guard let message = next else {
      throw LibraryError(.noMessage, "every message is hidden")
    }
    return message
  }

  /// Counts one more showing of a message.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - now: The time of the showing.
  /// - Returns: The message with its new count.
  /// - Throws: ``LibraryError`` when there is no such message.
  @discardableResult
  public func countShowing(id: UUID, now: Date = Date()) throws -> Message {
    try whileLocked { try found(catalog.countShowing(id: id, now: now), .messages, id) }
  }

  /// Adds a custom message.
  ///
  /// - Throws: ``LibraryError`` when a value breaks a rule.
  public func add(_ message: Message) throws {
    try LibraryError.translating { try message.validate() }
    try whileLocked { try catalog.insert(message) }
  }

  /// Changes a custom message and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - now: The time of the change.
  ///   - change: Changes the message. When it throws, nothing is written.
  /// - Returns: The changed message.
  /// - Throws: ``LibraryError`` when a value breaks a rule, for a default message, and when there is
  ///   no such message; and whatever `change` throws.
  @discardableResult
  public func editMessage(
    id: UUID, now: Date = Date(), _ change: (inout Message) throws -> Void
  ) throws -> Message {
    try whileEditing {
      let edited = try catalog.updateMessage(id: id) { message in
        guard message.isCustom else { throw Self.isDefault("changed") }
        try change(&message)
        message.setEdited(at: now)
        try message.validate()
      }
      return try found(edited, .messages, id)
    }
  }

  /// Hides a message, or shows it again.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - isHidden: Whether to hide the message.
  ///   - now: The time of the change.
  /// - Returns: The message as it is now.
  /// - Throws: ``LibraryError`` when there is no such message.
  @discardableResult
  public func hideMessage(
    id: UUID, _ isHidden: Bool = true, now: Date = Date()
  ) throws -> Message {
    try whileEditing {
      let edited = try catalog.updateMessage(id: id) { message in
        guard message.isActive == isHidden else { return }
        message.isActive = !isHidden
        message.setEdited(at: now)
      }
      return try found(edited, .messages, id)
    }
  }

  /// Deletes a custom message.
  ///
  /// - Throws: ``LibraryError`` for a default message, and when there is no such message.
  public func deleteMessage(id: UUID) throws {
    try whileLocked {
      guard try found(catalog.message(id: id), .messages, id).isCustom else {
        throw Self.isDefault("deleted")
      }
      _ = try catalog.deleteMessage(id: id)
    }
  }

  private static func isDefault(_ done: String) -> LibraryError {
    LibraryError(
      .defaultMessage, "the message came with the library and cannot be \(done)",
      record: .messages)
  }
}
