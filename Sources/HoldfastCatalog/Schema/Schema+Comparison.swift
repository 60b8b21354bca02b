import GRDB
import HoldfastModel
import HoldfastSupport
import Synchronization

/// Checks that a catalog's schema is the one that the migrations make.
///
/// A trigger that another program added can delete anything whenever a play is counted. A view in
/// place of a table can run for ever. SQLite's own checks find neither.
extension Schema {
  /// A table, index, view or trigger as SQLite stores it.
  struct Object: Hashable, FetchableRecord {
    let type: String?
    let name: String?
    let sql: String?
    /// The table that it belongs to, in small letters, because SQLite's names have no case.
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

    /// Whether it belongs to a table that every catalog has.
    var isOfCore: Bool { Registry.coreTables.contains(table) }

    var description: String { "\(type ?? "something") \(name ?? "without a name")" }
  }

  /// Returns an object that differs between the schema of `db` and its migrations' result.
  ///
  /// - Parameter journals: The journals that the program knows. The tables and indexes of other
  ///   enabled journals cannot be checked. They are harmless as long as nothing is written.
  /// - Returns: A description of an object that should not exist, or that is missing; `nil` if the
  ///   schema matches, or if a newer Holdfast made it.
  static func foreignObject(in db: Database, _ journals: [Journal]) throws -> String? {
    if try isNewest(objects(in: db), in: db, journals: journals) { return nil }
    // Before the snapshot, because this takes longer than most commands.
    for journal in journals { _ = try? self.objects(of: journal) }
    var foreign: String?
    // One snapshot, because another process may be migrating the catalog right now.
    try db.inTransaction(.deferred) {
      foreign = try foreignObject(within: db, journals)
      return .commit
    }
    return foreign
  }

  /// Returns whether the fingerprints of the objects match the newest core and the newest version
  /// of each enabled journal. They nearly always do, and this is quick.
  private static func isNewest(
    _ objects: Set<Object>, in db: Database, journals: [Journal]
  ) throws -> Bool {
    let core = objects.filter(\.isOfCore)
    guard fingerprint(of: core) == newestFingerprint else { return false }
    var rest = objects.subtracting(core)
    if rest.isEmpty { return true }
    let state = try JournalState(of: db, journals)
    guard state.missing.isEmpty else { return false }
    for journal in state.enabled {
      let tables = Set(journal.tables.map { $0.lowercased() })
      let own = rest.filter { tables.contains($0.table) }
      guard fingerprint(of: own) == journal.fingerprint else { return false }
      rest.subtract(own)
    }
    return rest.isEmpty
  }

  /// Does the same as ``foreignObject(in:_:)`` within a transaction.
  static func foreignObject(within db: Database, _ journals: [Journal]) throws -> String? {
    let objects = try objects(in: db)
    let core = objects.filter(\.isOfCore)
    if fingerprint(of: core) != newestFingerprint {
      let newest = try coreObjects(after: migrator.migrations.last)
      // The table that names the migrations is read next, so it must be genuine.
      let foreign = core.subtracting(newest)
      if let migrations = foreign.first(where: { $0.name?.lowercased() == "grdb_migrations" }) {
        return migrations.description
      }
      guard try !JournalState(of: db, journals).isCoreNewer else { return nil }
      let applied = try migrator.appliedIdentifiers(db)
      let expected = try coreObjects(after: migrator.migrations.last(where: applied.contains))
      if let foreign = core.symmetricDifference(expected).map(\.description).min() {
        return foreign
      }
    }
    return try foreignObject(
      among: objects.subtracting(core), state: JournalState(of: db, journals), in: db)
  }

  /// Returns an object that belongs to no table of the core and to no journal.
  private static func foreignObject(
    among objects: Set<Object>, state: JournalState, in db: Database
  ) throws -> String? {
    if state.isCoreNewer { return nil }
    let applied = try migrator.appliedIdentifiers(db)
    var rest = objects
    for journal in state.enabled {
      let count = journal.identifiers.count(where: applied.contains)
      let expected = try self.objects(of: journal, count: count)
      let tables = Set(expected.map(\.table))
      let own = rest.filter { tables.contains($0.table) }
      if let foreign = own.symmetricDifference(expected).map(\.description).min() {
        return "\(foreign) of the journal \"\(journal.name)\""
      }
      rest.subtract(own)
    }
    if !state.unknown.isEmpty { rest = rest.filter { $0.type != "table" && $0.type != "index" } }
    return rest.map(\.description).min()
  }

  /// Returns the SHA-256 of a schema: of the type, name and statement of each object, as SQL quotes
  /// them, sorted.
  static func fingerprint(of objects: some Sequence<Object>) -> String {
    let lines = objects.map { $0.quoted ?? "" }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    return SHA256.hash(Array(lines.joined(separator: "\n").utf8)).hexadecimal
  }

  /// Returns the first migration of the core after which the schema has the most of these
  /// statements; `nil` if it never has any.
  static func version(with statements: Set<String>) throws -> String? {
    var best: (version: String, count: Int)?
    for version in migrator.migrations {
      let count = try Set(coreObjects(after: version).compactMap(\.sql))
        .intersection(statements).count
      if count > best?.count ?? 0 { best = (version, count) }
    }
    return best?.version
  }

  private static func coreObjects(after migration: String?) throws -> Set<Object> {
    guard let migration else { return [] }
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: migration)
    return try queue.unsafeRead(objects)
  }

  /// The results of journals' migrations, by their statements.
  private static let made = Mutex<[[String]: Set<Object>]>([:])

  /// Returns the objects that a journal's migrations make.
  ///
  /// - Parameter count: How many of the migrations to run; `nil` for all.
  static func objects(of journal: Journal, count: Int? = nil) throws -> Set<Object> {
    let statements = Array(journal.migrations.prefix(count ?? .max))
    if let known = made.withLock({ $0[statements] }) { return known }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    // A migration may read recordings, but this is rare.
    let objects: Set<Object>
    do {
      objects = try queue.write { db in
        for sql in statements { try db.execute(sql: sql) }
        return try self.objects(in: db)
      }
    } catch {
      try migrator.migrate(queue)
      objects = try queue.write { db in
        for sql in statements { try db.execute(sql: sql) }
        return try self.objects(in: db).filter { !$0.isOfCore }
      }
    }
    made.withLock { $0[statements] = objects }
    return objects
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
