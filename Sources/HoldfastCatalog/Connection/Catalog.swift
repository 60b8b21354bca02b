import CSQLite
import GRDB
package import HoldfastModel

/// A library's record of its recordings, in an SQLite database.
///
/// The catalog knows its rows and its database's path. It knows nothing about the files that the
/// rows name. It takes no lock but SQLite's: a writer must hold the library's writer lock.
package final class Catalog: Sendable {
  package enum Access: Hashable, Sendable {
    case reading
    /// Reading and writing; the caller holds the library's writer lock while it writes.
    case writing
  }

  /// The version of SQLite in use.
  ///
  /// The corresponding C function is `sqlite3_libversion`.
  package static var databaseVersion: String { unsafe String(cString: sqlite3_libversion()) }

  let queue: DatabaseQueue
  let access: Access
  /// The database's name in error messages.
  package let name: String
  let registry: Registry
  private let wait: CatalogWait
  /// Called after a commit that may have removed spoken words.
  private let removedWords: @Sendable () -> Void

  init(
    queue: DatabaseQueue, access: Access, name: String, journals: [Journal] = [],
    waiting wait: CatalogWait = CatalogWait(), removedWords: @escaping @Sendable () -> Void = {}
  ) {
    self.queue = queue
    registry = Registry(journals: journals)
    self.access = access
    self.name = name
    self.wait = wait
    self.removedWords = removedWords
  }

  /// Opens the catalog at `path`, which ``create(at:)`` has made.
  ///
  /// For writing, an old schema is accepted. The caller then calls ``migrateIfNeeded()`` before
  /// anything else, under the writer lock.
  ///
  /// - Parameter removedWords: Called after a commit that may have removed spoken words.
  /// - Throws: `HoldfastError` for a missing file or another program's, when its schema was
  ///   changed by a newer Holdfast or by another program, when `access` is `.reading` and
  ///   migrations are missing, or when `access` is `.writing` and it has a journal that the program
  ///   does not know.
  package convenience init(
    path: String, access: Access, journals: [Journal] = [],
    waiting wait: CatalogWait = CatalogWait(), removedWords: @escaping @Sendable () -> Void = {}
  ) throws(HoldfastError) {
    let queue = try Self.open(path, access: access, waiting: wait)
    self.init(
      queue: queue, access: access, name: path, journals: journals, waiting: wait,
      removedWords: removedWords)
    try validate()
    if access == .writing { try useRollbackJournal() }
  }

  /// Makes sure that the database uses a rollback journal.
  ///
  /// Call it only once the database is known to be a catalog, because it would change another
  /// program's database.
  ///
  /// Not WAL: SQLite before 3.51.3 can corrupt a WAL database when a write races a checkpoint.
  ///
  /// - SeeAlso: https://sqlite.org/wal.html#walresetbug
  func useRollbackJournal() throws(HoldfastError) {
    try catalogErrors(name) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
      }
    }
  }

  /// Opens the database without checking its contents.
  ///
  /// Readers also open the file for reading and writing, with `query_only` on. A killed writer
  /// leaves a hot journal. A connection that cannot write could not roll it back, and would fail
  /// with SQLITE_READONLY_ROLLBACK until another connection wrote.
  static func open(
    _ path: String, access: Access, waiting wait: CatalogWait = CatalogWait()
  ) throws(HoldfastError) -> DatabaseQueue {
    try catalogErrors(path, waiting: access == .reading ? wait : nil) {
      try DatabaseQueue(checkedAt: path, .catalog(access, waiting: wait))
    }
  }

  /// Refuses a database that is not a catalog, or has another schema.
  func validate() throws(HoldfastError) {
    try read { db in
      guard try Schema.applicationID(db) == Schema.applicationID else {
        throw HoldfastError.notACatalog(name)
      }
      if let foreign = try Schema.foreignObject(in: db, registry.journals) {
        throw HoldfastError.changedSchema(name, foreign)
      }
      let state = try JournalState(of: db, registry.journals)
      guard !state.isCoreNewer else { throw HoldfastError.newer(name) }
      let isComplete = try Schema.isComplete(db, state)
      if !state.unknown.isEmpty, !isComplete {
        throw HoldfastError.unknownJournalInOldCatalog(name, state.unknown)
      }
      if access == .writing, let refusal = state.refusal(of: name) { throw refusal }
      guard access == .writing || isComplete else { throw HoldfastError.needsMigration(name) }
    }
  }

  /// Reads with `body`. Its statements need no common snapshot: nearly always there is only one.
  ///
  /// While a statement is open, no writer can commit. While a writer waits to commit, no reader can
  /// begin. So each statement must take less than 0.2 s, unless the caller holds the library's
  /// writer lock.
  ///
  /// GRDB's own `read` would switch off a reader's `query_only` at its end.
  func read<Value>(_ body: (Database) throws -> Value) throws(HoldfastError) -> Value {
    try catalogErrors(name, waiting: access == .reading ? wait : nil) {
      try queue.unsafeRead { db in try checkingJournals(db) { try body(db) } }
    }
  }

  /// Runs `body`, and explains a missing table of a journal that another command has disabled since
  /// the journal was found enabled.
  private func checkingJournals<Value>(
    _ db: Database, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      guard let table = error.message?.wholeMatch(of: /no such table: (?:main\.)?(\w+)/)?.1,
        let journal = registry.journals.first(where: { $0.tables.contains(String(table)) }),
        try !JournalState(of: db, registry.journals).enabled.contains(where: {
          $0.name == journal.name
        })
      else { throw error }
      throw HoldfastError.disabledJournal(name, journal.name)
    }
  }

  /// Reads with `body` in one transaction, which must take less than 0.2 s.
  func readSnapshot<Value>(
    _ body: (Database) throws -> Value
  ) throws(HoldfastError) -> Value {
    try read { db in
      try db.beginTransaction(.deferred)
      defer { try? db.commit() }
      return try body(db)
    }
  }

  /// Writes with `body`, in one transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws(HoldfastError) -> Value {
    guard access == .writing else { throw .openedForReading(name) }
    let (value, before, after) = try catalogErrors(name) {
      try queue.write { db in
        // A catalog that is being made has no such number yet.
        let before = try? db.removedWords()
        return (try body(db), before, try? db.removedWords())
      }
    }
    if before != after { removedWords() }
    return value
  }

  /// Copies the whole catalog into an empty file, in one step.
  ///
  /// The caller holds the writer lock: in several steps, SQLite would begin again at each write.
  ///
  /// - SeeAlso: https://sqlite.org/backup.html
  package func copy(to path: String) throws(HoldfastError) {
    try catalogErrors(path) {
      var configuration = Configuration()
      configuration.label = "Copy of the catalog"
      let copy = try DatabaseQueue(checkedAt: path, configuration)
      try queue.backup(to: copy)
      try copy.close()
    }
  }
}

/// Runs `body`, and turns any error into a `HoldfastError` about the database called `name`.
///
/// If a reader's wait has ended, the error also names the process that it waited for.
func catalogErrors<Value>(
  _ name: String, waiting wait: CatalogWait? = nil, _ body: () throws -> Value
) throws(HoldfastError) -> Value {
  do { return try body() } catch {
    let error = HoldfastError(error, name: name)
    throw wait?.explaining(error) ?? error
  }
}
