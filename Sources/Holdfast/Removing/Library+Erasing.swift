public import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// Erases everything. The mark that the catalog sets is the commit point.
///
/// An erase that is interrupted before the mark is undone. After the mark, the next command that
/// opens the library for writing finishes the erase.
extension Library {
  /// Returns the library's UUID.
  ///
  /// - Throws: ``LibraryError`` when the catalog cannot be read.
  public func uuid() throws -> UUID {
    try LibraryError.translating { try catalog.libraryUUID() }
  }

  /// Refuses to go on unless the library has this UUID.
  ///
  /// - Throws: ``LibraryError`` when the library has another UUID, or `uuid` is `nil`, or
  ///   the catalog cannot be read.
  public func requireUUID(_ uuid: UUID?) throws {
    let own = try self.uuid()
    guard uuid == own else {
      throw LibraryError(
        .notErasable,
        "\(uuid?.uuidString ?? "no UUID") is not the library in \(path.escapedForDisplay), which is "
          + "\(own.uuidString); nothing was erased")
    }
  }

  /// Erases every recording with its files, every craving, every usage and every custom message.
  ///
  /// The default messages return to their first state. Nothing that was erased is left in the
  /// library's folder.
  ///
  /// - Throws: ``LibraryError`` while imports are running, and when none of the recordings' files
  ///   is there; ``LibraryError`` with the code `unfinishedErasure` when the erase was committed
  ///   but not finished, so that the next command that writes will finish it; ``LibraryError`` when
  ///   the system refuses. The erase is then undone at once, or recovery undoes it, or finishes it
  ///   if it was committed.
  public func eraseEverything() throws {
    try LibraryError.translating {
      let tree = try writableTree()
      try tree.withWriterLock { lock in
        if let folder = try tree.leftovers().folderAtWork {
          throw LibraryError(
            .notErasable,
            "another command, such as an import or a backup, is at work in \(path.escapedForDisplay)/\(folder.escapedForDisplay), here or on "
              + "another computer; wait until it is done, or stop it, and erase again")
        }
        try refuseIfOffline("nothing was erased")
        // If the erase is undone, its files can be made again.
        try tree.removeCache(under: lock)
        let id = UUID()
        try tree.setRecordingsAside(as: id, under: lock)
        do {
          try catalog.beginErasure(id)
        } catch {
          // If the mark cannot be read, nobody knows whether it was committed. Recovery finds out
          // later.
          guard let mark = try? catalog.erasure().map(\.uuidString) ?? "" else { throw error }
          guard mark == id.uuidString else {
            try? tree.bringRecordingsBack(id, under: lock)
            throw error
          }
        }
        do {
          try Self.finishErasure(id, of: tree, catalog, under: lock)
        } catch {
          // The erase cannot be undone now. A plain "could not" would suggest that everything is
          // still there.
          throw LibraryError(
            .unfinishedErasure,
            "everything is deleted, but may still be found in \(path.escapedForDisplay) until the next "
              + "command that writes has finished the erasure: \(error)", underlying: error)
        }
      }
    }
  }

  /// Does the part of an erase that comes after its commit. It may be run again.
  static func finishErasure(
    _ id: UUID, of tree: LibraryTree, _ catalog: Catalog, under lock: borrowing WriterLock
  ) throws {
    // A full disk may have room for compaction only after the files are removed.
    let isCompact = (try? catalog.compact()) != nil
    try tree.removeErased(id, under: lock, rows: CatalogRows(catalog: catalog))
    try tree.setBackupFolder(nil, under: lock)
    if !isCompact { try catalog.compact() }
    try catalog.endErasure()
  }
}
