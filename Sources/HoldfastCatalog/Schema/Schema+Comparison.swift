internal import GRDB
internal import HoldfastModel
internal import HoldfastSupport

/// Checks that a catalog's schema is the one that the migrations make.
///
/// A trigger that somebody added can delete anything whenever a play is counted. A view in the
/// place of a table can run for ever. SQLite's own checks find neither.
extension Schema {
  /// A table, index, view or trigger as SQLite stores it.
  struct Object: Hashable, FetchableRecord {
    let type: String?
    let name: String?
    let sql: String?
    /// The table to which it belongs, in small letters: SQLite's names have no case.
    let table: String
    /// Its type, name and statement, as SQL quotes them.
    let quoted: String?

    init(row: Row) {
      type = String.fromDatabaseValue(row[0])
      name = String.fromDatabaseValue(row[1])
      sql = String.fromDatabaseValue(row[2])
      table = String.fromDatabaseValue(row[3])?.lowercased() ?? ""
      quoted = String.fromDatabaseValue(row[4])
    }

    var description: String { "\(type ?? "something") \(name ?? "without a name")" }
  }

  /// Returns an object by which the schema of `db` differs from what its migrations make.
  ///
  /// - Parameter journals: The journals that the program knows. If others are enabled, their tables
  ///   and indexes cannot be compared with anything. They are harmless as long as nothing is written.
  /// - Returns: A description of an object that is there but should not be, or the reverse. `nil`
  ///   if there is none, or if a newer Holdfast made the schema.
  static func foreignObject(in db: Database, _ journals: [Journal]) throws -> String? {
    // Making another catalog to compare with takes longer than most commands.
    if try fingerprint(of: objects(in: db)) == newestFingerprint { return nil }
    let newest = try objects(after: migrator.migrations.last)
    var foreign: String?
    // One snapshot, because somebody may be migrating the catalog right now.
    try db.inTransaction(.deferred) {
      foreign = try foreignObject(in: db, journals, newest: newest)
      return .commit
    }
    return foreign
  }

  /// Returns the SHA-256 of a schema: of the type, name and statement of each object, as SQL quotes
  /// them, sorted.
  static func fingerprint(of objects: some Sequence<Object>) -> String {
    let lines = objects.map { $0.quoted ?? "" }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    return SHA256.hash(Array(lines.joined(separator: "\n").utf8)).hexadecimal
  }

  private static func foreignObject(
    in db: Database, _ journals: [Journal], newest: Set<Object>
  ) throws -> String? {
    let objects = try objects(in: db)
    // The table that names the migrations is read next, so it must be genuine.
    let foreign = objects.subtracting(newest)
    if let migrations = foreign.first(where: { $0.name?.lowercased() == "grdb_migrations" }) {
      return migrations.description
    }
    let state = try JournalState(of: db, journals)
    guard !state.isCoreNewer else { return nil }
    let applied = try migrator.appliedIdentifiers(db)
    var expected = try self.objects(after: migrator.migrations.last(where: applied.contains))
    let coreTables = Set(expected.map(\.table))
    for journal in state.enabled {
      expected.formUnion(
        try self.objects(of: journal, count: journal.identifiers.count(where: applied.contains)))
    }
    let expectedTables = Set(expected.map(\.table))
    return objects.symmetricDifference(expected).filter { object in
      let isOfUnknownJournal =
        !state.unknown.isEmpty && !expectedTables.contains(object.table)
        && (object.type == "table" || object.type == "index")
      return !isOfUnknownJournal
    }.map { object in
      let owner = state.enabled.first { journal in
        !coreTables.contains(object.table)
          && journal.tables.contains { $0.lowercased() == object.table }
      }
      return object.description + (owner.map { " of the journal \"\($0.name)\"" } ?? "")
    }.min()
  }

  private static func objects(after migration: String?) throws -> Set<Object> {
    guard let migration else { return [] }
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: migration)
    return try queue.unsafeRead(objects)
  }

  /// Returns the objects that a journal's migrations make.
  ///
  /// - Parameter count: How many of the migrations to run; `nil` for all.
  static func objects(of journal: Journal, count: Int? = nil) throws -> Set<Object> {
    try DatabaseQueue().write { db in
      for sql in journal.migrations.prefix(count ?? .max) { try db.execute(sql: sql) }
      return try objects(in: db)
    }
  }

  static func objects(in db: Database) throws -> Set<Object> {
    // Everything except the tables of ANALYZE.
    try Object.fetchSet(
      db,
      sql: """
        SELECT type, name, sql, tbl_name, quote(type) || ',' || quote(name) || ',' || quote(sql)
        FROM sqlite_schema WHERE type <> 'table' OR name NOT LIKE 'sqlite^_stat_' ESCAPE '^'
        """)
  }
}
