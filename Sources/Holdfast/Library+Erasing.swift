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
  public func uuid() throws -> UUID { try catalog.libraryUUID() }

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
  /// - Throws: ``LibraryError`` while imports are at work, and when the recordings' files are not
  ///   there at all; ``StorageError`` or ``CatalogError`` when the system refuses. What had begun is
  ///   undone, or finished by whoever opens the library next.
  public func eraseEverything() throws {
    let tree = try writableTree()
    try tree.withWriterLock { lock in
      guard try !tree.leftovers().hasLivingImports else {
        throw LibraryError(
          .notErasable,
          "an import is at work in \(path.escapedForDisplay); wait until it is done, or stop it, and "
            + "erase again")
      }
      try refuseIfOffline(tree, "erased")
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
      try Self.finishErasure(of: tree, catalog, under: lock)
    }
  }

  /// Does what an erasure does after its commit; it may be done again.
  static func finishErasure(
    of tree: LibraryTree, _ catalog: Catalog, under lock: borrowing WriterLock
  ) throws {
    // On a full disk there may be room only when the files are gone.
    let isCompact = (try? catalog.compact()) != nil
    try tree.removeErased(under: lock) { try catalog.hasRecording(id: $0) }
    if !isCompact { try catalog.compact() }
    try catalog.endErasure()
  }

  /// A disk that is not mounted is no reason to forget what is on it.
  func refuseIfOffline(_ tree: LibraryTree, _ verb: String) throws {
    let hasRecordings = try !catalog.storedFiles(after: nil, limit: 1).isEmpty
    guard try hasRecordings && !holdsAnyFile(tree) else { return }
    throw LibraryError(
      .notErasable,
      "none of the recordings' files is in \(path.escapedForDisplay)/Recordings; if they lie on a "
        + "disk that is not there, bring it back first, and if they are lost, holdfast delete them. "
        + "Nothing was \(verb)")
  }

  private func holdsAnyFile(_ tree: LibraryTree) throws -> Bool {
    struct FileFound: Error {}
    do {
      try tree.scan { entry in if entry.kind == .regular { throw FileFound() } }
      return false
    } catch is FileFound {
      return true
    }
  }
}
