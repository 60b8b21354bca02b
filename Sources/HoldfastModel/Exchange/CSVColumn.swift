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
}

/// A field of a table of comma-separated values.
public enum CSVField: Hashable, Sendable {
  /// Text that a person or another program wrote. What a spreadsheet could take for a formula is
  /// made harmless.
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
