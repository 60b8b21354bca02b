import Foundation
import GRDB
import HoldfastModel

struct SalvageReport {
  /// The library that the damaged catalog named; `nil` if that cannot be read.
  var library: UUID?
  /// Whether all journals were enabled, because the damaged catalog does not show which ones were.
  var guessesJournals = false
}

/// Makes a catalog from the readable parts of a damaged one.
///
/// It visits every page of the damaged file. Where the schema can still be read, a page's table is
/// known. The records of other pages go to each table that accepts them.
struct Salvage {
  private let journals: [Journal]
  /// A catalog of the damaged one's version.
  private let reference: DatabaseQueue

  // MARK: The new catalog

  /// Makes a new catalog at `path`, which is an empty file.
  ///
  /// - Parameter damaged: A copy of the damaged file, which is rearranged; `nil` for none.
  static func run(
    _ damaged: String?, to path: String, library: UUID, journals: [Journal]
  ) throws -> SalvageReport {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let new = try DatabaseQueue(checkedAt: path, configuration)
    var report = SalvageReport()
    if let damaged {
      report = try DamagedCatalog(damaged, journals).salvage(into: new, configuration)
    } else {
      try Salvage(versions: [], journals).makeTables(in: new)
    }
    try new.writeWithoutTransaction { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO library (onlyRow, uuid, formatVersion) VALUES (1, ?, ?)",
        arguments: [library.uuidString, Catalog.formatVersion])
      // The new file holds nothing that was deleted.
      if try db.columns(in: "library").contains(where: { $0.name == "compactionDue" }) {
        try db.execute(sql: "UPDATE library SET compactionDue = 0")
      }
    }
    try new.close()
    return report
  }

  /// - Parameter versions: The migrations of the damaged catalog, as far as they are known.
  init(versions: Set<String>, _ journals: [Journal]) throws {
    self.journals = journals
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    let core = Schema.migrator.migrations
    try Schema.migrator.migrate(queue, upTo: core.last(where: versions.contains) ?? core.last ?? "")
    try queue.writeWithoutTransaction { db in
      for journal in journals {
        guard let last = journal.identifiers.lastIndex(where: versions.contains) else { continue }
        for (identifier, sql) in zip(journal.identifiers, journal.migrations).prefix(last + 1) {
          try db.run(sql, as: identifier)
        }
      }
    }
    reference = queue
  }

  func tables() throws -> [String] {
    try objects().filter { $0.type == "table" && $0.name?.hasPrefix("sqlite_") != true }
      .compactMap(\.sql)
  }

  private func objects() throws -> Set<Schema.Object> { try reference.unsafeRead(Schema.objects) }

  /// Makes the tables, and the rows that every catalog has, around the rows that `fill` inserts.
  func makeTables(
    in new: DatabaseQueue, _ fill: (Database) throws -> Void = { _ in }
  ) throws {
    let objects = try objects()
    try new.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
          PRAGMA application_id = \(Schema.applicationID);
          """)
      try db.inTransaction {
        for sql in try tables() { try db.execute(sql: sql) }
        try fill(db)
        for table in ["grdb_migrations", "message", "wordGeneration"] {
          try copyMissing(table, to: db)
        }
        // Indexes and triggers come last, so that rows that are inserted before do not count as
        // changes.
        for sql in objects.filter({ $0.type != "table" }).compactMap(\.sql) {
          try db.execute(sql: sql)
        }
        return .commit
      }
    }
  }

  /// Copies the rows that every catalog of this version has, unless they exist.
  private func copyMissing(_ table: String, to db: Database) throws {
    let rows = try reference.unsafeRead { reference in
      try reference.tableExists(table)
        ? Row.fetchAll(reference, sql: "SELECT * FROM \(table)") : []
    }
    for row in rows {
      let places = row.map { _ in "?" }.joined(separator: ", ")
      try db.execute(
        sql: "INSERT OR IGNORE INTO \(table) VALUES (\(places))",
        arguments: StatementArguments(row.databaseValues))
    }
  }
}
