import Glibc
package import HoldfastModel
package import HoldfastSupport

extension LibraryTree {
  /// Runs `body` while no other thread or process changes the library.
  ///
  /// The lock is not recursive: `body` must not ask for it again.
  ///
  /// - Parameters:
  ///   - patience: How long to wait. `nil` means the tree's own patience.
  ///   - stop: Ends the wait when it is set, but not `body`. Cancelling the task does the same.
  ///   - body: Takes the lock. It must consist of short steps only.
  /// - Throws: `locked` when others hold the lock for too long. `CancellationError` when the
  ///   wait is stopped or cancelled. `HoldfastError` when the lock cannot be taken, `insideBag`
  ///   in a backup, or `libraryMoved` when the folder has left ``path``. Also what `body` throws.
  package func withWriterLock<T>(
    patience: LockTimeoutPolicy? = nil, until stop: StopFlag? = nil,
    _ body: (borrowing WriterLock) throws -> T
  ) throws -> T {
    guard !isInBackup else { throw HoldfastError(.insideBag, operation: "change", path: path) }
    let lock = try WriterLock.acquire(in: directory, patience ?? self.patience, until: stop)
    try refuseIfMoved()
    do {
      return try body(lock)
    } catch {
      // The folder may have moved meanwhile. SQLite then only says that it could not open a file.
      try refuseIfMoved()
      throw error
    }
  }

  /// Runs `body` while no other thread or process changes this library or another one.
  ///
  /// Two processes that work on the same two libraries take the locks in the same order, so none
  /// waits for the other for ever.
  ///
  /// The other library is in another folder. `body` must not ask for either lock.
  package func withWriterLocks<Value>(
    and other: LibraryTree, until stop: StopFlag, _ body: (borrowing WriterLock) throws -> Value
  ) throws -> Value {
    let (own, others) = (try directory.file.identity(), try other.directory.file.identity())
    guard (own.device, own.inode) < (others.device, others.inode) else {
      return try other.withWriterLock(until: stop) { _ in
        try withWriterLock(until: stop) { try body($0) }
      }
    }
    return try withWriterLock(until: stop) { lock in
      try other.withWriterLock(until: stop) { _ in try body(lock) }
    }
  }

  /// Whether both libraries have one file as their lock, as after `cp -al`. Then both locks cannot
  /// be held at once.
  package func sharesLock(with other: LibraryTree) throws(HoldfastError) -> Bool {
    guard let own = try SystemCalls.identity(of: directory.place(Layout.lock)),
      let others = try SystemCalls.identity(of: other.directory.place(Layout.lock))
    else { return false }
    return own.isSameFile(as: others)
  }

  /// Refuses to continue when the library's folder has left the path where it was opened. Files are
  /// reached through the folder's descriptor, wherever the folder is now. But SQLite finds the
  /// catalog's journal by its path.
  private func refuseIfMoved() throws(HoldfastError) {
    let identity = try directory.file.identity()
    guard
      let found = try SystemCalls.identity(of: DirectoryRelativePath(path), followingLinks: true),
      found.isSameFile(as: identity)
    else { throw HoldfastError(.libraryMoved, operation: "find", path: path) }
  }

  /// Whether a command seems to be writing to the library.
  ///
  /// That is so when the writer lock is held or the catalog has a journal. A reader may also be
  /// rolling back the journal.
  package var isBeingWritten: Bool {
    if (try? catalogFile.status().hasJournal) == true { return true }
    guard let lock = lockFile else { return false }
    // If the lock is taken here, it is released at once.
    defer { SystemCalls.unlock(lock) }
    return (try? SystemCalls.tryLock(lock, shared: true)) == false
  }

  /// The holder of the writer lock. `nil` if it is free, or if the system does not say.
  package var lockHolder: LockHolder? { lockFile.flatMap(LockHolder.holding) }

  private var lockFile: OpenFile? {
    try? SystemCalls.open(directory.place(Layout.lock), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }
}
