/// A value of a row that cannot be read.
package struct UnreadableValue: Error {
  /// The column.
  package var column: String
  /// What the column has.
  package var value: SQLValue
}

extension SQLRow {
  /// Reads a column.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - read: Makes a value of what the column has; `nil` if that cannot be.
  /// - Throws: ``UnreadableValue`` if the catalog holds something else. From `Library.read(_:)` it is
  ///   an error with the catalog's path.
  package func required<Value>(_ column: String, _ read: (SQLValue) -> Value?) throws -> Value {
    guard let value = read(self[column]) else {
      throw UnreadableValue(column: column, value: self[column])
    }
    return value
  }

  /// Reads a column with a word of a vocabulary.
  package func word<Word: RawRepresentable<String>>(_ column: String) throws -> Word {
    try required(column) { $0.text.flatMap(Word.init(rawValue:)) }
  }
}
