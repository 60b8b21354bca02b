public import Foundation
public import Holdfast

/// The faith journal of a library in which the journal `faith` is enabled.
public struct FaithJournal: Sendable {
  /// The library.
  let library: Library
}

extension Library {
  /// The faith journal. The library must have been opened with the journal `faith`.
  public var faith: FaithJournal { FaithJournal(library: self) }
}

extension FaithJournal {
  /// Adds a record: an entry, a prayer, a mood, a prompt.
  ///
  /// - Parameters:
  ///   - record: The record. What it is about must not be in the future.
  ///   - now: The time.
  /// - Throws: `LibraryError` when a value breaks a rule, and when the recording that it names does
  ///   not exist.
  public func add<Record: JournalRecord>(_ record: Record, now: Date = Date()) throws {
    try library.add(record, now: now)
  }

  /// Changes a record, and sets its modification time.
  ///
  /// - Throws: `LibraryError` when a value breaks a rule, and when the record or the recording that
  ///   it names does not exist; and whatever `change` throws.
  @discardableResult
  public func edit<Record: JournalRecord>(
    _ type: Record.Type, id: Record.ID, now: Date = Date(),
    _ change: (inout Record) throws -> Void
  ) throws -> Record {
    try library.edit(type, id: id, now: now, change)
  }

  /// Deletes a record. A recording that it names is kept.
  ///
  /// - Throws: `LibraryError` when there is no such record.
  public func delete<Record: JournalRecord>(_ type: Record.Type, id: Record.ID) throws {
    try library.delete(type, id: id)
  }

  /// Returns the record whose ID begins with `prefix`.
  ///
  /// - Throws: `LibraryError` when there is none, or more than one.
  public func record<Record: JournalRecord>(
    _ type: Record.Type, idPrefix prefix: String
  ) throws -> Record where Record.ID == UUID {
    try library.record(type, idPrefix: prefix)
  }
}

extension FaithJournal {
  /// Returns a page of records. Each statement reads a few.
  ///
  /// - Parameters:
  ///   - clause: The condition and the order.
  ///   - arguments: The values of the clause's question marks.
  ///   - limit: The most records to return.
  ///   - offset: How many to skip first.
  func page<Record: JournalRecord>(
    _ clause: String, _ arguments: [SQLValue] = [], limit: Int?, offset: Int
  ) throws -> [Record] {
    try library.read { db in
      let size = Record.declaration.pageLimit ?? 200
      var records: [Record] = []
      while limit.map({ records.count < $0 }) ?? true {
        let count = limit.map { min(size, $0 - records.count) } ?? size
        let skipped = offset.addingReportingOverflow(records.count)
        guard !skipped.overflow else { break }
        let page = try db.records(
          Record.self, "\(clause) LIMIT ? OFFSET ?",
          arguments + [.integer(count), .integer(skipped.partialValue)])
        records += page
        if page.count < count { break }
      }
      return records
    }
  }

  /// Returns a page of the records of a list, in its order. Each statement reads a few.
  func page<Record: JournalRecord>(
    limit: Int?, offset: Int, of list: (any RecordDatabase) throws -> RecordList
  ) throws -> [Record] {
    try library.read { db in
      try db.requireEnabled(Record.self)
      return try db.records(Record.self, of: list(db), limit: limit, offset: offset)
    }
  }
}
