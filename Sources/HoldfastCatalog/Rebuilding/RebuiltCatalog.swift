package import Foundation
import GRDB
package import HoldfastModel

package struct RebuiltCatalog: CatalogPart {
  package let catalog: Catalog

  /// Makes a catalog from the readable records of a damaged one, and opens it. Call ``settle()``
  /// and ``close()`` when all recordings are in it.
  ///
  /// - Parameters:
  ///   - damaged: A copy of the damaged file, which is changed; `nil` for none.
  ///   - path: An empty file, which becomes the new catalog.
  /// - Throws: `HoldfastError`, also when the damaged catalog is another library's, or has parts
  ///   that a newer Holdfast made.
  package init(
    salvaging damaged: String?, to path: String, library: UUID, journals: [Journal]
  ) throws(HoldfastError) {
    let report = try catalogErrors(path) {
      try Salvage.run(damaged, to: path, library: library, journals: journals)
    }
    if let found = report.library, found != library {
      throw HoldfastError(
        .notACatalog, database: path, operation: "salvage",
        reason: "the damaged catalog belongs to another library than holdfast.json beside it")
    }
    catalog = try Catalog(path: path, access: .writing, journals: journals)
    let isNewest = try catalog.read { db in
      try Schema.isComplete(db, JournalState(of: db, journals))
    }
    if !isNewest {
      // The first migrations refuse references to rows that were lost.
      try settle()
      try catalog.migrateIfNeeded()
    }
    guard report.guessesJournals else { return }
    for name in try catalog.journals.enabled() {
      guard try catalog.journals.counts(of: name).allSatisfy({ $0.count == 0 }) else { continue }
      _ = try catalog.journals.disable(name, erasing: false)
    }
  }

  /// Deletes the records that cannot be read. A damaged path is rewritten instead, because it
  /// follows from the recording's ID and type.
  package func deleteUnreadable() throws(HoldfastError) -> [RowFinding] {
    var deleted: [RowFinding] = []
    let kinds = try read { try registry.kinds(in: $0, name: name) }
    try withoutReferences { db in
      try db.execute(
        sql: """
          UPDATE OR IGNORE recording SET
            filePath = 'Recordings/' || type || '_' || id || iif(type = 'video', '.mov', '.m4a'),
            thumbnailPath = iif(
              type = 'video', 'Recordings/Thumbnails/video_' || id || '_thumb.jpg', NULL)
          WHERE type IN ('video', 'audio')
            AND filePath
              <> 'Recordings/' || type || '_' || id || iif(type = 'video', '.mov', '.m4a')
          """)
    }
    for kind in kinds {
      var key: String?
      while let page = try catalog.records.check(kind.kind, after: key) {
        deleted += page.findings.filter { !$0.isReadable }
        key = page.last
      }
    }
    let lost = deleted
    try withoutReferences { db in
      for kind in kinds {
        for row in lost where row.kind == kind.kind { try kind.delete(row.id, db) }
      }
      if !lost.isEmpty { try db.setCompactionDue() }
    }
    return deleted
  }

  /// Closes the database. The catalog must not be used after that.
  ///
  /// - Returns: How many recordings it has.
  package func close() throws(HoldfastError) -> Int {
    let count = try read { try KindOfRecording().count($0) }
    try catalogErrors(name) { try catalog.queue.close() }
    return count
  }

  /// Settles references to lost records.
  package func settle() throws(HoldfastError) {
    try withoutReferences { db in
      if try db.columns(in: "recording").contains(where: { $0.name == "searchText" }) {
        for row in try RecordingRow.filter(sql: "searchText = ''").fetchAll(db) {
          try row.update(db, columns: [RecordingRow.Columns.searchText])
        }
      }
      var hasLost = false
      while try db.settleReferences() { hasLost = true }
      if try db.tableExists("wordGeneration") { try db.settleTranscripts() }
      if hasLost, try db.columns(in: "library").contains(where: { $0.name == "compactionDue" }) {
        try db.setCompactionDue()
      }
    }
  }

  /// Changes rows in one transaction, without enforcing references.
  private func withoutReferences(_ change: (Database) throws -> Void) throws(HoldfastError) {
    try catalogErrors(name) {
      try catalog.queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction {
          try change(db)
          return .commit
        }
      }
    }
  }

  /// Inserts a recording whose row was lost, and marks it.
  package func insert(_ recording: Recording, at moment: Date) throws(HoldfastError) {
    try write { db in
      try RecordingRow(recording).insert(db)
      try db.setColumns("rebuiltAt = ?", to: [moment.roundedToMillisecond], of: recording.id)
    }
  }
}

extension StoredKind {
  fileprivate func delete(_ key: String, _ db: Database) throws {
    for child in declaration.children {
      try db.execute(sql: "DELETE FROM \(child.name) WHERE \(child.owner) = ?", arguments: [key])
    }
    try db.execute(
      sql: "DELETE FROM \(declaration.table) WHERE \(declaration.key) = ?", arguments: [key])
  }
}

extension Database {
  /// Deletes transcripts whose words were all lost, and makes the counts of their changes at least
  /// as large as any revision.
  fileprivate func settleTranscripts() throws {
    try execute(
      sql: """
        DELETE FROM transcript WHERE state = 'words'
          AND NOT EXISTS (SELECT 1 FROM transcriptSegment WHERE transcriptId = transcript.id);
        UPDATE wordGeneration SET removed = removed + 1,
          added = max(added, (SELECT ifnull(max(revision), 0) FROM transcript));
        """)
  }

  /// Treats each reference to a missing row as if that row were deleted now.
  ///
  /// - Returns: Whether there were any.
  fileprivate func settleReferences() throws -> Bool {
    var count = 0
    let tables = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    for table in tables {
      let references = try Row.fetchAll(
        self,
        sql: "SELECT \"from\", \"table\", \"to\", on_delete FROM pragma_foreign_key_list(?)",
        arguments: [table])
      for reference in references {
        let (column, target, key, rule): (String, String, String?, String) = (
          reference[0], reference[1], reference[2], reference[3]
        )
        let broken = """
          \(column) IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM \(target) AS parent WHERE parent.\(key ?? "id") = \(table).\(column))
          """
        try execute(
          sql: rule == "SET NULL"
            ? "UPDATE \(table) SET \(column) = NULL WHERE \(broken)"
            : "DELETE FROM \(table) WHERE \(broken)")
        count += changesCount
      }
    }
    return count > 0
  }
}
