import Foundation
public import Holdfast

/// The faith journal of a library in which the journal `faith` is enabled.
///
/// `Library` has `add`, `edit`, `delete` and `records`, for the records of every journal.
public struct FaithJournal: Sendable {
  let library: Library
}

extension Library {
  /// The faith journal. The library must have been opened with the journal `faith`.
  public var faith: FaithJournal { FaithJournal(library: self) }
}

extension FaithJournal {
  /// Returns a page of a list. Each statement reads a few records.
  func page<Record: JournalRecord>(
    _ list: RecordList, limit: Int? = nil, offset: Int = 0
  ) throws -> [Record] {
    try library.read { try $0.records(Record.self, of: list, limit: limit, offset: offset) }
  }

  /// Changes a record. Without a difference, nothing is written.
  func change<Record: JournalRecord>(
    _ id: Record.ID, now: Date, _ change: (inout Record) throws -> Void
  ) throws -> Record {
    try library.write { try $0.editIfNeeded(Record.self, id: id, now: now, change) }
  }
}
