internal import GRDB

/// The catalog's identity and its migrations.
enum Schema {
  /// "Hldf": the number in the database's header that marks it as a catalog of Holdfast.
  static let applicationID: Int32 = 0x486C_6466

  /// Every migration, oldest first.
  ///
  /// Migrations never change: a change needs a new migration. None refers to a type that may
  /// change.
  static let migrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in try db.execute(sql: v1) }
    migrator.registerMigration("v2") { db in try db.execute(sql: v2) }
    migrator.registerMigration("v3") { db in try db.execute(sql: v3) }
    migrator.registerMigration("v4") { db in try db.execute(sql: v4) }
    migrator.registerMigration("v5") { db in try db.execute(sql: v5) }
    migrator.registerMigration("v6") { db in try db.execute(sql: v6) }
    // A link to a missing row, which verification reports, must not stop the migration.
    migrator.registerMigration("v7", foreignKeyChecks: .immediate, migrate: v7)
    migrator.registerMigration("v8", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: v8)
    }
    return migrator
  }()

  /// The ``fingerprint(of:)`` of the schema that all migrations of the core make.
  ///
  /// It changes with each new migration, and a test reports the new value.
  static let newestFingerprint =
    "9565f0a6a2cc6a061b849ce963c4968fe3f2dfc20a8ea9690f08710baf6849ac"

  /// Returns the application ID in the header of `db`.
  static func applicationID(_ db: Database) throws -> Int32? {
    try Int32.fetchOne(db, sql: "PRAGMA application_id")
  }

  /// Marks `db` as a catalog.
  ///
  /// - Returns: Whether it is a catalog now. Another program's database is left alone.
  static func claim(_ db: Database) throws -> Bool {
    if try applicationID(db) == applicationID { return true }
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    guard try isEmpty && applicationID(db) == 0 else { return false }
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    return true
  }

  /// Returns whether no migration is missing: of the core, and of the journals that are enabled.
  static func isComplete(_ db: Database, _ state: JournalState) throws -> Bool {
    try state.missing.isEmpty && migrator.hasCompletedMigrations(db)
  }

  /// Runs the migrations that `queue` lacks. It reads first to see whether there are any.
  ///
  /// The caller holds the library's writer lock, so that nobody else migrates meanwhile.
  static func migrate(_ queue: DatabaseQueue, _ state: JournalState) throws {
    guard try !queue.unsafeRead({ try isComplete($0, state) }) else { return }
    try migrator.migrate(queue)
    guard !state.missing.isEmpty else { return }
    try queue.write { db in
      for migration in state.missing { try db.run(migration.sql, as: migration.identifier) }
      for journal in state.enabled { try JournalCheck(journal, in: db).run() }
    }
  }
}
