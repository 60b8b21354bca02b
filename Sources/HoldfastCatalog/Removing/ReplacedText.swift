import Foundation
import GRDB
import HoldfastModel

/// SQLite overwrites a text that an update replaces. But when it moves rows from page to page, it
/// leaves copies of them, and no update reaches those. So the catalog is compacted afterwards.
extension Database {
  /// Makes a compaction due if an update removes text from the row whose column `name` has `key`.
  func setCompactionDue(
    ifReplacing columns: [ColumnValue], in table: String, where name: String, is key: String
  ) throws {
    guard try !isCompactionDue(),
      let old = try Row.fetchOne(
        cachedStatement(sql: "SELECT * FROM \(table) WHERE \(name) = ?"), arguments: [key]),
      columns.contains(where: { $0.value.lacksText(of: old[$0.name]) })
    else { return }
    try setCompactionDue()
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
  func isCompactionDue() throws -> Bool {
    try Bool.fetchOne(cachedStatement(sql: "SELECT compactionDue FROM library")) ?? false
  }

  /// Makes a compaction due, because the file may still hold removed data.
  func setCompactionDue() throws { try execute(sql: "UPDATE library SET compactionDue = 1") }
}
