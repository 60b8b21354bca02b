import GRDB
import HoldfastModel

/// A record for writing: the values of its row, and the rows of its lists.
struct WrittenRecord<Value: JournalRecord> {
  private let key: String
  /// In the order of their names, so that one prepared statement writes all rows of a table.
  private let columns: [ColumnValue]
  private let elements: [(table: String, columns: [ColumnValue])]

  /// - Throws: ``RuleError`` or ``RowDefect`` if it cannot be written.
  init(_ value: Value) throws {
    try value.id.validate()
    try value.validate()
    let declaration = Value.declaration
    let lists = declaration.lists
    var columns: [ColumnValue] = []
    var elements: [(table: String, columns: [ColumnValue])] = []
    for (name, encoded) in try EncodedValue(value).members ?? [] {
      guard let child = lists.first(where: { $0.name == name })?.table else {
        columns.append((declaration.columns[name] ?? name, try encoded.stored(in: name)))
        continue
      }
      for (index, element) in (encoded.elements ?? []).enumerated() {
        let columns = try child.columns(of: element, at: index, owner: value.id.keyText)
        elements.append((child.name, columns))
      }
    }
    for column in declaration.derived {
      let derived = EncodedValue.value(column.value(value).databaseValue)
      columns.append((column.name, try derived.stored(in: column.name)))
    }
    key = value.id.keyText
    self.columns = columns.sorted { $0.name < $1.name }
    self.elements = elements
  }

  /// The value of a column; null if the record has none.
  subscript(_ column: String) -> DatabaseValue {
    columns.first { $0.name == column }?.value ?? .null
  }

  var names: [String] { columns.map(\.name) }

  func insert(_ db: Database) throws {
    try db.insert(columns, into: Value.declaration.table)
    try insertElements(db)
  }

  func update(_ db: Database) throws {
    let declaration = Value.declaration
    let derived = Set(declaration.derived.map(\.name))
    try db.setCompactionDue(
      ifReplacing: columns.filter { !derived.contains($0.name) }, in: declaration.table,
      where: declaration.key, is: key)
    try db.update(columns, in: declaration.table, where: declaration.key, is: key)
    guard db.changesCount > 0 else {
      throw RowDefect(
        code: .refused,
        reason: "the \(declaration.kind.singular) \(key.escapedForDisplay) was deleted meanwhile")
    }
    var owners: [String: String] = [:]
    for (_, child) in declaration.lists { owners[child.name] = child.owner }
    for (table, owner) in owners.sorted(by: { $0.key < $1.key }) {
      let old = try Row.fetchAll(
        db, sql: "SELECT * FROM \(table) WHERE \(owner) = ?", arguments: [key]
      ).map { Self.values($0.map { ($0, $1) }) }
      let new = elements.filter { $0.table == table }.map { Self.values($0.columns) }
      guard old.count != new.count || Set(old) != Set(new) else { continue }
      try db.execute(sql: "DELETE FROM \(table) WHERE \(owner) = ?", arguments: [key])
      if !Set(old).isSubset(of: new) { try db.setCompactionDue() }
      try insertElements(of: table, db)
    }
  }

  private static func values(_ columns: [ColumnValue]) -> [String: DatabaseValue] {
    Dictionary(
      columns.filter { !$0.value.isNull }.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// - Parameter table: The only table to insert rows into; `nil` for all.
  private func insertElements(of table: String? = nil, _ db: Database) throws {
    for element in elements where table == nil || table == element.table {
      try db.insert(element.columns, into: element.table)
    }
  }
}

typealias ColumnValue = (name: String, value: DatabaseValue)

extension Database {
  fileprivate func insert(_ columns: [ColumnValue], into table: String) throws {
    // Existentials, because GRDB maps a sequence of one type through a key path made for each row.
    var (names, places, values) = ("", "", [(any DatabaseValueConvertible)?]())
    for (name, value) in columns {
      names += values.isEmpty ? "\"" : ", \""
      names += name
      names += "\""
      places += values.isEmpty ? "?" : ", ?"
      values.append(value)
    }
    try cachedStatement(sql: "INSERT INTO \(table) (\(names)) VALUES (\(places))")
      .execute(arguments: StatementArguments(values))
  }

  fileprivate func update(
    _ columns: [ColumnValue], in table: String, where name: String, is key: String
  ) throws {
    let values = columns.map { "\($0.name.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
    try cachedStatement(sql: "UPDATE \(table) SET \(values) WHERE \(name) = ?")
      .execute(arguments: StatementArguments(columns.map(\.value) + [key.databaseValue]))
  }
}

extension ChildTable {
  fileprivate func columns(
    of element: EncodedValue, at index: Int, owner key: String
  ) throws -> [ColumnValue] {
    var columns = try (element.members ?? []).map { ($0.name, try $0.value.stored(in: $0.name)) }
    if case .value(let column) = self.element {
      let value = try element.stored(in: column)
      columns.append((column, value))
      if let folded {
        columns.append((folded, String.fromDatabaseValue(value)?.foldedCase.databaseValue ?? .null))
      }
    }
    columns.append((owner, key.databaseValue))
    if let sort { columns.append((sort.column, sort.word.databaseValue)) }
    if let position { columns.append((position, index.databaseValue)) }
    return columns.sorted { $0.0 < $1.0 }
  }
}

extension SQLValue {
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
