internal import Glibc
package import HoldfastModel
package import HoldfastSupport

/// Work on two libraries at once.
extension LibraryTree {
  /// Runs `body` while nobody else changes this library or another one.
  ///
  /// Two processes that work on the same two libraries take the locks in the same order, so none waits for the other for
  /// ever.
  ///
  /// - Parameters:
  ///   - other: The other library, which is in another folder.
  ///   - stop: Ends the wait for a lock.
  ///   - body: The work, with this library's lock. It must not ask for either lock.
  /// - Throws: What `body` throws, `LockTimeout`, `CancellationError`, or ``StorageError``.
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

  /// Whether both libraries have one file as their lock, as after `cp -al`. Then both locks cannot be held at once.
  ///
  /// - Throws: ``StorageError`` when the system refuses.
  package func sharesLock(with other: LibraryTree) throws(StorageError) -> Bool {
    guard let own = try SystemCalls.identity(of: directory.place(Layout.lock)),
      let others = try SystemCalls.identity(of: other.directory.place(Layout.lock))
    else { return false }
    return own.isSameFile(as: others)
  }

  /// Makes files of the library durable, with their names.
  ///
  /// - Parameter paths: Returns their paths, if the filesystem needs them. Those of files that are missing are passed over.
  /// - Throws: ``StorageError`` when the system refuses, and what `paths` throws.
  package func makeDurable(_ paths: () throws -> [RelativePath]) throws {
    let needsPaths = SourceFile.isRemote(directory.file)
    try RecordingFolders(in: directory).syncFiles(needsPaths ? paths() : [])
  }
}
