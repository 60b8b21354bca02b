public import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// Erasing everything. The catalog's mark is the commit point: before it an erasure that dies is
/// undone, after it whoever opens the library for writing finishes it.
extension Library {
  /// The library's UUID.
  ///
  /// - Throws: `CatalogError`.
  public func uuid() throws -> UUID {
    try LibraryError.translating { try catalog.libraryUUID() }
  }

  /// Refuses to go on unless this is the library that was meant.
  ///
  /// - Throws: ``LibraryError`` when the library has another UUID.
  public func requireUUID(_ uuid: UUID?) throws {
    let own = try self.uuid()
    guard uuid == own else {
      throw LibraryError(
        .notErasable,
        "\(uuid?.uuidString ?? "no UUID") is not the library in \(path.escapedForDisplay), which is "
          + "\(own.uuidString); nothing was erased")
    }
  }

  /// Erases every recording with its files, every craving, usage and message of a person's own, and
  /// brings the default messages to their first state. Nothing of it is left in the library's folder.
  ///
  /// - Throws: ``LibraryError`` while imports are at work, when the recordings' files are not there
  ///   at all, and with the code `unfinishedErasure` when whoever opens the library next will finish
  ///   it; ``StorageError`` or ``CatalogError`` when the system refuses, and then all is undone.
  public func eraseEverything() throws {
    try LibraryError.translating {
      let tree = try writableTree()
      try tree.withWriterLock { lock in
        if let folder = try tree.leftovers().folderAtWork {
          throw LibraryError(
            .notErasable,
            "an import is at work in \(path.escapedForDisplay)/\(folder.escapedForDisplay), here or on "
              + "another computer; wait until it is done, or stop it, and erase again")
        }
        try refuseIfOffline("nothing was erased")
        let id = UUID()
        try tree.setRecordingsAside(as: id, under: lock)
        do {
          try catalog.beginErasure(id)
        } catch {
          // Nobody can tell whether it was committed: recovery will see.
          guard let mark = try? catalog.erasure().map(\.uuidString) ?? "" else { throw error }
          guard mark == id.uuidString else {
            try? tree.bringRecordingsBack(id, under: lock)
            throw error
          }
        }
        do {
          try Self.finishErasure(id, of: tree, catalog, under: lock)
        } catch {
          // It cannot be taken back: whoever reads only "could not" would think that all is there.
          throw LibraryError(
            .unfinishedErasure,
            "everything is deleted, but may still be found in \(path.escapedForDisplay) until the next "
              + "command that writes has finished the erasure: \(error)", underlying: error)
        }
      }
    }
  }

  /// Does what an erasure does after its commit; it may be done again.
  static func finishErasure(
    _ id: UUID, of tree: LibraryTree, _ catalog: Catalog, under lock: borrowing WriterLock
  ) throws {
    // On a full disk there may be room only when the files are gone.
    let isCompact = (try? catalog.compact()) != nil
    try tree.removeErased(id, under: lock) { try catalog.hasRecording(id: $0) }
    if !isCompact { try catalog.compact() }
    try catalog.endErasure()
  }
}
