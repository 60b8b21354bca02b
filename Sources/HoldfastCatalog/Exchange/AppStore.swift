package import Foundation
import GRDB
package import HoldfastModel

/// A copy of an app's store: an SQLite database as Core Data and SwiftData make it.
///
/// The store is untrusted. Only plain tables are read: a view could run for ever.
package enum AppStore {
  /// The most rows that are read.
  private static let mostRows = 500_000
  /// The most bytes of texts and blobs that are read.
  private static let mostBytes = 1 << 30
  /// The system's own tables.
  private static let systemTables: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// Reads the rows of some entities, and counts those of the others.
  ///
  /// - Parameters:
  ///   - path: The copy, with its `-wal` beside it.
  ///   - entities: The entities to read, by `AppRows.fold(_:)`.
  ///   - external: Returns a value that the store keeps in a file of its own, by the file's name
  ///     and the most bytes to read; `nil` if the file is missing.
  /// - Throws: `RuleError` if the file is not such a store or exceeds a limit; `HoldfastError` if
  ///   it is damaged.
  package static func rows(
    at path: String, of entities: Set<String>,
    external: (_ name: String, _ limit: Int64) throws -> Data?
  ) throws -> AppRows {
    try reading(path) { db in
      var rows = AppRows()
      var budget = (rows: mostRows, bytes: mostBytes)
      for (table, entity) in try tables(db) {
        let name = table.quotedDatabaseIdentifier
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name)") ?? 0
        guard entities.contains(AppRows.fold(entity)) else {
          rows.leaveOut(count, of: entity)
          continue
        }
        budget.rows -= count
        guard budget.rows >= 0 else {
          throw RuleError("has more than \(mostRows) rows, the most that are read")
        }
        rows.add(try fields(of: name, &budget.bytes, external, db), of: entity)
      }
      return rows
    }
  }

  /// Reads the list of files of a phone's backup.
  ///
  /// - Parameter path: The copy of its `Manifest.db`.
  /// - Returns: For each domain that an app may have, its files' IDs by their paths.
  /// - Throws: `RuleError` if the file is not such a list or exceeds a limit; `HoldfastError` if it
  ///   is damaged.
  package static func backedUpFiles(at path: String) throws -> [String: [String: String]] {
    try reading(path) { db in
      guard try plainTables(db).contains("Files") else {
        throw RuleError("is not the list of a phone's backup: it has no table Files")
      }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT domain, relativePath, fileID FROM Files
          WHERE flags = 1 AND (domain LIKE 'AppDomain%' OR domain = 'MediaDomain')
            AND (relativePath LIKE 'Documents/%' OR relativePath LIKE '%default.store%'
              OR relativePath LIKE '%Recordings/%'
              OR relativePath LIKE '%_SUPPORT/_EXTERNAL_DATA/%')
          LIMIT \(mostRows)
          """)
      var files: [String: [String: String]] = [:]
      while let row = try rows.next() {
        guard let domain = String.fromDatabaseValue(row[0]),
          let path = String.fromDatabaseValue(row[1]), let id = String.fromDatabaseValue(row[2]),
          id.utf8.count == 40, id.allSatisfy(\.isHexDigit)
        else { continue }
        files[domain, default: [:]][path] = id
      }
      return files
    }
  }

  private static func reading<Value>(
    _ path: String, _ body: (Database) throws -> Value
  ) throws -> Value {
    var configuration = Configuration()
    configuration.label = "App store"
    configuration.prepareDatabase { db in
      try db.harden()
      // Without shared memory, so that no further file is made.
      try db.execute(
        sql: """
          PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
          PRAGMA cell_size_check = ON; PRAGMA synchronous = OFF
          """)
    }
    do {
      let queue = try DatabaseQueue(checkedAt: path, configuration)
      return try queue.read { db in
        guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
          throw HoldfastError(.damaged, "is damaged")
        }
        return try body(db)
      }
    } catch let error as DatabaseError {
      guard error.resultCode != .SQLITE_CORRUPT else { throw HoldfastError(.damaged, "is damaged") }
      throw refusal(error)
    }
  }

  private static func refusal(_ error: DatabaseError) -> RuleError {
    switch error.resultCode {
    case .SQLITE_NOTADB: RuleError("is not an SQLite store, or is encrypted")
    case .SQLITE_TOOBIG: RuleError("has a value of more than \(Catalog.longestRow >> 20) MiB")
    default: RuleError("cannot be read (\((error.message ?? "\(error.resultCode)").cut(to: 80)))")
    }
  }

  private static func plainTables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        LIMIT 2000
        """)
  }

  /// Returns the tables of entities, with the entities' names.
  private static func tables(_ db: Database) throws -> [(table: String, entity: String)] {
    let tables = try plainTables(db)
    var names: [String: String] = [:]
    if tables.contains("Z_PRIMARYKEY") {
      for name in try String.fetchAll(db, sql: "SELECT Z_NAME FROM Z_PRIMARYKEY LIMIT 2000") {
        names["Z" + name.uppercased()] = name
      }
    }
    let entities = tables.filter {
      $0.hasPrefix("Z") && !$0.hasPrefix("Z_") && !systemTables.contains($0)
    }
    guard !entities.isEmpty else {
      throw RuleError("is not a store of an app: it has no tables of Core Data")
    }
    return entities.map { ($0, names[$0.uppercased()] ?? String($0.dropFirst())) }
  }

  private static func fields(
    of table: String, _ budget: inout Int,
    _ external: (_ name: String, _ limit: Int64) throws -> Data?, _ db: Database
  ) throws -> [AppRows.Fields] {
    // A generated column could take any time.
    let columns = try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(table))").compactMap { row in
      Int.fromDatabaseValue(row["hidden"]) == 0 ? String.fromDatabaseValue(row["name"]) : nil
    }.filter { $0.uppercased().hasPrefix("Z") && !$0.contains("\"") }
    guard !columns.isEmpty else { return [] }
    let names = columns.map { column in
      column.uppercased().hasPrefix("Z_") ? nil : String(column.dropFirst()).lowercased()
    }
    let key = columns.firstIndex { $0.uppercased() == "Z_PK" }
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let rows = try Row.fetchCursor(db, sql: "SELECT \(list) FROM \(table)")
    var fields: [AppRows.Fields] = []
    while let row = try rows.next() {
      var values: [String: AppValue] = [:]
      var missing: Set<String> = []
      for (name, value) in zip(names, row.databaseValues) {
        guard let name else { continue }
        var read = try Self.value(value, &budget)
        if let file = externalName(read) {
          if let data = try external(file, Int64(budget)) {
            read = .bytes(Data([1]) + data)
          } else if UUID(uuidString: file) != nil {
            read = .null
            missing.insert(name)
          }
        }
        if case .bytes(let data) = read { budget -= data.count }
        values[name] = read
      }
      let number = key.flatMap { Int.fromDatabaseValue(row[$0]) }
      fields.append(AppRows.Fields(values, number: number, missing: missing))
    }
    return fields
  }

  private static func value(_ value: DatabaseValue, _ budget: inout Int) throws -> AppValue {
    switch value.storage {
    case .null: return .null
    case .int64(let number): return .number(Double(number))
    case .double(let number): return .number(number)
    case .string(let text):
      budget -= text.utf8.count
      guard budget >= 0 else { throw tooMuch }
      return .text(text)
    case .blob(let data):
      guard data.count <= budget else { throw tooMuch }
      return .bytes(data)
    }
  }

  /// Returns the name of the file with a value that is not in the store: the bytes after a first 2.
  private static func externalName(_ value: AppValue) -> String? {
    guard case .bytes(let data) = value, data.first == 2, data.count <= 128 else { return nil }
    let name = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return name.wholeMatch(of: /[0-9A-Za-z_-]+/) == nil ? nil : name
  }

  private static let tooMuch = RuleError(
    "has more than \(mostBytes >> 20) MiB of texts and data, the most that are read")
}
