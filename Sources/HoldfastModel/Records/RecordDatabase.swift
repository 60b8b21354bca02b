public import Foundation

/// A library's catalog, for the statements of a journal.
///
/// It is valid only during the closure that received it. Reading and writing go through
/// `Library.read(_:)` and `Library.write(_:)`.
///
/// While a statement is open, no other program can commit, so each must take less than 0.2 s: an
/// index should give the rows in order.
public protocol RecordDatabase {
  /// Throws unless the journal of a kind is enabled. Call it before statements of your own.
  func requireEnabled<Value: JournalRecord>(_ type: Value.Type) throws

  /// Returns the rows of a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with a question mark for each argument.
  ///   - arguments: The values of the question marks.
  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]

  /// Returns the rows of a statement with named arguments, such as `:since`.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - arguments: The values by their names, without the colon. The statement need not use all.
  func rows(_ sql: String, named arguments: [String: SQLValue]) throws -> [SQLRow]

  /// Runs a statement that changes rows.
  ///
  /// It makes no compaction due. Replace text with ``update(_:)``, and delete with
  /// ``delete(_:id:)``: both make one due, so that the text cannot be found in the catalog's file.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

  /// Returns the record with this ID, or `nil` if there is none.
  func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value?

  /// Returns records of a kind.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - clause: What follows the table in a `SELECT`, such as
  ///     `WHERE day = ? ORDER BY id LIMIT 20`.
  ///   - arguments: The values of the clause's question marks.
  func records<Value: JournalRecord>(
    _ type: Value.Type, clause: String, arguments: [SQLValue]
  ) throws -> [Value]

  /// Inserts a record with its lists.
  func insert<Value: JournalRecord>(_ record: Value) throws

  /// Replaces a record with its lists.
  func update<Value: JournalRecord>(_ record: Value) throws

  /// Deletes a record.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool
}

extension RecordDatabase {
  /// Returns the rows of a statement without arguments.
  public func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

  /// Returns whether a recording exists.
  public func hasRecording(_ id: RecordingID) throws -> Bool {
    try !rows("SELECT 1 FROM recording WHERE id = ?", [.text(id.uuidString)]).isEmpty
  }
}

/// A row that a statement returned.
public struct SQLRow: Hashable, Sendable {
  private let columns: [String]
  private let values: [SQLValue]

  /// Makes a row from the names of its columns and their values, in the same order.
  public init(_ columns: [String], _ values: [SQLValue]) {
    self.columns = columns
    self.values = values
  }

  /// The value of the first column with this name; null without such a column.
  public subscript(_ column: String) -> SQLValue {
    columns.firstIndex(of: column).map { values[$0] } ?? .null
  }
}

extension SQLValue {
  /// The whole number; `nil` if it is another kind of value.
  public var integer: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }

  /// The number, whole or not; `nil` if it is another kind of value.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }

  /// The text; `nil` if it is another kind of value.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The date and time in the catalog's format; `nil` if it is another kind of value.
  public var date: Date? {
    text.flatMap {
      Date(utcText: $0, separator: " ") ?? JSONFormat.date($0.replacing(" ", with: "T") + "Z")
    }
  }

  /// Returns a date in the catalog's format, such as `2025-10-25 13:42:00.000` in UTC.
  public static func date(_ date: Date) -> SQLValue {
    .text(
      date.utcText(separator: " ")
        ?? String(JSONFormat.text(date).dropLast().map { $0 == "T" ? " " : $0 }))
  }
}
