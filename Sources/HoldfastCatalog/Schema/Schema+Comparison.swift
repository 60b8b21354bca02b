internal import GRDB
internal import HoldfastModel
internal import HoldfastSupport

/// Checks that a catalog's schema is the one that the migrations make.
///
/// A trigger that somebody added can delete anything whenever a play is counted. A view in the
/// place of a table can run for ever. SQLite's own checks find neither.
extension Schema {
  /// A table, index, view or trigger as SQLite stores it.
  private struct Object: Hashable, FetchableRecord {
    let type: String?
    let name: String?
    let sql: String?

    init(row: Row) {
      type = String.fromDatabaseValue(row[0])
      name = String.fromDatabaseValue(row[1])
      sql = String.fromDatabaseValue(row[2])
    }

    var description: String { "\(type ?? "something") \(name ?? "without a name")" }
  }

  /// Returns an object by which the schema of `db` differs from what its migrations make.
  ///
  /// - Returns: A description of an object that is there but should not be, or the reverse. `nil`
  ///   if there is none, or if a newer Holdfast made the schema.
  static func foreignObject(in db: Database) throws -> String? {
    // Making another catalog to compare with takes longer than most commands.
    if try fingerprint(of: db) == newestFingerprint { return nil }
    let newest = try objects(after: migrator.migrations.last)
    var foreign: String?
    // One snapshot, because somebody may be migrating the catalog right now.
    try db.inTransaction(.deferred) {
      foreign = try foreignObject(in: db, newest: newest)
      return .commit
    }
    return foreign
  }

  /// Returns the SHA-256 of the schema of `db`.
  ///
  /// It covers the type, name and statement of each object, as SQL quotes them, sorted.
  static func fingerprint(of db: Database) throws -> String? {
    let lines = try String.fetchAll(
      db,
      sql: """
        SELECT quote(type) || ',' || quote(name) || ',' || quote(sql) \(fromOwnObjects) ORDER BY 1
        """)
    return SHA256.hash(Array(lines.joined(separator: "\n").utf8)).hexadecimal
  }

  private static func foreignObject(in db: Database, newest: Set<Object>) throws -> String? {
    let objects = try objects(in: db)
    guard objects != newest else { return nil }
    // The table that names the migrations is read next, so it must be genuine.
    let foreign = objects.subtracting(newest)
    if let migrations = foreign.first(where: { $0.name?.lowercased() == "grdb_migrations" }) {
      return migrations.description
    }
    guard try !migrator.hasBeenSuperseded(db) else { return nil }
    let applied = try migrator.appliedIdentifiers(db)
    let expected = try self.objects(after: migrator.migrations.last(where: applied.contains))
    return objects.symmetricDifference(expected).map(\.description).min()
  }

  private static func objects(after migration: String?) throws -> Set<Object> {
    guard let migration else { return [] }
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: migration)
    return try queue.unsafeRead(objects)
  }

  private static func objects(in db: Database) throws -> Set<Object> {
    try Object.fetchSet(db, sql: "SELECT type, name, sql \(fromOwnObjects)")
  }

  /// Everything except the tables of ANALYZE.
  private static let fromOwnObjects = """
    FROM sqlite_schema WHERE type <> 'table' OR name NOT LIKE 'sqlite^_stat_' ESCAPE '^'
    """
}
