internal import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Takes what an export's document holds: all that can be taken in one transaction.
  ///
  /// What the catalog does not know is added, recordings excepted, since it has no files of theirs;
  /// what it knows is replaced where the document's was changed later. Counters never go back.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - isDryRun: Whether nothing is written; the report is the same.
  /// - Returns: What was done, and which records were not taken.
  /// - Throws: ``CatalogError``; then nothing is written.
  public func merge(
    _ document: ExportDocument, isDryRun: Bool
  ) throws(CatalogError) -> DataImportReport {
    let run: (Database) throws -> DataImportReport = { db in
      var run = DataImport(db, isDryRun: isDryRun)
      try run.take(document)
      return run.report
    }
    if isDryRun { return try read(run) }
    // A full cache would be written before the commit, and keep every reader out until then.
    try setCacheSpill("OFF")
    defer { try? setCacheSpill("ON") }
    return try write(run)
  }

  /// SQLite takes it between transactions only.
  private func setCacheSpill(_ state: String) throws(CatalogError) {
    try catalogErrors(name) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_spill = \(state)")
      }
    }
  }
}
