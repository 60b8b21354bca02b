public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

extension Library {
  /// Deletes a recording: its file, its thumbnail and its row together.
  ///
  /// Cravings that it helped with are kept, without their link to it.
  ///
  /// A file that is missing already is not an error, unless the files of all recordings are
  /// missing. Then they may be on a disk that is not mounted, and would come back with it.
  ///
  /// After the last of several deletions, call ``compactIfSmall()``.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - isLost: Whether the files are known to be lost. Then the recording is deleted even if the
  ///     files of all recordings are missing.
  /// - Returns: The paths of the recording at which something was left, because it is not the
  ///   recording's own file: it may be a folder or a link.
  /// - Throws: `HoldfastError` when the recording is missing, when the files of all recordings
  ///   are missing, and when its files cannot be moved. Nothing is changed then.
  @discardableResult
  public func deleteRecording(id: RecordingID, isLost: Bool = false) throws -> [RelativePath] {
    try writableTree().withWriterLock { lock in
      if !isLost { try refuseIfOffline("it was not deleted") }
      return try RecordingDeletion(library: self, id: id).run(under: lock)
    }
  }

  /// Returns the library's UUID.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func uuid() throws -> UUID {
    try catalog.libraryUUID()
  }

  /// Refuses to go on unless the library has this UUID.
  ///
  /// - Throws: `HoldfastError` when the library has another UUID, or `uuid` is `nil`, or
  ///   the catalog cannot be read.
  public func requireUUID(_ uuid: UUID?) throws {
    let own = try self.uuid()
    guard uuid == own else {
      throw HoldfastError(
        .notErasable,
        "\(uuid?.uuidString ?? "no UUID") is not the library in \(path.escapedForDisplay), which "
          + "is \(own.uuidString); nothing was erased")
    }
  }

  /// Erases every recording with its files, every craving, every usage and every custom message.
  ///
  /// The default messages return to their first state. Nothing that was erased is left in the
  /// library's folder.
  ///
  /// - Throws: `HoldfastError` while imports are running, and when none of the recordings' files
  ///   is there; `HoldfastError` with the code `unfinishedErasure` when the erase was committed
  ///   but not finished, so that the next command that writes will finish it; `HoldfastError` when
  ///   the system refuses. The erase is then undone at once, or recovery undoes it, or finishes it
  ///   if it was committed.
  public func eraseEverything() throws {
    try LibraryErasure(tree: writableTree(), catalog: catalog).run()
  }
}

/// Compacts the catalog after a deletion or an edit, so that its file has no trace of what was
/// deleted or replaced.
///
/// The catalog cannot be read during compaction. So only a small catalog is compacted at once. A
/// large one is compacted when a user, or a nightly timer, asks for it.
extension Library {
  /// Compacts the catalog if that is due and takes less than 0.2 s.
  ///
  /// - Returns: The catalog's size in bytes if it is too large, otherwise `nil`. A large catalog
  ///   stays due for compaction until ``compact(_:)`` is called.
  /// - Throws: `HoldfastError`, for example when the disk has too little room. Compaction then
  ///   stays due.
  @discardableResult
  public func compactIfSmall() throws -> Int64? {
    try whileLocked { try catalog.compaction.runIfSmall() }
  }

  /// Compacts the catalog if anything was deleted or replaced since the last compaction, however
  /// long it takes.
  ///
  /// It needs as much memory as the catalog has bytes, and as much free space on the disk.
  ///
  /// - Parameter begin: Called before compaction begins, with the catalog's size in bytes.
  /// - Returns: The catalog's new size in bytes; `nil` if nothing was due.
  /// - Throws: `HoldfastError`. Compaction then stays due.
  public func compact(_ begin: (Int64) -> Void) throws -> Int64? {
    try whileLocked {
      guard try catalog.compaction.isDue() else { return nil }
      begin(try catalog.compaction.byteCount())
      try catalog.compaction.run()
      return try catalog.compaction.byteCount()
    }
  }

  /// Returns the catalog's size in bytes if compaction is due, otherwise `nil`.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func compactionDue() throws -> Int64? {
    try catalog.compaction.isDue() ? try catalog.compaction.byteCount() : nil
  }
}
