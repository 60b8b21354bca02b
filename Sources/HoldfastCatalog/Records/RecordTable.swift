import Foundation
import GRDB
package import HoldfastModel

/// The records of all kinds: recordings and the records of journals.
package struct RecordTable: CatalogPart {
  let catalog: Catalog

  /// Reads records of journals. The statements need no common snapshot.
  package func read<Value>(_ body: (any RecordDatabase) throws -> Value) throws -> Value {
    try run(body, in: catalog.read)
  }

  /// Writes records of journals, in one transaction.
  package func write<Value>(_ body: (any RecordDatabase) throws -> Value) throws -> Value {
    try run(body, in: catalog.write)
  }

  /// Runs `body`, whose own errors pass through unchanged.
  func run<Value>(
    _ body: (any RecordDatabase) throws -> Value,
    in transaction: @escaping ((Database) throws -> Value) throws -> Value
  ) throws -> Value {
    var refusal: (any Error)?
    do {
      return try transaction { db in
        let database = try database(db)
        do { return try body(database) } catch {
          if !(error is DatabaseError || error is RowDefect || error is UnreadableValue) {
            refusal = error
          }
          throw error
        }
      }
    } catch {
      throw refusal ?? error
    }
  }

  func database(_ db: Database) throws -> CatalogDatabase {
    let kinds = try JournalState(of: db, registry.journals).kinds
    return CatalogDatabase(db: db, kinds: Set(kinds.map(\.kind)), name: name)
  }

  /// Returns the kinds of records that the catalog has and the program knows.
  package func kinds() throws(HoldfastError) -> [RecordKind] {
    try read { db in try JournalState(of: db, registry.journals).kinds.map(\.kind) }
  }

  /// Returns the records that are linked to a recording, newest first, of each kind that has any.
  ///
  /// Records of a journal that the program does not know are left out.
  ///
  /// - Parameter limit: The most records of each kind.
  package func links(
    to id: RecordingID, limit: Int, includingPrivate includesPrivate: Bool = false
  ) throws(HoldfastError) -> [LinkedRecords] {
    let kinds = try read { db in try JournalState(of: db, registry.journals).kinds }
    // One more is read, which must not overflow.
    let limit = min(max(limit, 0), Int(Int32.max))
    var links: [LinkedRecords] = []
    for kind in kinds {
      let found = try readIfPresent(kind.kind) { _ throws(HoldfastError) in
        try read { try kind.linked(to: id, limit: limit, includingPrivate: includesPrivate, $0) }
      }
      guard let linked = found else { continue }
      links.append(linked)
    }
    return links
  }

  /// Reads records of a kind; `nil` if another command has disabled its journal meanwhile.
  func readIfPresent<Value>(
    _ kind: RecordKind, _ body: (any StoredKind) throws(HoldfastError) -> Value?
  ) throws(HoldfastError) -> Value? {
    guard let stored = try present(kind) else { return nil }
    do throws(HoldfastError) { return try body(stored) } catch {
      // The tables can go between two statements.
      guard try present(kind) != nil else { return nil }
      throw error
    }
  }

  package func contains(_ kind: RecordKind) throws(HoldfastError) -> Bool {
    try present(kind) != nil
  }

  private func present(_ kind: RecordKind) throws(HoldfastError) -> (any StoredKind)? {
    try read { db in try JournalState(of: db, registry.journals).kinds }.first { $0.kind == kind }
  }
}

extension StoredKind {
  fileprivate func linked(
    to id: RecordingID, limit: Int, includingPrivate includesPrivate: Bool, _ db: Database
  ) throws -> LinkedRecords? {
    guard let link = declaration.link else { return nil }
    let shown = includesPrivate ? "" : declaration.privacy.map { " AND NOT \($0.column)" } ?? ""
    let keys = try String.fetchAll(
      db,
      sql: """
        SELECT \(declaration.key) FROM \(declaration.table) WHERE \(link.column) = ?\(shown)
        ORDER BY \(link.newest) DESC, \(declaration.key) LIMIT ?
        """, arguments: [id.uuidString, limit + 1])
    let records = try records(keys.prefix(limit), db)
    return records.isEmpty
      ? nil
      : LinkedRecords(kind: kind, role: link.role, records: records, isMore: keys.count > limit)
  }
}
