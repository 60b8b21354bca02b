internal import GRDB

/// Making sure that what was deleted cannot be found in the file.
///
/// `secure_delete` overwrites a row where it stands. But when SQLite moves rows from page to page, it
/// leaves their old bytes in the gap that every page has; no deletion reaches them there. Only
/// writing the whole database anew does.
extension Catalog {
  /// Whether something was deleted since the database was last written anew.
  ///
  /// - Throws: ``CatalogError``.
  public func isCompactionDue() throws(CatalogError) -> Bool {
    try read { db in try Bool.fetchOne(db, sql: "SELECT compactionDue FROM library") } ?? false
  }

  /// Writes the database anew, without a trace of what was deleted or changed.
  ///
  /// SQLite makes the new one in memory, and then writes it over the old: it takes that much memory,
  /// and the disk must have room for a journal of the same size.
  ///
  /// - Throws: ``CatalogError``.
  public func compact() throws(CatalogError) {
    guard access == .writing else { throw .openedForReading(name) }
    try catalogErrors(name) {
      try queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    }
    try write { db in try db.execute(sql: "UPDATE library SET compactionDue = 0") }
  }
}
