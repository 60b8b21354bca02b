internal import GRDB
internal import HoldfastModel

extension Catalog {
  /// Rows that refer to rows that are not there: one line for each.
  ///
  /// The caller holds the library's writer lock: this is one long read.
  ///
  /// - Throws: ``CatalogError``.
  public func referenceFindings() throws(CatalogError) -> [String] {
    try read(Self.references).map(\.escapedForDisplay)
  }

  /// What SQLite finds wrong with the database: one line for each finding, none when it is sound.
  ///
  /// Damage that stops SQLite's own check is a finding too. The caller holds the library's writer lock: this
  /// is one long read.
  ///
  /// - Throws: ``CatalogError``, when the check could not be made for another reason.
  public func integrityFindings() throws(CatalogError) -> [String] {
    var findings: [String] = []
    do { findings += try read(Self.structure) } catch {
      guard error.code == .damaged else { throw error }
      findings.append(error.reason)
    }
    return findings.map(\.escapedForDisplay)
  }

  /// Pages, indexes, and every row's constraints.
  private static func structure(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
  }

  /// Rows that refer to rows that are not there.
  private static func references(_ db: Database) throws -> [String] {
    try Array(
      db.foreignKeyViolations().map { violation in
        let row = violation.originRowID.map { "row \($0)" } ?? "a row"
        return "\(row) of \(violation.originTable) refers to a missing row of "
          + violation.destinationTable
      })
  }
}
