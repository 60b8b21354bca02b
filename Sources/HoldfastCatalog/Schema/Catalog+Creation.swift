package import Foundation
import GRDB
package import HoldfastModel

extension Catalog {
  /// The version of the library's layout that this code creates.
  static let formatVersion = 1

  /// Makes a catalog from the database at `path`, or finishes one whose creation was interrupted.
  ///
  /// The file must exist, and may be empty. The caller holds the library's writer lock. A complete
  /// catalog is left as it is, except that missing migrations are run.
  package static func create(at path: String) throws(HoldfastError) -> UUID {
    let queue = try open(path, access: .writing)
    return try Catalog(queue: queue, access: .writing, name: path).complete()
  }

  /// Makes a catalog in memory, which exists as long as there is a reference to it.
  package static func inMemory(journals: [Journal] = []) throws(HoldfastError) -> Catalog {
    let name = "the catalog in memory"
    let queue = try catalogErrors(name) {
      try DatabaseQueue(configuration: .catalog(.writing))
    }
    let catalog = Catalog(queue: queue, access: .writing, name: name, journals: journals)
    _ = try catalog.complete()
    return catalog
  }

  /// Runs the missing migrations. The caller holds the library's writer lock.
  ///
  /// It reads first, and writes nothing if none is missing.
  ///
  /// - Returns: Whether entries without a time zone were given this machine's.
  @discardableResult
  package func migrateIfNeeded() throws(HoldfastError) -> Bool {
    guard access == .writing else { throw .openedForReading(name) }
    let state = try read { try JournalState(of: $0, registry.journals) }
    guard !state.isCoreNewer else { throw .newer(name) }
    if let refusal = state.refusal(of: name) { throw refusal }
    let givesTimeZones = try read(Schema.hasEntriesWithoutTimeZone)
    try catalogErrors(name) {
      try Schema.migrate(queue, state, among: registry.journals, name: name)
    }
    return givesTimeZones
  }

  /// - Throws: `HoldfastError`, also when the catalog was never completed.
  package func libraryUUID() throws(HoldfastError) -> UUID {
    let text = try read { db in try String.fetchOne(db, sql: "SELECT uuid FROM library") }
    guard let uuid = text.flatMap(UUID.init(uuidString:)) else {
      throw HoldfastError(
        .unreadableRow, database: name, reason: "the catalog does not say whose library it is")
    }
    return uuid
  }

  /// Claims an empty database, runs the migrations, and names the library if it has no name yet.
  private func complete() throws(HoldfastError) -> UUID {
    guard try write(Schema.claim) else { throw .notACatalog(name) }
    try useRollbackJournal()
    try migrateIfNeeded()
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO library (onlyRow, uuid, formatVersion) VALUES (1, ?, ?)
          ON CONFLICT (onlyRow) DO NOTHING
          """,
        arguments: [UUID().uuidString, Self.formatVersion])
    }
    return try libraryUUID()
  }
}
