public import Foundation

/// A column of a table of comma-separated values.
public struct CSVColumn<Value>: Sendable {
  /// The column's name in the header.
  public let name: String
  /// Returns the column's field for a record.
  public let field: @Sendable (Value) -> CSVField

  /// Declares a column.
  public init(_ name: String, _ field: @escaping @Sendable (Value) -> CSVField) {
    self.name = name
    self.field = field
  }

  /// Declares a column with a value of the record.
  public init<Field: CSVValue>(_ name: String, _ path: any KeyPath<Value, Field> & Sendable) {
    self.init(name) { $0[keyPath: path].csvField }
  }
}

extension Array {
  /// Returns the columns of a table: the ID, the given columns, and the dates.
  package static func withDates<Record: DeclaredRecord>(_ columns: Self) -> Self
  where Element == CSVColumn<Record> {
    [.init("id", \.id.keyText)] + columns + [
      .init("createdAt", \.createdAt), .init("modifiedAt", \.modifiedAt),
    ]
  }
}

/// A value that is a field of comma-separated values.
public protocol CSVValue: Sendable {
  /// The field.
  var csvField: CSVField { get }
}

extension String: CSVValue {
  /// The text, which a person or another program wrote.
  public var csvField: CSVField { .text(self) }
}

extension Int: CSVValue {
  /// The number.
  public var csvField: CSVField { .number("\(self)") }
}

extension Double: CSVValue {
  /// The number. Whole numbers have no decimal point.
  public var csvField: CSVField { .number(Int(exactly: self).map { "\($0)" } ?? "\(self)") }
}

extension Bool: CSVValue {
  /// 1 or 0, as in the catalog.
  public var csvField: CSVField { .number(self ? "1" : "0") }
}

extension Date: CSVValue {
  /// The moment, in UTC with milliseconds.
  public var csvField: CSVField { .word(JSONFormat.text(self)) }
}

extension UUID: CSVValue {
  /// The ID.
  public var csvField: CSVField { .word(uuidString) }
}

extension Day: CSVValue {
  /// The day as `yyyy-MM-dd`.
  public var csvField: CSVField { .word(description) }
}

extension [String]: CSVValue {
  /// The texts, which a person or another program wrote.
  public var csvField: CSVField { .texts(self) }
}

extension Optional: CSVValue where Wrapped: CSVValue {
  /// The value's field, or an empty one.
  public var csvField: CSVField { self?.csvField ?? .word(nil) }
}

/// A field of a table of comma-separated values.
public enum CSVField: Hashable, Sendable {
  /// Text that a person or another program wrote. Anything that a spreadsheet could take for a
  /// formula is made harmless.
  case text(String?)
  /// A number as text, or an empty text.
  case number(String)
  /// Text that Holdfast itself writes and that is never a formula: an ID, a date, a word of a fixed
  /// list.
  case word(String?)

  /// Returns the field of a list of texts that a person or another program wrote.
  public static func texts(_ texts: [String]) -> CSVField { .text(texts.joined(separator: "; ")) }

  /// Returns the field of a list of words of a fixed list.
  public static func words(_ words: [String]) -> CSVField { .word(words.joined(separator: "; ")) }
}
