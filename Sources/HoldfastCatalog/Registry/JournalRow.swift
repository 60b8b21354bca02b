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
  static var isOfJournal: Bool { true }
  static var derivedColumns: [String] { Value.declaration.derived.map(\.name) }

  var value: Value {
    didSet { written = nil }
  }
  /// The value as it is written, if it is encoded already.
  private var written: WrittenRecord?

  init(_ value: Value) { self.value = value }

  init(row: Row) throws {
    let key = String.fromDatabaseValue(row[Self.key])
    do {
      value = try FetchableRecordDecoder().decode(CodedRecord<Value>.self, from: row).value
    } catch {
      throw Self.defect(error, row, key)
    }
    // A page begins after the last record of the page before. It must not be the same one again.
    guard value.id.keyText == key else {
      throw RowDefect.unreadable(key, column: Self.key.name, value: key ?? "missing")
    }
  }

  /// What is wrong with a row. The other values of the row are nobody's business.
  private static func defect(_ error: any Error, _ row: Row, _ key: String?) -> RowDefect {
    let path: [any CodingKey] =
      switch error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        context.codingPath
      case DecodingError.keyNotFound(let key, _): [key]
      default: []
      }
    if let column = path.first?.stringValue, row.hasColumn(column) {
      let value: DatabaseValue = row[column]
      return .unreadable(key, column: column, value: value.description.cut(to: 100))
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
              SELECT * FROM \(child.name) WHERE \(owner)\(order))) AS \(list.quotedDatabaseIdentifier)
            """)
      }
  }

  /// The value of a column for JSON. By itself, SQLite would write 15 digits of a number.
  private static func json(_ column: String) -> String {
    "iif(typeof(\(column)) = 'real', json(printf('%!.17g', \(column))), \(column))"
  }

  func encode(to container: inout PersistenceContainer) throws {
    for (name, value) in try (written ?? record()).columns { container[name] = value }
  }

  func encoded() throws -> Self {
    var row = self
    if written == nil { row.written = try record() }
    return row
  }

  /// Returns the value as it is written.
  private func record() throws -> WrittenRecord {
    try value.id.validate()
    try value.validate()
    let declaration = Value.declaration
    var values = try codedColumns()
    let lists = try declaration.lists.compactMap { list, child -> WrittenRecord.List? in
      guard let json = values.removeValue(forKey: list).flatMap(String.fromDatabaseValue) else {
        return nil
      }
      // A NUL is an escape there.
      guard !json.contains("\\u0000") else { throw RowDefect.zeroCharacter(in: list) }
      return (child, try ListElement.elements(of: json, in: child))
    }
    var columns: [String: DatabaseValue] = [:]
    for (name, value) in values {
      columns[declaration.columns[name] ?? name] = try value.checked(in: name)
    }
    for column in declaration.derived {
      columns[column.name] = try column.value(value).databaseValue.checked(in: column.name)
    }
    return WrittenRecord(columns: columns.sorted { $0.key < $1.key }, lists: lists)
  }

  /// Returns the values of the record, with its lists as JSON.
  private func codedColumns() throws -> [String: DatabaseValue] {
    do {
      return try CodedRecord(value: value).databaseDictionary
    } catch EncodingError.invalidValue(_, let context) {
      let path = context.codingPath.map(\.stringValue).joined(separator: " ")
      throw RowDefect(
        code: .refused, reason: "a value in a list cannot be stored (\(path.escapedForDisplay))")
    }
  }

  func insertWhole(_ db: Database) throws {
    let row = try encoded()
    try row.insert(db)
    try row.insertLists(db)
  }

  func updateWhole(_ db: Database) throws {
    let row = try encoded()
    try row.update(db)
    var count = 0
    for (_, child) in Value.declaration.lists {
      try db.execute(
        sql: "DELETE FROM \(child.name) WHERE \(child.owner) = ?", arguments: [value.id.keyText])
      count += db.changesCount
    }
    if count > 0 { try db.setCompactionDue() }
    try row.insertLists(db)
  }

  private func insertLists(_ db: Database) throws {
    for (child, elements) in written?.lists ?? [] {
      for (index, element) in elements.enumerated() {
        try element.insert(at: index, of: value.id.keyText, into: child, db)
      }
    }
  }
}

/// A record as it is written: the values of its row, and the elements of its lists.
private struct WrittenRecord {
  typealias List = (child: ChildTable, elements: [ListElement])

  /// The values in one order, so that all rows of a table are written by one prepared statement.
  var columns: [(key: String, value: DatabaseValue)]
  var lists: [List]
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
private struct ListElement {
  /// A value of JSON as SQLite stores it.
  private struct Scalar: Decodable {
    var value: DatabaseValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        if let text = try? container.decode(String.self) {
          text.databaseValue
        } else if let number = try? container.decode(Int64.self) {
          number.databaseValue
        } else if let number = try? container.decode(Double.self) {
          number.databaseValue
        } else if container.decodeNil() {
          .null
        } else {
          try container.decode(Bool.self).databaseValue
        }
    }
  }

  private var columns: [String: Scalar] = [:]
  private var value: Scalar?

  /// Reads the elements of a list.
  static func elements(of json: String, in child: ChildTable) throws -> [ListElement] {
    // Most lists are empty.
    if json == "[]" { return [] }
    let (decoder, data) = (JSONDecoder(), Data(json.utf8))
    return switch child.element {
    case .value: try decoder.decode([Scalar].self, from: data).map { ListElement(value: $0) }
    case .object:
      try decoder.decode([[String: Scalar]].self, from: data).map { ListElement(columns: $0) }
    }
  }

  /// Inserts the element's row.
  func insert(at index: Int, of owner: String, into child: ChildTable, _ db: Database) throws {
    var values: [(column: String, value: DatabaseValue)] = columns.map { ($0.key, $0.value.value) }
    if let value, case .value(let column) = child.element {
      values.append((column, value.value))
      if let folded = child.folded {
        values.append(
          (folded, String.fromDatabaseValue(value.value)?.foldedCase.databaseValue ?? .null))
      }
    }
    values.append((child.owner, owner.databaseValue))
    if let sort = child.sort { values.append((sort.column, sort.word.databaseValue)) }
    if let position = child.position { values.append((position, index.databaseValue)) }
    values.sort { $0.column < $1.column }
    let names = values.map(\.column.quotedDatabaseIdentifier).joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    try db.cachedStatement(sql: "INSERT INTO \(child.name) (\(names)) VALUES (\(places))").execute(
      arguments: StatementArguments(try values.map { try $0.value.checked(in: $0.column) }))
  }
}

extension DatabaseValue {
  /// Returns this value, or throws if SQLite would store another: only what comes before a NUL, and
  /// nothing for what is no number.
  fileprivate func checked(in column: String) throws -> DatabaseValue {
    switch storage {
    case .string(let text) where text.utf8.contains(0): throw RowDefect.zeroCharacter(in: column)
    case .double(let number) where number.isNaN:
      throw RowDefect(code: .refused, reason: "\(column) is not a number")
    default: return self
    }
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
