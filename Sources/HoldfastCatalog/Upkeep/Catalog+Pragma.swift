internal import GRDB

extension Catalog {
  /// Runs `PRAGMA <text>` and returns its first value, for tests of the connections' configuration.
  func pragma(_ text: String) throws(CatalogError) -> String? {
    try read { db in try String.fetchOne(db, sql: "PRAGMA \(text)") }
  }

  /// Returns the first column of a statement's rows, for tests that compare with plain SQL.
  func strings(_ sql: String) throws(CatalogError) -> [String] {
    try read { db in try String.fetchAll(db, sql: sql) }
  }
}
