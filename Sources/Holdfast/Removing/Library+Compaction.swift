internal import Glibc
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// Compacts the catalog after a deletion or an edit, so that its file has no trace of what was
/// deleted or replaced.
///
/// Nobody can read the catalog during compaction. So only a small catalog is compacted at once. A
/// large one is compacted when a user, or a nightly timer, asks for it.
extension Library {
  /// Compacts the catalog if that is due and takes less than 0.2 s.
  ///
  /// - Returns: The catalog's size in bytes if it is too large, otherwise `nil`. A large catalog
  ///   stays due for compaction until ``compact(_:)`` is called.
  /// - Throws: ``LibraryError``, for example when the disk has too little room. Compaction then
  ///   stays due.
  @discardableResult
  public func compactIfSmall() throws -> Int64? {
    try whileLocked { try catalog.compactIfSmall() }
  }

  /// Compacts the catalog if anything was deleted or replaced since the last compaction, however
  /// long it takes.
  ///
  /// It needs as much memory as the catalog has bytes, and as much free space on the disk.
  ///
  /// - Parameter begin: Called before compaction begins, with the catalog's size in bytes.
  /// - Returns: The catalog's new size in bytes; `nil` if nothing was due.
  /// - Throws: ``LibraryError``. Compaction then stays due.
  public func compact(_ begin: (Int64) -> Void) throws -> Int64? {
    try whileLocked {
      guard try catalog.isCompactionDue() else { return nil }
      begin(try catalog.byteCount())
      try catalog.compact()
      return try catalog.byteCount()
    }
  }

  /// Returns the catalog's size in bytes if compaction is due, otherwise `nil`.
  ///
  /// - Throws: ``LibraryError`` when the catalog cannot be read.
  public func compactionDue() throws -> Int64? {
    try LibraryError.translating {
      try catalog.isCompactionDue() ? try catalog.byteCount() : nil
    }
  }
}

extension CatalogWait {
  /// Makes a wait that lasts while a command seems to be writing to the library, but no longer than
  /// the tree's patience for the writer lock.
  ///
  /// - Parameter purpose: What the wait is for, such as "to read the catalog".
  init(for tree: LibraryTree, to purpose: String) {
    /// Returns who holds the writer lock. If that is this process, another program has the catalog.
    @Sendable func holder() -> LockHolder? {
      tree.lockHolder.flatMap { $0.processID == getpid() ? nil : $0 }
    }
    self.init(seconds: tree.patience.seconds) {
      tree.isBeingWritten
    } notice: {
      tree.patience.notice(
        LockWait(library: tree.path, holder: holder(), purpose: purpose))
    } failure: { seconds in
      holder().map {
        LockTimeout(library: tree.path, seconds: seconds, holder: $0).clause
      }
    }
  }
}
