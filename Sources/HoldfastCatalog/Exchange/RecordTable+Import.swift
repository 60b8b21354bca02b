package import Foundation
import GRDB
package import HoldfastModel

/// What is known of an app whose document is imported.
package struct ImportedApp: Sendable {
  /// Whether Holdfast wrote the document, which is then not the app's last version.
  package var isFromHoldfast: Bool
  /// The names of the values that the app's form has, for each kind whose form may lack some.
  package var said: [RecordKind: Set<String>]
  /// The names of the values that the app does not have, for each record with some.
  package var assumed: [RecordKind: [String: Set<String>]]
  /// The app's IDs of the recordings whose plays it has counted itself, by those of the document.
  package var counters: [RecordingID: RecordingID]
  /// The recordings that have the app's ID: they came from it.
  package var own: Set<RecordingID>
  /// Whether to import what came from the app before and was deleted here.
  package var includesDeleted: Bool

  package init(
    isFromHoldfast: Bool = false, said: [RecordKind: Set<String>] = [:],
    assumed: [RecordKind: [String: Set<String>]] = [:], counters: [RecordingID: RecordingID],
    own: Set<RecordingID> = [], includesDeleted: Bool = false
  ) {
    (self.isFromHoldfast, self.said, self.assumed) = (isFromHoldfast, said, assumed)
    (self.counters, self.own, self.includesDeleted) = (counters, own, includesDeleted)
  }
}

extension RecordTable {
  /// Imports an export's document, in one transaction: every record that can be imported.
  ///
  /// Records that the catalog lacks are added, except recordings, because the catalog has no files
  /// for them. Records that it has are replaced if the document's version was changed later.
  /// Counters never decrease. The kinds are imported in the order in which they refer to each
  /// other.
  ///
  /// - Parameters:
  ///   - app: The app that the document is of; `nil` if it is of none.
  ///   - photos: Returns the hash of the file at a photo's path, if there is one.
  package func merge(
    _ document: ExportDocument, of app: ImportedApp? = nil, isDryRun: Bool, now: Date = Date(),
    photos: @escaping (UUID) throws -> SHA256Digest? = { _ in nil }
  ) throws(HoldfastError) -> DataImportReport {
    try importing(isDryRun: isDryRun) { [self] db in
      let kinds = try registry.kinds(in: db, name: name)
      let others = document.kinds.subtracting(kinds.map(\.kind)).sorted { $0.name < $1.name }
      try refuse(others.map { ($0, document.count(of: $0)) })
      let origin =
        app.map { DataImport.Origin.app(document, $0) } ?? .document(document)
      var run = DataImport(origin, in: db, kinds: kinds, isDryRun: isDryRun, now: now)
      run.photos = photos
      for kind in kinds { try kind.importRecords(of: document, in: &run) }
      return run.report
    }
  }

  /// Runs an import in one transaction, or in none if it is a dry run.
  func importing<Value>(
    from other: Catalog? = nil, isDryRun: Bool, _ run: (Database) throws -> Value
  ) throws(HoldfastError) -> Value {
    if isDryRun { return try read(run) }
    // SQLite would write a full cache before the commit, and stop every reader until then.
    try setCacheSpill("OFF")
    defer { try? setCacheSpill("ON") }
    return try write { db in
      // A record may refer to one that comes after it.
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      let finish = try stepsAfterImport(db, from: other)
      let value = try run(db)
      for step in finish { try step() }
      return value
    }
  }

  /// Returns the enabled journals' steps after an import. They read the catalogs first.
  private func stepsAfterImport(
    _ db: Database, from other: Catalog?
  ) throws -> [() throws -> Void] {
    let database = try self.database(db)
    return try JournalState(of: db, registry.journals).enabled.compactMap { journal in
      guard let step = journal.aroundImport else { return nil }
      let finish =
        try other?.read { otherDB in
          let hasJournal = try JournalState(of: otherDB, registry.journals).enabled
            .contains { $0.name == journal.name }
          return try step(database, hasJournal ? other?.records.database(otherDB) : nil)
        } ?? step(database, nil)
      return { try finish(database) }
    }
  }

  func refuse(
    _ others: [(kind: RecordKind, count: Int)], of source: String = "the document",
    notDone consequence: String = "nothing was imported"
  ) throws(HoldfastError) {
    guard let first = others.first else { return }
    let journal = registry.journals.first { journal in
      journal.storedKinds.contains { $0.kind == first.kind }
    }
    let kinds = journal?.storedKinds.map(\.kind) ?? others.map(\.kind)
    throw .journalNotEnabled(
      database: name, journal: journal?.name,
      counts: others.filter { kinds.contains($0.kind) }.map { $0.text($1) }
        .joined(separator: ", "), of: source, notDone: consequence)
  }

  /// Sets SQLite's `cache_spill`, which works only between transactions.
  private func setCacheSpill(_ state: String) throws(HoldfastError) {
    try catalogErrors(name) {
      try catalog.queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_spill = \(state)")
      }
    }
  }
}
