internal import CLinux
internal import GRDB

/// What stands in a catalog's file although it belongs to no row.
public struct CatalogTraces: Hashable, Sendable {
  /// Whether something was deleted since the catalog was last compacted.
  public var isCompactionDue: Bool
  /// How many bytes of text stand between the rows, in unused space and in unused pages.
  ///
  /// That there are such pages says nothing: a note that became shorter leaves them, overwritten.
  public var textBytes: Int
  /// Whether there may be more of it: it did not look further.
  public var isMore: Bool
  /// How many bytes the file should have.
  public var fileSize: Int64
}

extension Catalog {
  /// Copies the catalog into memory, page by page as it is, unused space and all.
  ///
  /// The caller holds the library's writer lock: this is one long read.
  ///
  /// - Throws: ``CatalogError``.
  public func copy() throws(CatalogError) -> CatalogCopy {
    let isCompactionDue = try isCompactionDue()
    return try read { db in
      try CatalogCopy(of: db, name: name, isCompactionDue: isCompactionDue)
    }
  }
}

/// A catalog as it was at one moment, in memory.
@safe public final class CatalogCopy {
  private let name: String
  private let isCompactionDue: Bool
  /// The pages, in SQLite's memory.
  private let bytes: UnsafeMutableRawBufferPointer

  /// The corresponding C function is `sqlite3_serialize`.
  fileprivate init(of db: Database, name: String, isCompactionDue: Bool) throws {
    var count: Int64 = 0
    guard let bytes = unsafe clinux_sqlite3_serialize(db.sqliteConnection, &count) else {
      throw DatabaseError(resultCode: .SQLITE_NOMEM)
    }
    unsafe self.bytes = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    self.name = name
    self.isCompactionDue = isCompactionDue
  }

  deinit { unsafe sqlite3_free(bytes.baseAddress) }

  /// Looks for what was deleted and may still be found in the catalog's file.
  ///
  /// ``ForeignText`` compares the file with what the rows hold. That takes as much memory as the file has
  /// bytes, about half as much for the rows, and a quarter for their index.
  ///
  /// - Throws: ``CatalogError``, also when the file is too damaged to be read.
  public func traces() throws(CatalogError) -> CatalogTraces {
    let rows = try catalogErrors(name) { try readRows() }
    let file = unsafe UnsafeRawBufferPointer(bytes)
    let text = unsafe rows.withUnsafeBytes { (rows: UnsafeRawBufferPointer) -> ForeignText in
      unsafe ForeignText(in: file, notIn: rows)
    }
    return CatalogTraces(
      isCompactionDue: isCompactionDue, textBytes: text.bytes, isMore: text.isMore,
      fileSize: Int64(file.count))
  }

  /// What the rows of all tables hold, as SQLite stores it: the columns of a row one after the other.
  private func readRows() throws -> [UInt8] {
    let queue = try DatabaseQueue(configuration: .catalog(.reading))
    return try queue.unsafeRead { db in
      let pages = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let code = unsafe clinux_sqlite3_deserialize(db.sqliteConnection, pages, Int64(bytes.count))
      guard code == ResultCode.SQLITE_OK.rawValue else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
      db.clearSchemaCache()
      var rows: [UInt8] = []
      // Memory that is reserved and not used costs nothing.
      unsafe rows.reserveCapacity(bytes.count)
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      for table in ["sqlite_schema"] + tables {
        let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier)"
        try append(try db.makeStatement(sql: sql), to: &rows)
      }
      return rows
    }
  }

  /// Appends every row that a statement answers.
  private func append(_ statement: Statement, to rows: inout [UInt8]) throws {
    let handle = unsafe statement.sqliteStatement
    defer { unsafe sqlite3_reset(handle) }
    while true {
      let code = unsafe sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        if code == SQLITE_DONE { return }
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
      for column in unsafe 0..<sqlite3_column_count(handle) {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_TEXT, SQLITE_BLOB:
          let value = unsafe sqlite3_column_blob(handle, column)
          let count = Int(unsafe sqlite3_column_bytes(handle, column))
          unsafe rows.append(contentsOf: UnsafeRawBufferPointer(start: value, count: count))
        case SQLITE_FLOAT:
          // Eight bytes that may all look like letters.
          let bits = unsafe sqlite3_column_double(handle, column).bitPattern.bigEndian
          unsafe withUnsafeBytes(of: bits) { unsafe rows.append(contentsOf: $0) }
        default: continue
        }
      }
      rows.append(0)
    }
  }
}
