package import Foundation
import GRDB
package import HoldfastModel

/// A page of another library's recordings.
package struct MergePage: Sendable {
  package var candidates: [MergeCandidate]
  package var unreadable: [(id: String, reason: String)]
  /// The ID of the last recording, after which the next page begins.
  package var last: String
}

/// The catalogs of two libraries, for merging one into the other: first its recordings, then its
/// other records.
package struct CatalogMerge: Sendable {
  package let own: Catalog
  /// A copy of the other library's catalog, which is only read.
  package let other: Catalog

  /// Copies another library's catalog, brings the copy up to date, and opens it. Nothing is written
  /// to the other library.
  ///
  /// - Parameters:
  ///   - path: The path of the other catalog. The caller holds the other library's writer lock, if
  ///     possible.
  ///   - copy: The path of an empty file for the copy; `nil` for a copy in memory.
  /// - Throws: `HoldfastError`, also when the other catalog has a journal that the program does
  ///   not know.
  package init(
    into own: Catalog, copying path: String, to copy: String?
  ) throws(HoldfastError) {
    self.own = own
    let original = Catalog(
      queue: try Catalog.open(path, access: .reading), access: .reading, name: path)
    guard try original.read(Schema.applicationID) == Schema.applicationID else {
      throw .notACatalog(path)
    }
    let queue = try catalogErrors(path) {
      let queue =
        try copy.map { try DatabaseQueue(checkedAt: $0, .catalog(.writing)) }
        ?? DatabaseQueue(configuration: .catalog(.writing))
      // The copy is not needed after a crash.
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
      try original.queue.backup(to: queue)
      return queue
    }
    other = Catalog(queue: queue, access: .writing, name: path, journals: own.journals.known)
    try other.validate()
    try other.useRollbackJournal()
    // No other program opens the copy. So it is not locked for each of many reads, and its journal
    // is in memory: with this lock, SQLite would leave a journal's file behind.
    try catalogErrors(path) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE")
      }
    }
    try other.migrateIfNeeded()
    try other.write { db in try db.completePlays() }
  }

  /// Returns a page of all of the other library's recordings, in the order of their IDs. Their
  /// conversions are not read.
  ///
  /// - Returns: `nil` after the last recording.
  package func page(after key: String?, limit: Int) throws(HoldfastError) -> MergePage? {
    try other.read { db in
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: MergeCandidate.page),
        arguments: [(key ?? "").endOfPage, min(max(limit, 1), Catalog.longestPage)])
      var page = MergePage(candidates: [], unreadable: [], last: "")
      while let row = try rows.next() {
        page.last = try row.value(RecordingRow.Columns.id)
        do {
          page.candidates.append(try MergeCandidate(row, db))
        } catch let defect as RowDefect {
          page.unreadable.append((page.last, defect.reason))
        }
      }
      return page.last.isEmpty ? nil : page
    }
  }

  // MARK: Other records

  /// Refuses a library with records of a journal that is not enabled in this one.
  ///
  /// - Throws: `HoldfastError`, also when one of the catalogs has a journal that the program does
  ///   not know.
  package func checkJournals() throws(HoldfastError) {
    let kinds = try own.read { db in try own.registry.kinds(in: db, name: own.name) }
    try refuseOthers(than: kinds, notDone: "nothing was merged")
  }

  private func refuseOthers(
    than kinds: [any StoredKind], notDone consequence: String
  ) throws(HoldfastError) {
    let others = try other.read { db in
      try other.registry.kinds(in: db, name: other.name)
        .filter { kind in !kinds.contains { $0.kind == kind.kind } }
        .map { kind in (kind: kind.kind, count: try kind.count(db)) }
    }.filter { $0.count > 0 }
    try own.records.refuse(others, of: "the other library", notDone: consequence)
  }

  /// Merges the records of another library into this one, in one transaction, after its recordings.
  ///
  /// - Parameters:
  ///   - ids: The IDs here of the other library's recordings. A dry run has not written them.
  package func mergeRecords(
    after ids: MergedIDs, with photos: [UUID: SHA256Digest], isDryRun: Bool
  ) throws(HoldfastError) -> DataImportReport {
    try own.records.importing(from: other, isDryRun: isDryRun) { db in
      let all = try own.registry.kinds(in: db, name: own.name)
      // Another command may have disabled a journal while the recordings were merged.
      try refuseOthers(than: all, notDone: "only recordings were merged")
      let kinds = all.filter { !($0 is KindOfRecording) }
      let known = Set(
        try other.read { try other.registry.kinds(in: $0, name: other.name) }.map(\.kind))
      var run = DataImport(
        .library(other, added: ids.added), in: db, kinds: kinds, isDryRun: isDryRun, now: Date())
      run.twins = ids.twins
      run.namesakes = ids.namesakes
      run.photos = { photos[$0] }
      run.report.hasPlaces = false
      for kind in kinds where known.contains(kind.kind) {
        try kind.importRecords(from: other, in: &run)
      }
      return run.report
    }
  }
}

/// The other library's recordings after they were merged.
package struct MergedIDs: Sendable {
  /// Those that this library lacked before.
  package var added: Set<RecordingID> = []
  /// This library's IDs of those that it has under another ID.
  package var twins: [RecordingID: RecordingID] = [:]
  /// Those whose ID another recording of this library has.
  package var namesakes: Set<RecordingID> = []

  package init() {}
}

extension StoredKind {
  /// Returns a page of the records, in the order of their IDs. Records that cannot be read, or
  /// break a rule, are refused.
  func elements(
    of other: Catalog, after key: String
  ) throws -> (elements: [DocumentElement<Value>], last: String)? {
    try page(of: other, after: key).map { rows, last in
      let elements = rows.map { row -> DocumentElement<Value> in
        switch row {
        case .success(let record): DocumentElement(checking: record)
        case .failure(let row): .refused(id: row.id.cut(to: 40), reason: row.reason)
        }
      }
      return (elements, last)
    }
  }
}
