import GRDB
import HoldfastModel

/// A record for writing: the values of its row, and the rows of its lists.
struct WrittenRecord<Value: JournalRecord> {
  private let key: String
  private let columns: [ColumnValue]
  private let elements: [(table: String, columns: [ColumnValue])]

  /// - Throws: ``RuleError`` or ``RowDefect`` if it cannot be written.
  init(_ value: Value) throws {
    try value.id.validate()
    try value.validate()
    let declaration = Value.declaration
    let lists = declaration.lists
    let key = value.id.keyText
    var columns: [ColumnValue] = []
    var elements: [(table: String, columns: [ColumnValue])] = []
    for (name, encoded) in try EncodedValue(value).members ?? [] {
      guard let child = lists.first(where: { $0.name == name })?.table else {
        columns.append((declaration.columns[name] ?? name, try encoded.stored(in: name)))
        continue
      }
      for (index, element) in (encoded.elements ?? []).enumerated() {
        let columns = try child.columns(of: element, at: index, owner: key)
        elements.append((child.name, columns))
      }
    }
    for column in declaration.derived {
      let derived = EncodedValue.value(column.value(value).databaseValue)
      columns.append((column.name, try derived.stored(in: column.name)))
    }
    self.key = key
    self.columns = columns
    self.elements = elements
  }

  /// The value of a column; null if the record has none.
  subscript(_ column: String) -> DatabaseValue {
    columns.first { $0.name == column }?.value ?? .null
  }

  var names: [String] { columns.map(\.name) }

  func insert(_ db: Database, by statements: InsertStatements = InsertStatements()) throws {
    try statements.insert(columns, into: Value.declaration.table, db)
    for (table, columns) in elements { try statements.insert(columns, into: table, db) }
  }

  func update(_ db: Database, by statements: InsertStatements = InsertStatements()) throws {
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
      for element in elements where element.table == table {
        try statements.insert(element.columns, into: table, db)
      }
    }
  }

  private static func values(_ columns: [ColumnValue]) -> [String: DatabaseValue] {
    Dictionary(
      columns.filter { !$0.value.isNull }.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}

typealias ColumnValue = (name: String, value: DatabaseValue)

/// The statements that insert rows. An import keeps them, as its rows mostly have the same columns.
final class InsertStatements {
  private var last: [String: (names: [String], statement: Statement)] = [:]

  func insert(_ columns: [ColumnValue], into table: String, _ db: Database) throws {
    let statement: Statement
    if let last = last[table], last.names.elementsEqual(columns, by: { $0 == $1.name }) {
      statement = last.statement
    } else {
      let names = columns.map(\.name)
      let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
      let quoted = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      statement = try db.cachedStatement(
        sql: "INSERT INTO \(table) (\(quoted)) VALUES (\(places))")
      last[table] = (names, statement)
    }
    // Existentials, because GRDB maps a sequence of one type through a key path made for each row.
    let values: [(any DatabaseValueConvertible)?] = columns.map { $0.value }
    do {
      try statement.execute(arguments: StatementArguments(values))
    } catch {
      // A statement that failed would fail again. The cache of GRDB has dropped it too.
      last[table] = nil
      throw error
    }
  }
}

extension Database {
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
    return columns
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
