import CLinux
import GRDB

/// What a catalog's file still holds although it belongs to no row.
package struct CatalogTraces: Hashable, Sendable {
  /// Whether a row was deleted, or text was replaced, since the catalog was last compacted.
  package var isCompactionDue: Bool
  /// The number of bytes of text between the rows, in unused space and in unused pages.
  ///
  /// Unused pages alone mean nothing: a change of the schema leaves some, overwritten.
  package var textBytes: Int
  /// Whether there may be more such text, because the search stopped.
  package var isMore: Bool
  /// The size in bytes that the file should have.
  package var fileSize: Int64
}

/// A catalog in memory, as it was at one moment.
@safe package final class CatalogCopy {
  private let name: String
  private let isCompactionDue: Bool
  /// The pages, in SQLite's memory.
  private let bytes: UnsafeMutableRawBufferPointer

  /// Copies a catalog into memory, page by page, including unused space.
  ///
  /// The caller holds the library's writer lock, because this is one long read. The corresponding C
  /// function is `sqlite3_serialize`.
  ///
  /// - Throws: ``CatalogError``, also when there is too little memory.
  package init(of catalog: Catalog) throws(CatalogError) {
    name = catalog.name
    isCompactionDue = try catalog.compaction.isDue()
    unsafe bytes = try unsafe catalog.read { db in
      var count: Int64 = 0
      guard let bytes = unsafe clinux_sqlite3_serialize(db.sqliteConnection, &count) else {
        throw DatabaseError(resultCode: .SQLITE_NOMEM)
      }
      return unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    }
  }

  deinit { unsafe sqlite3_free(bytes.baseAddress) }

  /// Looks for deleted text that can still be found in the catalog's file.
  ///
  /// ``ForeignText`` compares the file with the contents of the rows. That takes as much memory as
  /// the file is large, about half as much for the rows, and a quarter for their index.
  package func traces() throws(CatalogError) -> CatalogTraces {
    let rows = try catalogErrors(name) { try readRows() }
    let file = unsafe UnsafeRawBufferPointer(bytes)
    let text = unsafe rows.withUnsafeBytes { (rows: UnsafeRawBufferPointer) -> ForeignText in
      unsafe ForeignText(in: file, notIn: rows)
    }
    return CatalogTraces(
      isCompactionDue: isCompactionDue, textBytes: text.bytes, isMore: text.isMore,
      fileSize: Int64(file.count))
  }

  /// Returns the contents of all rows of all tables, as SQLite stores them: the columns of a row
  /// one after the other.
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
      // Memory that is reserved but not used costs nothing.
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
          // A number has eight bytes, which may all look like letters.
          let bits = unsafe sqlite3_column_double(handle, column).bitPattern.bigEndian
          unsafe withUnsafeBytes(of: bits) { unsafe rows.append(contentsOf: $0) }
        default: continue
        }
      }
      rows.append(0)
    }
  }
}
