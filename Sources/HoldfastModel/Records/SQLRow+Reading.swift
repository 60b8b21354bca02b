package struct UnreadableValue: Error {
  package var column: String
  package var value: SQLValue
}

extension SQLRow {
  /// Reads a column.
  ///
  /// - Parameter read: Makes a value of the column's value. If it returns `nil`,
  ///   ``UnreadableValue`` is thrown, which `Library.read(_:)` turns into an error with the
  ///   catalog's path.
  package func required<Value>(_ column: String, _ read: (SQLValue) -> Value?) throws -> Value {
    guard let value = read(self[column]) else {
      throw UnreadableValue(column: column, value: self[column])
    }
    return value
  }

  package func word<Word: RawRepresentable<String>>(_ column: String) throws -> Word {
    try required(column) { $0.text.flatMap(Word.init(rawValue:)) }
  }
}
