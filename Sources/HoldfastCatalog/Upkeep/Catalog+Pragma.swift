internal import GRDB

extension Catalog {
  /// Runs `PRAGMA <text>` and answers its first value, for tests of how connections are set up.
  func pragma(_ text: String) throws(CatalogError) -> String? {
    try read { db in try String.fetchOne(db, sql: "PRAGMA \(text)") }
  }

  /// The first column of what a statement answers, for tests that compare with plain SQL.
  func strings(_ sql: String) throws(CatalogError) -> [String] {
    try read { db in try String.fetchAll(db, sql: sql) }
  }
}
