import GRDB
package import HoldfastModel

/// Makes sure that deleted rows, and replaced text, cannot be found in the file.
///
/// `secure_delete` overwrites a row in its place. But when SQLite moves rows from page to page, it
/// leaves their old bytes in the gap of each page, where no deletion reaches them. Only rewriting
/// the whole database removes them.
package struct Compaction: CatalogPart {
  let catalog: Catalog

  /// The largest catalog, in bytes, that is compacted at once, because that takes less than 0.2 s.
  ///
  /// On a 2-core Xeon with an SSD, `VACUUM` took 3.3 ms per MB up to 40 MB, and 22 ms per MB at 690
  /// MB, where the processor's caches do not help. The bound uses the slower figure: 8 MB take 0.18
  /// s.
  package static let mostBytesAtOnce: Int64 = 8 << 20

  /// Whether a row was deleted, or text was replaced, since the catalog was last compacted.
  package func isDue() throws(HoldfastError) -> Bool {
    try read { db in try db.isCompactionDue() }
  }

  package func byteCount() throws(HoldfastError) -> Int64 {
    let pages = try read { db in try Int64.fetchOne(db, sql: "PRAGMA page_count") } ?? 0
    let size = try read { db in try Int64.fetchOne(db, sql: "PRAGMA page_size") } ?? 0
    return pages * size
  }

  /// Rewrites the whole database in place, without any trace of deleted or changed data.
  ///
  /// SQLite builds the new database in memory and then writes it over the old one. So it needs that
  /// much memory, and room on the disk for a journal of the same size. The catalog cannot be read
  /// meanwhile.
  package func run() throws(HoldfastError) {
    guard catalog.access == .writing else { throw .openedForReading(name) }
    try write { db in
      try db.removeAppVersions(notOf: JournalState(of: db, catalog.journals.known))
    }
    try catalogErrors(name) {
      try catalog.queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    }
    try write { db in try db.execute(sql: "UPDATE library SET compactionDue = 0") }
  }

  /// Compacts the catalog if that is due and takes less than 0.2 s.
  ///
  /// - Returns: The size in bytes if the catalog is too large, and stays due; `nil` if nothing is
  ///   due any more.
  /// - Throws: `HoldfastError`, for example when there is too little room. It then stays due.
  package func runIfSmall() throws(HoldfastError) -> Int64? {
    guard try isDue() else { return nil }
    let bytes = try byteCount()
    if bytes > Self.mostBytesAtOnce { return bytes }
    try run()
    return nil
  }
}
