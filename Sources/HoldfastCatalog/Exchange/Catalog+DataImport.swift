internal import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Imports an export's document, in one transaction: everything that can be taken.
  ///
  /// Records that the catalog lacks are added, except recordings, because the catalog has no files
  /// for them. Records that it has are replaced if the document's version was changed later.
  /// Counters never decrease.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - isDryRun: Whether to write nothing. The report is the same.
  /// - Returns: What was done, and which records were not taken.
  /// - Throws: ``CatalogError``. Nothing is then written.
  public func merge(
    _ document: ExportDocument, isDryRun: Bool
  ) throws(CatalogError) -> DataImportReport {
    let run: (Database) throws -> DataImportReport = { db in
      var run = DataImport(db, isDryRun: isDryRun)
      try run.take(document)
      return run.report
    }
    if isDryRun { return try read(run) }
    // SQLite would write a full cache before the commit, and stop every reader until then.
    try setCacheSpill("OFF")
    defer { try? setCacheSpill("ON") }
    return try write(run)
  }

  /// Sets SQLite's `cache_spill`, which works only between transactions.
  private func setCacheSpill(_ state: String) throws(CatalogError) {
    try catalogErrors(name) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_spill = \(state)")
      }
    }
  }
}
