public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// Records of the journals that are enabled in a library.
extension Library {
  /// Reads records of journals with statements of their own. The statements need no common
  /// snapshot.
  ///
  /// - Parameter body: Reads. The database is valid only while it runs.
  /// - Throws: `HoldfastError`, and whatever `body` throws.
  public func read<Value>(_ body: (any RecordDatabase) throws -> Value) throws -> Value {
    try HoldfastError.checkingRules { try catalog.records.read(body) }
  }

  /// Writes records of journals with statements of their own, in one transaction.
  ///
  /// Text that was replaced is then removed from the catalog's file, as after an edit.
  ///
  /// - Parameter body: Reads and writes. The database is valid only while it runs. No other part of
  ///   the library may be used in it.
  /// - Throws: `HoldfastError`, and whatever `body` throws. Nothing is written then.
  public func write<Value>(_ body: (any RecordDatabase) throws -> Value) throws -> Value {
    try whileEditing { try catalog.records.write(body) }
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - now: The current time. The record's event must not be in the future.
  /// - Throws: `HoldfastError` when a value breaks a rule, when the recording that it links to
  ///   does not exist, and when the record's journal is not enabled.
  public func add<Value: JournalRecord>(_ record: Value, now: Date = Date()) throws {
    try write { db in try db.add(record, now: now) }
  }

  /// Returns the record with this ID, or `nil` if there is none.
  public func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value? {
    try read { db in try db.record(type, id: id) }
  }

  /// Returns the record whose ID begins with `prefix`.
  ///
  /// - SeeAlso: ``recording(idPrefix:)``
  public func record<Value: JournalRecord>(
    _ type: Value.Type, idPrefix prefix: String
  ) throws -> Value where Value.ID == UUID {
    let kind = Value.declaration.kind
    return try only(prefix, of: kind) { prefix, limit in
      // A range of the key's index. "G" sorts after every character of a UUID. Letters outside
      // ASCII stay: the ligature "ﬀ" would become "FF".
      let first = prefix.utf8.allSatisfy { $0 < 0x80 } ? prefix.uppercased() : prefix
      return try records(
        type, clause: "WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
        arguments: [.text(first), .text("\(first)G"), .integer(Int64(limit))])
    }
  }

  /// Returns records of a kind.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - clause: The part after the table in a `SELECT`, such as
  ///     `WHERE day = ? ORDER BY id LIMIT 20`.
  ///   - arguments: The values of the clause's question marks.
  public func records<Value: JournalRecord>(
    _ type: Value.Type, clause: String = "ORDER BY id", arguments: [SQLValue] = []
  ) throws -> [Value] {
    try read { db in try db.records(type, clause: clause, arguments: arguments) }
  }

  /// Changes a record and sets its modification time.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - id: The record.
  ///   - now: The time of the change.
  ///   - change: Changes the record. When it throws, nothing is written.
  /// - Returns: The changed record.
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the record is missing; and
  ///   whatever `change` throws.
  @discardableResult
  public func edit<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, now: Date = Date(), _ change: (inout Value) throws -> Void
  ) throws -> Value {
    try write { db in try db.edit(type, id: id, now: now, change) }
  }

  /// Deletes a record, and its photos. A recording that it is linked to is kept.
  ///
  /// After the last of several deletions, call ``compactIfSmall()``.
  ///
  /// - Throws: `HoldfastError` when the record is missing.
  public func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws {
    try writableTree().withWriterLock { lock in
      try HoldfastError.checkingRules {
        try RecordDeletion<Value>(library: self, id: id).run(under: lock)
      }
    }
  }
}

extension RecordDatabase {
  /// Inserts a record of something that has happened.
  ///
  /// - SeeAlso: ``Library/add(_:now:)``
  public func add<Value: JournalRecord>(_ record: Value, now: Date) throws {
    guard !Value.declaration.isPhoto else {
      throw RuleError("a \(Value.declaration.kind.singular) comes into the library with its file")
    }
    try record.validate()
    if let moment = record.happenedAt { try Entry.validate(timestamp: moment, now: now) }
    try refuseMissingRecording(of: record)
    try record.validate(beside: self)
    try insert(record)
  }

  /// Changes a record and sets its modification time.
  ///
  /// - SeeAlso: ``Library/edit(_:id:now:_:)``
  @discardableResult
  public func edit<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, now: Date, _ change: (inout Value) throws -> Void
  ) throws -> Value {
    let before = try existing(type, id)
    var record = before
    try change(&record)
    guard record.id == before.id, record.createdAt == before.createdAt else {
      throw RuleError("the id of a record, and when it was made, cannot be changed")
    }
    record.setEdited(at: now)
    try record.validate()
    // If the clock was set back, an old record may seem to be in the future. It can still be
    // changed.
    if let moment = record.happenedAt, moment != before.happenedAt {
      try Entry.validate(timestamp: moment, now: now)
    }
    try refuseMissingRecording(of: record)
    try record.validate(beside: self)
    try update(record)
    return record
  }

  /// Changes a record and sets its modification time, unless the change leaves it as it was.
  ///
  /// - SeeAlso: ``Library/edit(_:id:now:_:)``
  public func editIfNeeded<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, now: Date, _ change: (inout Value) throws -> Void
  ) throws -> Value {
    let before = try existing(type, id)
    var after = before
    try change(&after)
    return try after == before ? before : edit(type, id: id, now: now, change)
  }

  /// Returns the record with this ID.
  ///
  /// - Throws: `HoldfastError` when the record is gone.
  public func existing<Value: JournalRecord>(_ type: Value.Type, _ id: Value.ID) throws -> Value {
    guard let record = try record(type, id: id) else {
      throw HoldfastError.gone(Value.declaration.kind, id)
    }
    return record
  }

  /// Refuses a record that refers to a recording or a record that is not in the library.
  ///
  /// - Throws: `HoldfastError` that names the first.
  public func refuseMissingTargets<Value: JournalRecord>(of record: Value) throws {
    try refuseMissingRecording(of: record)
    for reference in Value.declaration.references {
      if let key = reference.key(record) { try refuseMissing(reference.target, key) }
    }
  }

  private func refuseMissing<Target: JournalRecord>(_ type: Target.Type, _ key: String) throws {
    let declaration = Target.declaration
    let found = try rows(
      "SELECT 1 FROM \(declaration.table) WHERE \(declaration.key) = ?", [.text(key)])
    if found.isEmpty { throw HoldfastError.gone(declaration.kind, key) }
  }

  private func refuseMissingRecording<Value: JournalRecord>(of record: Value) throws {
    guard let path = Value.declaration.link?.path, let id = record[keyPath: path] else { return }
    guard try hasRecording(id) else { throw HoldfastError.gone(.recordings, id) }
  }
}

extension HoldfastError {
  /// Makes the error that another program has deleted a record meanwhile.
  public static func gone(_ kind: RecordKind, _ id: some RecordKey) -> HoldfastError {
    HoldfastError(
      .noSuchRecord,
      "there is no \(kind.singular) \(id.keyText.cut(to: 40).escapedForDisplay) any more",
      record: kind)
  }
}
