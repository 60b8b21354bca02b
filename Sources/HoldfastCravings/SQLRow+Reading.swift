internal import Foundation
internal import Holdfast

extension SQLRow {
  /// Reads a column.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - read: Makes a value of what the column has; `nil` if that cannot be.
  /// - Throws: `LibraryError` if the catalog holds something else.
  func required<Value>(_ column: String, _ read: (SQLValue) -> Value?) throws -> Value {
    guard let value = read(self[column]) else {
      throw LibraryError(
        LibraryError.Code(rawValue: "unreadableRow"),
        "the catalog cannot be read: its \(column) is \(self[column].displayText)")
    }
    return value
  }

  /// Reads a column with a word of a vocabulary.
  func word<Word: RawRepresentable<String>>(_ column: String) throws -> Word {
    try required(column) { $0.text.flatMap(Word.init(rawValue:)) }
  }
}

extension SQLValue {
  /// The value as a person reads it, cut short.
  fileprivate var displayText: String {
    switch self {
    case .null: "missing"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\"\(text.cut(to: 100).escapedForDisplay)\""
    case .blob: "bytes"
    }
  }
}
