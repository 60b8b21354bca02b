import Foundation
import GRDB
import HoldfastModel

/// A record of a journal as a row of its table, with its lists in tables of their own.
///
/// GRDB turns columns into a Codable value. It reads a list as JSON text, which SQLite makes from
/// the rows of the list's table.
struct JournalRow<Value: JournalRecord>: FetchableRecord, TableRecord {
  static var databaseTableName: String { Value.declaration.table }
  static var key: Column { Column(Value.declaration.key) }

  private(set) var value: Value

  init(row: Row) throws {
    let key = String.fromDatabaseValue(row[Self.key])
    do {
      value = try FetchableRecordDecoder().decode(CodedRecord<Value>.self, from: row).value
    } catch {
      throw Self.defect(error, in: row, key: key)
    }
    // In documents of version 1, a record has this moment even if it was never changed.
    value.modifiedAt = try row.optionalValue(Column("modifiedAt"), as: Date.self)?
      .roundedToMillisecond
    // A page begins after the last record of the page before, so that record must not come again.
    guard value.id.keyText == key else {
      throw RowDefect.unreadable(key, column: Self.key.name, value: key ?? "missing")
    }
  }

  /// Returns the defect of a row. Its other values are private.
  private static func defect(_ error: any Error, in row: Row, key: String?) -> RowDefect {
    if let column = (error as? UnreadableColumn)?.name, row.hasColumn(column) {
      let value: DatabaseValue = row[column]
      let isList = Value.declaration.lists.contains { $0.name == column }
      let shown = isList ? String.fromDatabaseValue(value) ?? "" : value.description
      return .unreadable(key, column: column, value: shown.cut(to: 100))
    }
    let reason = (error as? RuleError)?.description ?? "one of its values is of the wrong kind"
    return RowDefect(
      code: .unreadableRow,
      reason: "row \(key?.escapedForDisplay ?? "without an ID") cannot be read: "
        + reason.cut(to: 300).escapedForDisplay)
  }

  /// All columns, and each list as JSON.
  static var databaseSelection: [any SQLSelectable] {
    let declaration = Value.declaration
    return [.allColumns]
      + declaration.columns.sorted { $0.key < $1.key }.map { name, column in
        SQL(sql: "\(declaration.table).\(column) AS \(name.quotedDatabaseIdentifier)")
      }
      + declaration.lists.map { list, child in
        let sort = child.sort.map { " AND \($0.column) = '\($0.word)'" } ?? ""
        let owner = "\(child.name).\(child.owner) = \(declaration.table).\(declaration.key)\(sort)"
        let order = child.position.map { " ORDER BY \($0)" } ?? ""
        let element =
          switch child.element {
          case .value(let column): json(column)
          case .object(let columns):
            "json_object(\(columns.map { "'\($0)', \(json($0))" }.joined(separator: ", ")))"
          }
        return SQL(
          sql: """
            (SELECT json_group_array(\(element)) FROM (
              SELECT * FROM \(child.name) WHERE \(owner)\(order)))
              AS \(list.quotedDatabaseIdentifier)
            """)
      }
  }

  /// The value of a column for JSON. By default, SQLite would write 15 digits of a number.
  private static func json(_ column: String) -> String {
    "iif(typeof(\(column)) = 'real', json(printf('%!.17g', \(column))), \(column))"
  }

  static func with(_ id: Value.ID) -> QueryInterfaceRequest<Self> { filter(key == id.keyText) }
}

private struct CodedRecord<Value: JournalRecord>: Decodable, FetchableRecord {
  var value: Value

  init(from decoder: any Decoder) throws {
    do {
      value = try Value(from: decoder)
    } catch {
      // Only after a failure, because it takes longer.
      value = try Value(from: ColumnDecoder(base: decoder))
    }
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .custom { Date(stored: $0) }
  }

  static func databaseJSONDecoder(for column: String) -> JSONDecoder { listDecoder }
}

private let listDecoder: JSONDecoder = {
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = .custom { decoder in
    let container = try decoder.singleValueContainer()
    guard let date = Date(stored: try container.decode(String.self).databaseValue) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    return date
  }
  return decoder
}()
