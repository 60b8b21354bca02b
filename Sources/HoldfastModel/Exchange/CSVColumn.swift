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
  public var csvField: CSVField { .integer(self) }
}

extension Double: CSVValue {
  /// The number.
  public var csvField: CSVField { .decimal(self) }
}

extension Bool: CSVValue {
  /// 1 or 0.
  public var csvField: CSVField { .flag(self) }
}

extension Date: CSVValue {
  /// The moment, in UTC.
  public var csvField: CSVField { .date(self) }
}

extension UUID: CSVValue {
  /// The ID.
  public var csvField: CSVField { .id(self) }
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

  /// Returns the field of an ID.
  public static func id(_ id: UUID?) -> CSVField { .word(id?.uuidString) }

  /// Returns the field of a moment, in UTC with milliseconds.
  public static func date(_ date: Date?) -> CSVField { .word(date.map(JSONFormat.text)) }

  /// Returns the field of a whole number.
  public static func integer(_ number: Int?) -> CSVField { .number(number.map { "\($0)" } ?? "") }

  /// Returns the field of true or false: 1 or 0, as in the catalog.
  public static func flag(_ flag: Bool) -> CSVField { .integer(flag ? 1 : 0) }

  /// Returns the field of a number. Whole numbers have no decimal point.
  public static func decimal(_ number: Double?) -> CSVField {
    .number(number.map { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" } ?? "")
  }

  /// Returns the field of a list of texts that a person or another program wrote.
  public static func texts(_ texts: [String]) -> CSVField { .text(texts.joined(separator: "; ")) }

  /// Returns the field of a list of words of a fixed list.
  public static func words(_ words: [String]) -> CSVField { .word(words.joined(separator: "; ")) }
}
