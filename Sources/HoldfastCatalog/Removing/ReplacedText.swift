internal import Foundation
internal import GRDB
internal import HoldfastModel

/// SQLite overwrites a text that an update replaces. But when it moves rows from page to page, it
/// leaves copies of them, and no update reaches those. So the catalog is compacted afterwards.
extension CatalogRow {
  /// Makes a compaction due if the update takes text from the row.
  func willUpdate(_ db: Database, columns: Set<String>) throws {
    guard try !db.isCompactionDue(),
      let old = try Row.fetchOne(
        db.cachedStatement(
          sql: "SELECT * FROM \(Self.databaseTableName) WHERE \(Self.key.name) = ?"),
        arguments: [value.id.keyText])
    else { return }
    let own = columns.subtracting(Self.derivedColumns)
    let takesText = try databaseDictionary.contains { column, value in
      own.contains(column) && value.lacksText(of: old[column])
    }
    if takesText { try db.setCompactionDue() }
  }
}

extension DatabaseValue {
  /// Whether the old value has text, or other bytes, that this one lacks. A moment is not text.
  fileprivate func lacksText(of old: DatabaseValue) -> Bool {
    switch old.storage {
    case .string(let text):
      !text.isEmpty && !text.isMoment
        && String.fromDatabaseValue(self)?.contains(text) != true
    case .blob: self != old
    case .null, .int64, .double: false
    }
  }
}

extension String {
  /// Whether this is a moment as the catalog stores it, such as `2025-10-25 13:42:00.000`.
  fileprivate var isMoment: Bool {
    utf8.count == 23 && Date.fromDatabaseValue(databaseValue) != nil
  }
}

extension Database {
  /// Whether the catalog is to be compacted.
  func isCompactionDue() throws -> Bool {
    try Bool.fetchOne(cachedStatement(sql: "SELECT compactionDue FROM library")) ?? false
  }

  /// Makes a compaction due, because the file may still hold what was removed.
  func setCompactionDue() throws { try execute(sql: "UPDATE library SET compactionDue = 1") }
}
