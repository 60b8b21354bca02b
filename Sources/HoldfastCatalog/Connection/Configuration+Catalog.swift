import CSQLite
import Foundation
import GRDB

extension Configuration {
  static func catalog(
    _ access: Catalog.Access, waiting wait: CatalogWait = CatalogWait()
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "Catalog"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = wait.busyMode(access)
    let isTraced = ProcessInfo.processInfo.environment["HOLDFAST_TRACE_SQL"] != nil
    configuration.prepareDatabase { db in
      if isTraced { db.traceToStandardError() }
      try db.harden()
      // After a power cut, the journal of a transaction that was reported as done must not come
      // back. EXTRA syncs the folder after the journal is unlinked.
      try db.execute(sql: "PRAGMA synchronous = EXTRA")
      // Deleted data is overwritten, not only unlinked from its page.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // Sorting never writes rows to a temporary file outside the library.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      if access == .reading { try db.execute(sql: "PRAGMA query_only = ON") }
    }
    return configuration
  }
}

extension Database {
  /// Prints every statement with its values, to help find a slow one.
  fileprivate func traceToStandardError() {
    trace { event in
      try? FileHandle.standardError.write(contentsOf: Data("\(event.expandedDescription);\n".utf8))
    }
  }

  /// Runs `body`, which may write to `sqlite_schema`, and reads the schema again.
  ///
  /// For everything else, `DEFENSIVE` forbids that.
  func allowingSchemaWrites(_ body: () throws -> Void) throws {
    let connection = unsafe sqliteConnection
    guard unsafe holdfast_sqlite_set_defensive(connection, 0) == ResultCode.SQLITE_OK.rawValue
    else {
      throw DatabaseError(resultCode: .SQLITE_ERROR)
    }
    defer { _ = unsafe holdfast_sqlite_set_defensive(connection, 1) }
    let version = try Int.fetchOne(self, sql: "PRAGMA schema_version") ?? 0
    try execute(sql: "PRAGMA writable_schema = ON")
    do {
      try body()
    } catch {
      try? execute(sql: "PRAGMA writable_schema = OFF")
      throw error
    }
    // Other connections read the schema again when this number changes, and this one with RESET.
    try execute(sql: "PRAGMA schema_version = \(version + 1); PRAGMA writable_schema = RESET")
  }

  /// Switches `DEFENSIVE` on and `TRUSTED_SCHEMA` off, and limits the length of rows, as SQLite
  /// advises for untrusted files.
  ///
  /// - SeeAlso: https://sqlite.org/security.html
  func harden() throws {
    let connection = unsafe sqliteConnection
    for code in unsafe [
      holdfast_sqlite_set_defensive(connection, 1), holdfast_sqlite_distrust_schema(connection),
    ] where code != ResultCode.SQLITE_OK.rawValue {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    unsafe holdfast_sqlite_limit_length(connection, CInt(Catalog.longestRow))
  }
}

extension Catalog {
  /// The most bytes of a row, and of a text or blob in it. The longest is a drawing of 5 MiB.
  static let longestRow = 64 << 20
}
