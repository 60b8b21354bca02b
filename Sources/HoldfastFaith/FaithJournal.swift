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

  /// Imports a voice note, and adds a record that names it. Both happen, or neither.
  ///
  /// - Parameters:
  ///   - record: The record. Its kind must have a link to a recording.
  ///   - file: The file. If the library already has it, the record names that recording.
  ///   - options: How to import it. It must become one recording.
  ///   - now: The time.
  /// - Returns: The recording.
  /// - Throws: `LibraryError` when the file or the record is refused.
  public func add<Record: JournalRecord>(
    _ record: Record, spokenIn file: String, options: ImportOptions = ImportOptions(),
    now: Date = Date()
  ) async throws -> ImportedRecording {
    guard let link = Record.declaration.link else {
      throw RuleError(
        "a \(Record.declaration.kind.singular) names no recording; add it without one")
    }
    // Before a second of work on the file.
    try record.validate()
    return try await library.importRecording(file, options: options) { db, recording in
      var record = record
      record[keyPath: link.path] = recording
      try db.add(record, now: now)
    }
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
