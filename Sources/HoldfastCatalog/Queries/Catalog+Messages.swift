public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts a message.
  ///
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when it breaks a rule.
  public func insert(_ message: Message) throws(CatalogError) {
    try insertRow(MessageRow(message))
  }

  /// Returns the message with this ID, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func message(id: UUID) throws(CatalogError) -> Message? {
    try row(MessageRow.self, id: id)
  }

  /// Returns the messages whose ID begins with `prefix`, in the order of their IDs.
  ///
  /// - SeeAlso: ``recordings(idPrefix:limit:)``
  public func messages(idPrefix prefix: String, limit: Int) throws(CatalogError) -> [Message] {
    try rows(MessageRow.self, idPrefix: prefix, limit: limit)
  }

  /// Returns the messages that match a query, in the query's order.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func messages(
    matching query: MessageQuery = MessageQuery()
  ) throws(CatalogError) -> [Message] {
    try fetch(query.request)
  }

  /// Picks the message to show.
  ///
  /// It chooses among the active messages of the category: first the least shown, then the lowest
  /// priority, then the one not shown for longest. If the whole category is hidden, it picks a
  /// message for an urge. If those are hidden too, it picks any active message.
  ///
  /// - Parameter category: The kind of moment that the message is for.
  /// - Returns: The message, or `nil` when all are hidden.
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func nextMessage(for category: MessageCategory) throws(CatalogError) -> Message? {
    try read { db in
      try MessageRow.fetchOne(
        db,
        sql: """
          SELECT * FROM message WHERE isActive
          ORDER BY category <> :category, category <> 'urge', timesShown, priority, lastShownAt, id
          LIMIT 1
          """,
        arguments: ["category": category.rawValue])
    }?.value
  }

  /// Counts one more showing of a message, in one statement.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - now: The moment of the showing.
  /// - Returns: The changed message, or `nil` if there is none.
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func countShowing(id: UUID, now: Date) throws(CatalogError) -> Message? {
    try write { db in
      try MessageRow.fetchOne(
        db,
        sql: """
          UPDATE message SET timesShown = timesShown + 1, lastShownAt = ? WHERE id = ? RETURNING *
          """,
        arguments: [now.roundedToMillisecond, id.uuidString])
    }?.value
  }

  /// Reads a message, changes it, and writes it, in one transaction.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - change: Changes it. If this throws, nothing is written.
  /// - Returns: The changed message, or `nil` if there is none.
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when a default message would
  ///   get another text; and what `change` throws.
  public func updateMessage(
    id: UUID, _ change: (inout Message) throws -> Void
  ) throws -> Message? {
    try updateRow(MessageRow.self, id: id, change)
  }

  /// Deletes a message that a person wrote.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` for a default message.
  public func deleteMessage(id: UUID) throws(CatalogError) -> Bool {
    try deleteRow(MessageRow.self, id: id)
  }
}
