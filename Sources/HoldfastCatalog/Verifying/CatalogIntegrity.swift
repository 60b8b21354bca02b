import GRDB
package import HoldfastModel

/// SQLite's own checks of a catalog.
package struct CatalogIntegrity: CatalogPart {
  let catalog: Catalog

  /// Returns one line for each row that refers to a missing row.
  ///
  /// The caller holds the library's writer lock, because this is one long read.
  package func referenceFindings() throws(HoldfastError) -> [String] {
    try read { db in
      try Array(
        db.foreignKeyViolations().map { violation in
          let row = violation.originRowID.map { "row \($0)" } ?? "a row"
          return "\(row) of \(violation.originTable) refers to a missing row of "
            + violation.destinationTable
        })
    }.map(\.escapedForDisplay)
  }

  /// Returns one line for each thing that SQLite finds wrong with the database: its pages, its
  /// indexes, and every row's constraints.
  ///
  /// Damage that stops SQLite's own check is a finding too. The caller holds the library's writer
  /// lock, because this is one long read.
  package func findings() throws(HoldfastError) -> [String] {
    do throws(HoldfastError) {
      return try read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
        .filter { $0 != "ok" }.map(\.escapedForDisplay)
    } catch {
      guard error.code == .damaged else { throw error }
      return [error.reason.escapedForDisplay]
    }
  }

  /// Returns what is wrong with an unusable catalog; `nil` if it can be opened and passes SQLite's
  /// check of its pages.
  ///
  /// - Parameters:
  ///   - path: The database. An interrupted transaction is undone, so it should be a copy.
  ///   - journals: The journals that the program knows.
  package static func damage(at path: String, journals: [Journal]) -> String? {
    do {
      let queue = try Catalog.open(path, access: .writing)
      return try catalogErrors(path) {
        try queue.unsafeRead { db in
          guard try Schema.applicationID(db) == Schema.applicationID else {
            throw HoldfastError.notACatalog(path)
          }
          guard try !JournalState(of: db, journals).isCoreNewer else {
            throw HoldfastError.newer(path)
          }
          if let foreign = try Schema.foreignObject(in: db, journals) {
            throw HoldfastError.changedSchema(path, foreign)
          }
          guard try String.fetchOne(db, sql: "SELECT uuid FROM library") != nil else {
            return "the catalog does not say whose library it is"
          }
          let first = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
          return first == "ok" ? nil : "the catalog is damaged: \(first ?? "")"
        }
      }
    } catch {
      return error.reason
    }
  }
}
