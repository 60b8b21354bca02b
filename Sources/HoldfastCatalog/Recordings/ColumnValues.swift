import Foundation
import GRDB
import HoldfastModel

extension Row {
  /// Reads a column. A value of the wrong kind is an error, not a trap.
  func value<Value: DatabaseValueConvertible>(
    _ column: some ColumnExpression, as type: Value.Type = Value.self
  ) throws -> Value {
    try value(column) { Value.fromDatabaseValue($0) }
  }

  func value<Value>(_ column: some ColumnExpression, _ make: (String) -> Value?) throws -> Value {
    try value(column, as: String.self, make)
  }

  func value<Stored: DatabaseValueConvertible, Value>(
    _ column: some ColumnExpression, as type: Stored.Type, _ make: (Stored) -> Value?
  ) throws -> Value {
    try value(column) { Stored.fromDatabaseValue($0).flatMap(make) }
  }

  func optionalValue<Value>(
    _ column: some ColumnExpression, _ make: (String) -> Value?
  ) throws -> Value? {
    hasNull(atColumn: column) ? nil : try value(column, make)
  }

  func optionalValue<Value: DatabaseValueConvertible>(
    _ column: some ColumnExpression, as type: Value.Type = Value.self
  ) throws -> Value? {
    hasNull(atColumn: column) ? nil : try value(column)
  }

  /// The row's ID as it is stored. Counts and sums have none.
  private var shownID: String? {
    hasColumn("id") ? String.fromDatabaseValue(self["id"]) : nil
  }

  private func hasNull(atColumn column: some ColumnExpression) -> Bool {
    (self[column] as DatabaseValue).isNull
  }

  private func value<Value>(
    _ column: some ColumnExpression, convert: (DatabaseValue) -> Value?
  ) throws -> Value {
    let stored: DatabaseValue = self[column]
    guard let value = convert(stored) else {
      throw RowDefect.unreadable(
        shownID, column: column.name, value: stored.description)
    }
    return value
  }
}

extension UUID {
  /// Reads an ID as a catalog stores it. Another spelling could be taken for another row's ID.
  init?(stored text: String) {
    self.init(uuidString: text)
    guard uuidString == text else { return nil }
  }
}

extension String {
  /// The bound for the keys of the next page, when this is the last key of a page.
  ///
  /// SQLite shows a key only up to a NUL, but sorts it after the shown part. Without the suffix,
  /// the key would begin the next page again, for ever.
  var endOfPage: String { self + "\u{1}" }

  /// Returns this text, or throws if it has a NUL: SQLite would store only the text before it.
  func withoutZero(in column: some ColumnExpression) throws -> String {
    guard !utf8.contains(0) else { throw RowDefect.zeroCharacter(in: column.name) }
    return self
  }
}
