import GRDB

/// Reads the records on single pages of a damaged database.
///
/// It has its own tables, with the definitions of the damaged ones, and points a table at the page
/// to read. SQLite then treats that page as the whole table.
struct SalvageReader {
  struct Table {
    var name: String
    var columns: [String]
    /// The columns of its key, if it has no `rowid`.
    var key: [String]
    var hasRowID: Bool
    /// The places of the columns with a text that may not be NULL.
    var texts: [Int]
  }

  private let db: Database
  private(set) var tables: [Table] = []

  /// The table with the definitions of the others, which SQLite keeps itself.
  static let schema = "salvagedSchema"

  /// - Parameters:
  ///   - db: A database of ``DatabasePages/rearrange()``.
  ///   - definitions: The statements that make the tables.
  init(_ db: Database, _ definitions: [String]) throws {
    self.db = db
    try db.execute(
      sql: """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        CREATE TABLE IF NOT EXISTS \(Self.schema) (type, name, tbl_name, rootpage, sql);
        """)
    for sql in definitions { try db.execute(sql: sql) }
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
        """)
    for name in names {
      let isRowless = try Bool.fetchOne(
        db, sql: "SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'",
        arguments: [name])
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, pk, type, \"notnull\" FROM pragma_table_info(?)", arguments: [name])
      let key = columns.filter { ($0["pk"] as Int?) ?? 0 > 0 }
        .sorted { ($0["pk"] as Int) < ($1["pk"] as Int) }
      tables.append(
        Table(
          name: name, columns: columns.map { $0["name"] },
          key: isRowless == true ? key.map { $0["name"] } : ["_rowid_"],
          hasRowID: isRowless != true,
          texts: columns.indices.filter { index in
            (columns[index]["type"] as String?) == "TEXT" && columns[index]["notnull"] == 1
          }))
    }
    try db.execute(sql: "PRAGMA writable_schema = ON")
  }

  func table(_ name: String) -> Table? { tables.first { $0.name == name } }

  /// Returns the rows on a page that can be read as rows of a table.
  ///
  /// After an unreadable record, it reads from the other end, and then record by record and column
  /// by column. A value that cannot be read is NULL.
  func rows(of table: Table, on page: Int) throws -> [[DatabaseValue]] {
    try db.execute(
      sql: "UPDATE sqlite_schema SET rootpage = ? WHERE type = 'table' AND name = ?",
      arguments: [page, table.name])
    // SQLite reads the schema again.
    try db.execute(sql: "PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON")
    let source = "FROM \(table.name)" + (table.hasRowID ? " NOT INDEXED" : "")
    let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    var (rows, isWhole) = read("SELECT \(columns) \(source)")
    if isWhole { return rows }
    let order = table.key.map { "\($0) DESC" }.joined(separator: ", ")
    rows += read("SELECT \(columns) \(source) ORDER BY \(order)").rows
    let keys = table.key.joined(separator: ", ")
    let found =
      read("SELECT \(keys) \(source)").rows
      + read("SELECT \(keys) \(source) ORDER BY \(order)").rows
    let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
    for key in found {
      rows.append(
        table.columns.map { column in
          read(
            "SELECT \(column.quotedDatabaseIdentifier) \(source) WHERE \(condition)", key
          ).rows.first?.first ?? .null
        })
    }
    return rows
  }

  /// Returns the rows before the first unreadable one, and whether these are all.
  private func read(
    _ sql: String, _ arguments: [DatabaseValue] = []
  ) -> (rows: [[DatabaseValue]], isWhole: Bool) {
    var rows: [[DatabaseValue]] = []
    do {
      let cursor = try Row.fetchCursor(db, sql: sql, arguments: StatementArguments(arguments))
      while let row = try cursor.next() { rows.append(Array(row.databaseValues)) }
      return (rows, true)
    } catch {
      return (rows, false)
    }
  }
}
