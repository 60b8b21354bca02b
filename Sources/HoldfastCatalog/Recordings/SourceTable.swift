import GRDB
package import HoldfastModel

/// A source that was examined, without its name.
package struct SeenSource: Hashable, Sendable {
  /// A hash that identifies the file, and that changes when the file changes.
  package var identity: SHA256Digest
  /// The rules by which it was refused; `nil` if its recording is or was in the library.
  package var refusedBy: String?
  /// The hash of its content, if it was refused and has been read.
  package var hash: SHA256Digest?

  package init(_ identity: SHA256Digest, refusedBy: String? = nil, hash: SHA256Digest? = nil) {
    self.identity = identity
    self.refusedBy = refusedBy
    self.hash = hash
  }
}

/// The sources that were examined. They belong to this computer: no export and no merge includes
/// them, and erasing empties them.
package struct SourceTable: CatalogPart {
  let catalog: Catalog

  /// Returns whether a source was imported, or refused by the same rules.
  package func hasSeen(_ identity: SHA256Digest, rules: String) throws(HoldfastError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM seenSource WHERE identity = ? AND ifnull(refusedBy, ?) = ?)
          """, arguments: [identity.hexadecimal, rules, rules]) ?? false
    }
  }

  /// Returns whether a source with this content was refused by the same rules.
  package func hasRefused(_ hash: SHA256Digest, rules: String) throws(HoldfastError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM seenSource WHERE hash = ? AND refusedBy = ?)",
        arguments: [hash.hexadecimal, rules]) ?? false
    }
  }

  package func remember(_ source: SeenSource) throws(HoldfastError) {
    try write { db in try source.save(db) }
  }
}

extension SeenSource {
  func save(_ db: Database) throws {
    let (key, hash) = (identity.hexadecimal, hash?.hexadecimal)
    try db.setCompactionDue(
      ifReplacing: [("refusedBy", refusedBy.databaseValue), ("hash", hash.databaseValue)],
      in: "seenSource", where: "identity", is: key)
    try db.execute(
      sql: "INSERT OR REPLACE INTO seenSource (identity, refusedBy, hash) VALUES (?, ?, ?)",
      arguments: [key, refusedBy, hash])
  }
}
