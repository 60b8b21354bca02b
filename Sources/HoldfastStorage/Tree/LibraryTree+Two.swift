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
  ///   - body: The work. It must not ask for either lock.
  /// - Throws: What `body` throws, `LockTimeout`, `CancellationError`, or ``StorageError``.
  package func withWriterLocks<Value>(
    and other: LibraryTree, until stop: StopFlag, _ body: () throws -> Value
  ) throws -> Value {
    let (own, others) = (try directory.file.identity(), try other.directory.file.identity())
    let isFirst = (own.device, own.inode) < (others.device, others.inode)
    let (first, second) = isFirst ? (self, other) : (other, self)
    return try first.withWriterLock(until: stop) { _ in
      try second.withWriterLock(until: stop) { _ in try body() }
    }
  }

  /// Makes files of the library durable, with their names.
  ///
  /// - Parameter paths: Their paths. Those of files that are missing are passed over.
  /// - Throws: ``StorageError`` when the system refuses.
  package func makeDurable(_ paths: [RelativePath]) throws(StorageError) {
    guard SourceFile.isRemote(directory.file) else {
      return try SystemCalls.syncFilesystem(of: directory.file)
    }
    // A filesystem that a program or another machine keeps may not know how to sync all of it.
    for path in paths {
      let (folder, _) = try directory.parent(of: Array(path.string.utf8))
      guard let file = try folder.existingFile(path.name, O_RDONLY) else { continue }
      try SystemCalls.sync(file)
      try folder.sync()
    }
  }
}
