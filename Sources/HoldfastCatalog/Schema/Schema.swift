import GRDB
import HoldfastModel

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
    for (name, sql) in [("v1", v1), ("v2", v2), ("v3", v3), ("v4", v4), ("v5", v5), ("v6", v6)] {
      migrator.registerMigration(name) { db in try db.execute(sql: sql) }
    }
    // A link to a missing row, which verification reports, must not stop the migration.
    migrator.registerMigration("v7", foreignKeyChecks: .immediate, migrate: v7)
    for (name, sql) in [("v8", v8), ("v9", v9), ("v10", v10), ("v11", v11)] {
      migrator.registerMigration(name, foreignKeyChecks: .immediate) { db in
        try db.execute(sql: sql)
      }
    }
    // Foreign keys are off, so that the table can be recreated. A link to a missing row, which
    // verification reports, must not stop the migration.
    migrator = migrator.disablingDeferredForeignKeyChecks()
    for (name, sql) in [("v12", v12), ("v13", v13), ("v14", v14)] {
      migrator.registerMigration(name) { db in try db.execute(sql: sql) }
    }
    return migrator
  }()

  /// The ``fingerprint(of:)`` of the schema that all migrations of the core make.
  ///
  /// It changes with each new migration, and a test reports the new value.
  static let newestFingerprint =
    "ef7ea9ec7c81e59d312bb3b379467adad58203317b4f61e3d4207afb92856735"

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

  /// Runs the migrations that `queue` lacks. It reads first to see whether any are missing.
  ///
  /// The caller holds the library's writer lock, so that no other process migrates meanwhile.
  static func migrate(
    _ queue: DatabaseQueue, _ state: JournalState, among journals: [Journal], name: String
  ) throws {
    guard try !queue.unsafeRead({ try isComplete($0, state) }) else { return }
    try migrator.migrate(queue)
    guard !state.missing.isEmpty else { return }
    try queue.migrateJournals(state, among: journals, name)
  }
}

extension DatabaseQueue {
  /// Runs the missing migrations of journals, in one transaction.
  ///
  /// Foreign keys are off meanwhile, as SQLite advises: a table that is dropped and recreated under
  /// its name would otherwise delete the rows that refer to it. The migrations must not break any
  /// further link.
  ///
  /// - SeeAlso: https://sqlite.org/lang_altertable.html#otheralter
  fileprivate func migrateJournals(
    _ state: JournalState, among journals: [Journal], _ name: String
  ) throws {
    try writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
      for journal in state.enabled {
        let missing = state.missing.filter { $0.journal.name == journal.name }
        if missing.isEmpty { continue }
        do {
          try db.inTransaction {
            let before = try db.brokenLinks(of: journal)
            for migration in missing { try db.run(migration.sql, as: migration.identifier) }
            guard try db.brokenLinks(of: journal) <= before else {
              throw DatabaseError(
                resultCode: .SQLITE_CONSTRAINT, message: "it leaves references to missing rows")
            }
            try JournalCheck(journal: journal, journals: journals, db: db).run()
            return .commit
          }
        } catch {
          let reason = HoldfastError(error, name: name).reason
          throw HoldfastError.journalStuck(database: name, journal: journal.name, reason: reason)
        }
      }
    }
  }
}

extension Database {
  fileprivate func brokenLinks(of journal: Journal) throws -> Int {
    try journal.tables.reduce(0) { count, table in
      guard try tableExists(table) else { return count }
      return try count
        + (Int.fetchOne(
          self, sql: "SELECT count(*) FROM pragma_foreign_key_check(?)", arguments: [table]) ?? 0)
    }
  }
}
