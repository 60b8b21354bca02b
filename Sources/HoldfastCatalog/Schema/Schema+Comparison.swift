internal import Crypto
internal import GRDB
internal import HoldfastModel

/// Whether a catalog's schema is the one that the migrations make.
///
/// A trigger that somebody added deletes what it likes whenever a play is counted, and a view in a
/// table's place can go on for ever; nothing that SQLite checks finds fault with either.
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

  /// What the schema of `db` has that the migrations applied to it do not make, or lacks.
  ///
  /// - Returns: One such thing in words; `nil` if there is none, or a newer Holdfast has made it.
  static func foreignObject(in db: Database) throws -> String? {
    // To make another catalog and compare takes longer than most commands.
    if try fingerprint(of: db) == newestFingerprint { return nil }
    let newest = try objects(after: migrator.migrations.last)
    var foreign: String?
    // One snapshot: somebody may bring the catalog up to date just now.
    try db.inTransaction(.deferred) {
      foreign = try foreignObject(in: db, newest: newest)
      return .commit
    }
    return foreign
  }

  /// The SHA-256 of the schema of `db`: of the type, name and statement of each object, as SQL writes
  /// them, in their order.
  static func fingerprint(of db: Database) throws -> String? {
    let lines = try String.fetchAll(
      db,
      sql: """
        SELECT quote(type) || ',' || quote(name) || ',' || quote(sql) \(fromOwnObjects) ORDER BY 1
        """)
    let digest = SHA256.hash(data: Array(lines.joined(separator: "\n").utf8))
    return HoldfastModel.SHA256Digest(bytes: Array(digest))?.hexadecimal
  }

  private static func foreignObject(in db: Database, newest: Set<Object>) throws -> String? {
    let objects = try objects(in: db)
    guard objects != newest else { return nil }
    // What names the migrations is read next: let it be what it seems.
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

  /// Everything but the figures of ANALYZE.
  private static let fromOwnObjects = """
    FROM sqlite_schema WHERE type <> 'table' OR name NOT LIKE 'sqlite^_stat_' ESCAPE '^'
    """
}
