import GRDB
@testable import HoldfastCatalog
import HoldfastModel

extension Catalog {
  /// Runs `PRAGMA <text>` and returns its first value.
  func pragma(_ text: String) throws(HoldfastError) -> String? {
    try read { db in try String.fetchOne(db, sql: "PRAGMA \(text)") }
  }

  /// Returns the first column of a statement's rows.
  func strings(_ sql: String) throws(HoldfastError) -> [String] {
    try read { db in try String.fetchAll(db, sql: sql) }
  }
}
