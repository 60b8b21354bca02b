internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// Compacting the catalog after a deletion, so that no trace of what was deleted is found in its file.
///
/// Nobody can read the catalog meanwhile. So only a small one is compacted at once; a large one when a person,
/// or a nightly timer, asks for it.
extension Library {
  /// Compacts the catalog if anything was deleted and that takes less than 0.2 s.
  ///
  /// - Returns: How many bytes the catalog has, if it is too large for that: then its compaction stays due,
  ///   until ``compact(_:)``. Otherwise `nil`.
  /// - Throws: `CatalogError`, when there is too little room among others; it stays due then.
  @discardableResult
  public func compactIfSmall() throws -> Int64? {
    try whileLocked { try catalog.compactIfSmall() }
  }

  /// Compacts the catalog if anything was deleted since it was last compacted, however long that takes.
  ///
  /// It takes as much memory as the catalog has bytes, and as much room on its disk.
  ///
  /// - Parameter begin: Called before it begins, with how many bytes the catalog has.
  /// - Returns: How many bytes the catalog has now; `nil` if nothing was deleted.
  /// - Throws: `StorageError` or `CatalogError`; it stays due then.
  public func compact(_ begin: (Int64) -> Void) throws -> Int64? {
    try whileLocked {
      guard try catalog.isCompactionDue() else { return nil }
      begin(try catalog.byteCount())
      try catalog.compact()
      return try catalog.byteCount()
    }
  }

  /// How many bytes the catalog has, if its compaction is due; otherwise `nil`.
  ///
  /// - Throws: `CatalogError`.
  public func compactionDue() throws -> Int64? {
    try LibraryError.translating {
      try catalog.isCompactionDue() ? try catalog.byteCount() : nil
    }
  }
}

extension CatalogWait {
  /// Waits while a command seems to be writing to the library, no longer than others wait for its lock.
  init(for tree: LibraryTree) {
    self.init(seconds: tree.patience.seconds) {
      tree.isBeingWritten
    } notice: {
      tree.patience.notice(
        LockWait(library: tree.path, holder: tree.lockHolder, purpose: "to read the catalog"))
    } failure: { seconds in
      tree.lockHolder.map {
        LockTimeout(library: tree.path, seconds: seconds, holder: $0).clause
      }
    }
  }
}
