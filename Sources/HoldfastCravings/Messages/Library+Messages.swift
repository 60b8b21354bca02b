public import Foundation
public import Holdfast

extension Library {
  /// Returns the messages that match a query, in the query's order.
  public func messages(matching query: MessageQuery = MessageQuery()) throws -> [Message] {
    let (clause, arguments) = query.clause
    return try records(Message.self, clause: clause, arguments: arguments)
  }

  /// Picks the message to show: the least shown of a category, then the lowest priority, then the
  /// least recently shown. If the whole category is hidden, it picks a message for an urge. If
  /// those are hidden too, it picks any.
  ///
  /// It does not count the showing, so it need not wait while another command writes. Show the
  /// message, then call ``countShowing(id:now:)``.
  ///
  /// - Parameter category: The situation that the message is for.
  /// - Throws: `HoldfastError` when every message is hidden.
  public func nextMessage(for category: MessageCategory) throws -> Message {
    let next = try records(
      Message.self,
      clause: """
        WHERE isActive
        ORDER BY category <> ?, category <> 'urge', timesShown, priority, lastShownAt, id LIMIT 1
        """, arguments: [.text(category.rawValue)])
    guard let message = next.first else {
      throw HoldfastError(.noMessage, "every message is hidden")
    }
    return message
  }

  /// Counts one more showing of a message.
  ///
  /// - Returns: The message with its new count.
  /// - Throws: `HoldfastError` for an unknown message.
  @discardableResult
  public func countShowing(id: UUID, now: Date = Date()) throws -> Message {
    try write { db in
      try db.execute(
        "UPDATE message SET timesShown = timesShown + 1, lastShownAt = ? WHERE id = ?",
        [.date(now), .text(id.uuidString)])
      return try db.existing(Message.self, id)
    }
  }

  /// Changes a custom message and sets its modification time. When `change` throws, nothing is
  /// written.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, for a default message, and for an
  ///   unknown one. Errors of `change` pass through unchanged.
  @discardableResult
  public func editMessage(
    id: UUID, now: Date = Date(), _ change: (inout Message) throws -> Void
  ) throws -> Message {
    try edit(Message.self, id: id, now: now) { message in
      guard message.isCustom else { throw Self.isDefault("changed") }
      try change(&message)
    }
  }

  /// Hides a message, or shows it again.
  ///
  /// - Throws: `HoldfastError` for an unknown message.
  @discardableResult
  public func hideMessage(
    id: UUID, _ isHidden: Bool = true, now: Date = Date()
  ) throws -> Message {
    try write { try $0.editIfNeeded(Message.self, id: id, now: now) { $0.isActive = !isHidden } }
  }

  /// Deletes a custom message.
  ///
  /// - Throws: `HoldfastError` for a default message, and for an unknown one.
  public func deleteMessage(id: UUID) throws {
    if let message = try record(Message.self, id: id), !message.isCustom {
      throw Self.isDefault("deleted")
    }
    try delete(Message.self, id: id)
  }

  private static func isDefault(_ done: String) -> HoldfastError {
    HoldfastError(
      .defaultMessage, "the message came with the library and cannot be \(done)",
      record: Message.declaration.kind)
  }
}

extension HoldfastError.Code {
  /// A message that came with the library can be hidden, but not changed or deleted.
  public static let defaultMessage = HoldfastError.Code(rawValue: "defaultMessage")
  /// Every message is hidden.
  public static let noMessage = HoldfastError.Code(rawValue: "noMessage")
}

extension MessageQuery {
  /// The query as the text after the table in a `SELECT`.
  var clause: (sql: String, arguments: [SQLValue]) {
    var (conditions, arguments): ([String], [SQLValue]) = ([], [])
    if let category {
      conditions.append("category = ?")
      arguments.append(.text(category.rawValue))
    }
    if let isCustom { conditions.append(isCustom ? "isCustom" : "NOT isCustom") }
    if let isActive { conditions.append(isActive ? "isActive" : "NOT isActive") }
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
    let order =
      switch sort {
      case .priority: "category, priority, timesShown, id"
      case .shown: "timesShown, priority, lastShownAt, id"
      }
    return ("\(condition)ORDER BY \(order)", arguments)
  }
}
