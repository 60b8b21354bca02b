internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A record of a journal as a row of its table, with its lists in tables of their own.
///
/// GRDB turns a Codable value into columns and back. A list is JSON text to it: when a record is
/// read, SQLite makes that text from the rows of the list's table, and when one is written, the text
/// becomes those rows.
struct JournalRow<Value: JournalRecord>: CatalogRow {
  static var databaseTableName: String { Value.declaration.table }
  static var key: Column { Column(Value.declaration.key) }

  var value: Value

  init(_ value: Value) { self.value = value }

  init(row: Row) throws {
    do {
      value = try FetchableRecordDecoder().decode(CodedRecord<Value>.self, from: row).value
    } catch {
      throw RowDefect(
        code: .unreadableRow,
        reason:
          "row \(String.fromDatabaseValue(row[Self.key])?.escapedForDisplay ?? "without an ID") "
          + "cannot be read: \("\(error)".cut(to: 300).escapedForDisplay)")
    }
  }

  /// All columns, and each list as JSON.
  static var databaseSelection: [any SQLSelectable] {
    let declaration = Value.declaration
    return [.allColumns]
      + declaration.lists.map { list, child in
        let sort = child.sort.map { " AND \($0.column) = '\($0.word)'" } ?? ""
        let owner = "\(child.name).\(child.owner) = \(declaration.table).\(declaration.key)\(sort)"
        let order = child.position.map { " ORDER BY \($0)" } ?? ""
        let element =
          switch child.element {
          case .value(let column): column
          case .object(let columns):
            "json_object(\(columns.map { "'\($0)', \($0)" }.joined(separator: ", ")))"
          }
        return SQL(
          sql: """
            (SELECT json_group_array(\(element)) FROM (
              SELECT * FROM \(child.name) WHERE \(owner)\(order))) AS \(list.quotedDatabaseIdentifier)
            """)
      }
  }

  func encode(to container: inout PersistenceContainer) throws {
    try value.validate()
    let lists = Set(Value.declaration.lists.map(\.list))
    for (column, value) in try CodedRecord(value: value).databaseDictionary
    where !lists.contains(column) {
      container[column] = try value.withoutZero(in: column)
    }
    for column in Value.declaration.derived {
      container[column.name] = try column.value(value).databaseValue.withoutZero(in: column.name)
    }
  }

  func insertWhole(_ db: Database) throws {
    try insert(db)
    try insertLists(db)
  }

  func updateWhole(_ db: Database) throws {
    try update(db)
    for (_, child) in Value.declaration.lists {
      try db.execute(
        sql: "DELETE FROM \(child.name) WHERE \(child.owner) = ?", arguments: [value.id.keyText])
    }
    try insertLists(db)
  }

  private func insertLists(_ db: Database) throws {
    let lists = Value.declaration.lists
    guard !lists.isEmpty else { return }
    let columns = try CodedRecord(value: value).databaseDictionary
    for (list, child) in lists {
      guard let json = columns[list].flatMap(String.fromDatabaseValue) else { continue }
      let elements = try JSONDecoder().decode([ListElement].self, from: Data(json.utf8))
      for (index, element) in elements.enumerated() {
        try element.insert(at: index, of: value.id.keyText, into: child, db)
      }
    }
  }
}

extension RecordDeclaration {
  /// The record's lists and their tables.
  fileprivate var lists: [(list: String, child: ChildTable)] {
    children.compactMap { child in child.list.map { ($0, child) } }
  }
}

/// A record as GRDB encodes and decodes it.
///
/// It is not the row itself, which adds columns that are not part of the record.
private struct CodedRecord<Value: JournalRecord>: Codable, FetchableRecord, EncodableRecord {
  var value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .custom(\.roundedToMillisecond)
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .custom { Date.fromDatabaseValue($0)?.roundedToMillisecond }
  }

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .uppercaseString
  }

  static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(String.fromDatabaseValue(date.roundedToMillisecond.databaseValue))
    }
    return encoder
  }

  static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = Date.fromDatabaseValue(text.databaseValue) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
      }
      return date.roundedToMillisecond
    }
    return decoder
  }
}

/// An element of a record's list: a single value, or values with the names of columns.
private struct ListElement: Decodable {
  /// A value of JSON as SQLite stores it.
  private struct Scalar: Decodable {
    var value: DatabaseValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        if container.decodeNil() {
          .null
        } else if let flag = try? container.decode(Bool.self) {
          flag.databaseValue
        } else if let number = try? container.decode(Int64.self) {
          number.databaseValue
        } else if let number = try? container.decode(Double.self) {
          number.databaseValue
        } else {
          try container.decode(String.self).databaseValue
        }
    }
  }

  private var columns: [String: Scalar] = [:]
  private var value: Scalar?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let columns = try? container.decode([String: Scalar].self) {
      self.columns = columns
    } else {
      value = try container.decode(Scalar.self)
    }
  }

  /// Inserts the element's row.
  func insert(at index: Int, of owner: String, into child: ChildTable, _ db: Database) throws {
    var values: [(column: String, value: DatabaseValue)] = columns.map { ($0.key, $0.value.value) }
    if let value, case .value(let column) = child.element { values.append((column, value.value)) }
    values.append((child.owner, owner.databaseValue))
    if let sort = child.sort { values.append((sort.column, sort.word.databaseValue)) }
    if let position = child.position { values.append((position, index.databaseValue)) }
    values.sort { $0.column < $1.column }
    let names = values.map(\.column.quotedDatabaseIdentifier).joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    try db.cachedStatement(sql: "INSERT INTO \(child.name) (\(names)) VALUES (\(places))").execute(
      arguments: StatementArguments(
        try values.map { try $0.value.withoutZero(in: $0.column) }))
  }
}

extension DatabaseValue {
  /// Returns this value, or throws if it is a text with a NUL: SQLite would store only what comes
  /// before it.
  fileprivate func withoutZero(in column: String) throws -> DatabaseValue {
    if case .string(let text) = storage, text.utf8.contains(0) {
      throw RowDefect.zeroCharacter(in: column)
    }
    return self
  }
}

extension SQLValue {
  /// The value as GRDB has it.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let data): data.databaseValue
    }
  }
}
