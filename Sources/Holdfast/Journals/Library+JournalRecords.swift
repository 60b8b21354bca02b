public import Foundation
internal import HoldfastCatalog
public import HoldfastModel

/// Records of the journals that are enabled in a library.
extension Library {
  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - now: The time. What the record is about must not be in the future.
  /// - Throws: ``LibraryError`` when a value breaks a rule, when the recording that it links to does
  ///   not exist, and when the record's journal is not enabled.
  public func add<Value: JournalRecord>(_ record: Value, now: Date = Date()) throws {
    try LibraryError.translating {
      try record.validate()
      if let moment = record.happenedAt { try Entry.validate(timestamp: moment, now: now) }
    }
    try whileLocked {
      try refuseMissingRecording(of: record)
      try catalog.insert(record)
    }
  }

  /// Returns the record with this ID, or `nil` if there is none.
  public func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value? {
    try LibraryError.translating { try catalog.record(type, id: id) }
  }

  /// Returns the record whose ID begins with `prefix`.
  ///
  /// - SeeAlso: ``recording(idPrefix:)``
  public func record<Value: JournalRecord>(
    _ type: Value.Type, idPrefix prefix: String
  ) throws -> Value {
    let kind = Value.declaration.kind
    return try only(prefix, kind.singular, kind) {
      try catalog.records(type, idPrefix: $0, limit: $1)
    }
  }

  /// Returns records of a kind.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - clause: What follows the table in a `SELECT`, such as `WHERE day = ? ORDER BY id LIMIT 20`.
  ///     An index should give the rows in order: while a statement is open, no writer can commit.
  ///   - arguments: The values of the clause's question marks.
  public func records<Value: JournalRecord>(
    _ type: Value.Type, _ clause: String = "ORDER BY id", _ arguments: [SQLValue] = []
  ) throws -> [Value] {
    try LibraryError.translating { try catalog.records(type, clause, arguments) }
  }

  /// Changes a record and sets its modification time.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - id: The record.
  ///   - now: The time of the change.
  ///   - change: Changes the record. When it throws, nothing is written.
  /// - Returns: The changed record.
  /// - Throws: ``LibraryError`` when a value breaks a rule, and when there is no such record; and
  ///   whatever `change` throws.
  @discardableResult
  public func edit<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, now: Date = Date(), _ change: (inout Value) throws -> Void
  ) throws -> Value {
    try whileLocked {
      let noun = Value.declaration.kind.singular
      let before = try found(catalog.record(type, id: id), noun, id)
      var record = before
      try change(&record)
      record.modifiedAt = now.roundedToMillisecond
      try record.validate()
      // If the clock was set back, an old record may seem to be in the future. It can still be
      // changed.
      if let moment = record.happenedAt, moment != before.happenedAt {
        try Entry.validate(timestamp: moment, now: now)
      }
      try refuseMissingRecording(of: record)
      try catalog.update(record)
      return record
    }
  }

  /// Deletes a record. A recording that it is linked to is kept.
  ///
  /// After the last of several deletions, call ``compactIfSmall()``.
  ///
  /// - Throws: ``LibraryError`` when there is no such record.
  public func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws {
    try whileLocked {
      try refuseUnless(
        catalog.deleteRecord(type, id: id), Value.declaration.kind.singular, id)
    }
  }

  private func refuseMissingRecording<Value: JournalRecord>(of record: Value) throws {
    guard let path = Value.declaration.link?.path, let id = record[keyPath: path] else { return }
    try refuseUnless(catalog.hasRecording(id: id), "recording", id)
  }
}
