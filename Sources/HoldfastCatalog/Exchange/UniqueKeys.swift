import GRDB
import HoldfastModel

/// The values that must be unique in a table, such as the day of a verse of the day, and their
/// owners.
///
/// An import checks here before it writes a record. SQLite would refuse the record too, but would
/// name only columns, and a dry run would not find it.
struct UniqueKeys {
  /// A unique index, apart from the record's own key.
  private struct Index {
    /// The columns, or an expression.
    var terms: [String]
    /// The condition for its rows; `nil` for all.
    var condition: String?
    /// The columns, if it has only columns and covers all rows. Then SQLite need not compute the
    /// values.
    var columns: [String]?
  }

  private let table: String
  private let key: String
  private let singular: String
  private let names: [String: String]
  private let indexes: [Index]
  /// The values of the records that this import has written, or would write, with their keys.
  private var claims: [[[DatabaseValue]: String]]
  /// The IDs of these records. Their rows in the table may be older.
  private var written: Set<String> = []

  init<Value: DeclaredRecord>(of declaration: RecordDeclaration<Value>, _ db: Database) throws {
    table = declaration.table
    key = declaration.key
    singular = declaration.kind.singular
    let derived = Set(declaration.derived.map(\.name))
    let columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    var names = Dictionary(
      columns.filter { !derived.contains($0) }.map { ($0, $0) }, uniquingKeysWith: { $1 })
    for (name, column) in declaration.columns { names[column] = name }
    self.names = names
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT list.name AS name, sql FROM pragma_index_list(?) AS list
          LEFT JOIN sqlite_schema AS object ON object.type = 'index' AND object.name = list.name
        WHERE "unique" ORDER BY seq
        """, arguments: [declaration.table])
    indexes = try rows.compactMap { row in
      let columns = try String?.fetchAll(
        db, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [row["name"]])
      if columns == [declaration.key] { return nil }
      let sql: String? = row["sql"]
      let names = columns.compactMap { $0?.quotedDatabaseIdentifier }
      if names.count == columns.count {
        let condition = sql.flatMap(Self.condition)
        return Index(
          terms: names, condition: condition,
          columns: condition == nil ? columns.compactMap(\.self) : nil)
      }
      return sql.flatMap(Self.expression).map { Index(terms: [$0]) }
    }
    claims = indexes.map { _ in [:] }
  }

  /// Returns the text after WHERE in the statement of an index.
  private static func condition(_ sql: String) -> String? {
    sql.firstMatch(of: /\)\s*WHERE\s+((?s).*)$/).map { String($0.1) }
  }

  /// Returns the expression of an index on an expression.
  private static func expression(_ sql: String) -> String? {
    sql.firstMatch(of: /\sON\s+\w+\s*\(((?s).*)\)\s*$/).map { String($0.1) }
  }

  /// Claims the values of a record, unless another record has them.
  ///
  /// - Returns: The values that two records would share, for people; `nil` for none.
  mutating func claim<Value>(
    _ record: WrittenRecord<Value>, for id: String, _ db: Database
  ) throws -> String? {
    guard !indexes.isEmpty else { return nil }
    var values: [[DatabaseValue]?] = []
    for (index, claims) in zip(indexes, claims) {
      guard let value = try self.values(of: record, in: index, db) else {
        values.append(nil)
        continue
      }
      values.append(value)
      if let other = try claims[value] ?? holder(of: value, in: index, id, db), other != id {
        return description(of: value, in: index, other)
      }
    }
    written.insert(id)
    for (place, value) in values.enumerated() { value.map { claims[place][$0] = id } }
    return nil
  }

  /// The values of a record in an index; `nil` if it has none there. Two NULLs are never the same.
  private func values<Value>(
    of record: WrittenRecord<Value>, in index: Index, _ db: Database
  ) throws -> [DatabaseValue]? {
    if let columns = index.columns {
      let values = columns.map { record[$0] }
      return values.contains(where: \.isNull) ? nil : values
    }
    let columns = record.names
    let names = columns.map { "? AS \($0.quotedDatabaseIdentifier)" }.joined(separator: ", ")
    let terms = index.terms.joined(separator: ", ")
    let result = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(terms) FROM (SELECT \(names))\(index.condition.map { " WHERE \($0)" } ?? "")"
      ),
      arguments: StatementArguments(columns.map { record[$0] }))
    guard let values = result.map({ Array($0.databaseValues) }),
      !values.contains(where: \.isNull)
    else { return nil }
    return values
  }

  /// Returns the record in the table that has these values, if this import did not change it.
  private func holder(
    of values: [DatabaseValue], in index: Index, _ id: String, _ db: Database
  ) throws -> String? {
    let terms = index.terms.map { "\($0) = ?" } + (index.condition.map { ["(\($0))"] } ?? [])
    let name = key.quotedDatabaseIdentifier
    let statement = try db.cachedStatement(
      sql: "SELECT \(name) FROM \(table) WHERE \(terms.joined(separator: " AND ")) AND \(name) <> ?"
    )
    let other = try String.fetchOne(
      statement, arguments: StatementArguments(values + [id.databaseValue]))
    return other.flatMap { written.contains($0) ? nil : $0 }
  }

  private func description(
    of values: [DatabaseValue], in index: Index, _ other: String
  ) -> String {
    let id = other.cut(to: 40).escapedForDisplay
    let columns = index.terms.map { $0.filter { $0 != "\"" } }
    guard columns.allSatisfy({ $0.allSatisfy(\.isLetter) }) else {
      return "there can be only one \(singular), and \(id) is there"
    }
    let pairs = zip(columns, values).map { column, value in
      // The text is compared in folded case.
      let name = names[column] ?? column.replacing(/^folded/, with: "").lowercased()
      let text = String.fromDatabaseValue(value) ?? "\(value)"
      return "\(name) \(text.cut(to: 80).escapedForDisplay)"
    }
    return "the \(singular) \(id) has the same \(pairs.joined(separator: " and "))"
  }
}
