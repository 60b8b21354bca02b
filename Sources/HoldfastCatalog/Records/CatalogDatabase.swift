import GRDB
import HoldfastModel

/// A catalog's database, for the statements of a journal.
struct CatalogDatabase: RecordDatabase {
  let db: Database
  let kinds: Set<RecordKind>
  /// The catalog's name in error messages.
  let name: String

  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    try rows(sql, StatementArguments(arguments))
  }

  func rows(_ sql: String, named arguments: [String: SQLValue]) throws -> [SQLRow] {
    try rows(sql, StatementArguments(arguments.mapValues(\.databaseValue)))
  }

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [SQLRow] {
    let statement = try db.cachedStatement(sql: sql)
    let (columns, cursor) = (
      statement.columnNames, try Row.fetchCursor(statement, arguments: arguments)
    )
    var rows: [SQLRow] = []
    while let row = try cursor.next() {
      rows.append(SQLRow(columns, row.databaseValues.map { SQLValue($0) }))
    }
    return rows
  }

  func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    return db.changesCount
  }

  func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value? {
    try requireEnabled(type)
    return try namingCatalog { try JournalRow<Value>.with(id).fetchOne(db)?.value }
  }

  func records<Value: JournalRecord>(
    _ type: Value.Type, clause: String, arguments: [SQLValue]
  ) throws -> [Value] {
    try requireEnabled(type)
    return try namingCatalog {
      let columns = try JournalRow<Value>.all().makePreparedRequest(db).statement.sql
      return try JournalRow<Value>.fetchAll(
        db.cachedStatement(sql: "\(columns) \(clause)"), arguments: StatementArguments(arguments)
      ).map(\.value)
    }
  }

  func insert<Value: JournalRecord>(_ record: Value) throws {
    try requireEnabled(Value.self)
    try WrittenRecord(record).insert(db)
  }

  func update<Value: JournalRecord>(_ record: Value) throws {
    try requireEnabled(Value.self)
    try WrittenRecord(record).update(db)
  }

  func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool {
    try requireEnabled(type)
    guard try JournalRow<Value>.with(id).deleteAll(db) > 0 else { return false }
    try db.setCompactionDue()
    return true
  }

  /// Runs `body`, and names this catalog in the error for an unreadable row, because a merge reads
  /// two.
  private func namingCatalog<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let defect as RowDefect {
      throw HoldfastError(defect, name: name)
    }
  }

  func requireEnabled<Value: JournalRecord>(_ type: Value.Type) throws {
    let kind = Value.declaration.kind
    guard kinds.contains(kind) else { throw HoldfastError.noSuchKind(name, kind) }
  }
}

extension StatementArguments {
  fileprivate init(_ values: [SQLValue]) { self.init(values.map(\.databaseValue)) }
}

extension SQLValue {
  fileprivate init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .blob(let data): .blob(data)
      }
  }
}
