public import Foundation

/// A value of a column, as SQLite stores it.
public enum SQLValue: Hashable, Sendable {
  /// No value.
  case null
  /// A whole number, or a truth value as 0 or 1.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text without a NUL character.
  case text(String)
  /// Bytes.
  case blob(Data)
}
