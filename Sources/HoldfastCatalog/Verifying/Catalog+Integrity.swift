internal import GRDB
internal import HoldfastModel

extension Catalog {
  /// Returns one line for each row that refers to a missing row.
  ///
  /// The caller holds the library's writer lock, because this is one long read.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func referenceFindings() throws(CatalogError) -> [String] {
    try read(Self.references).map(\.escapedForDisplay)
  }

  /// Returns one line for each thing that SQLite finds wrong with the database.
  ///
  /// Damage that stops SQLite's own check is a finding too. The caller holds the library's writer
  /// lock, because this is one long read.
  ///
  /// - Throws: ``CatalogError`` when the check cannot be made for another reason.
  public func integrityFindings() throws(CatalogError) -> [String] {
    var findings: [String] = []
    do { findings += try read(Self.structure) } catch {
      guard error.code == .damaged else { throw error }
      findings.append(error.reason)
    }
    return findings.map(\.escapedForDisplay)
  }

  /// Checks the pages, the indexes, and every row's constraints.
  private static func structure(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
  }

  /// Finds rows that refer to missing rows.
  private static func references(_ db: Database) throws -> [String] {
    try Array(
      db.foreignKeyViolations().map { violation in
        let row = violation.originRowID.map { "row \($0)" } ?? "a row"
        return "\(row) of \(violation.originTable) refers to a missing row of "
          + violation.destinationTable
      })
  }
}
