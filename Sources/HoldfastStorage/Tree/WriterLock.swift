internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport

/// The token of whoever holds a library's writer lock; the lock ends with it.
///
/// What changes the tree takes it as a parameter, so that it cannot be forgotten. It cannot be
/// made, only lent by ``LibraryTree/withWriterLock(patience:until:_:)``.
public struct WriterLock: ~Copyable {
  private let file: OpenFile

  private init(_ file: OpenFile) { self.file = file }

  /// Waits for the lock.
  ///
  /// `.lock` is opened each time: a `flock` belongs to the open file, so that it keeps out
  /// other threads as well as other processes.
  ///
  /// - Parameters:
  ///   - directory: The library's folder.
  ///   - patience: How long to wait.
  ///   - stop: Ends the wait when it is set, as does the end of the task.
  /// - Throws: `LockTimeout`, `CancellationError`, or ``StorageError`` when the system refuses.
  static func acquire(
    in directory: Directory, _ patience: LockPatience = LockPatience(), until stop: StopFlag? = nil
  ) throws -> WriterLock {
    let place = directory.place(Layout.lock)
    let queue = LockQueue(patience, library: directory.file.path) {
      stop?.isSet == true || Task.isCancelled
    }
    while true {
      let file = try SystemCalls.open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      guard try file.identity().kind == .regular else {
        throw StorageError(.notAFile, "lock", path: file.path)
      }
      try SystemCalls.setMode(0o600, of: file)
      try queue.wait(for: file)
      // Who held it may have removed the file, with a library that could not be made: then this
      // is the lock of nothing.
      if let there = try SystemCalls.identity(of: place),
        there.isSameFile(as: try file.identity())
      {
        return WriterLock(file)
      }
    }
  }

  deinit { SystemCalls.unlock(file) }

  /// The time by the clock of the library's filesystem, which may be a server's: in seconds since 1970.
  func filesystemTime() throws(StorageError) -> Int64 { try SystemCalls.touch(file) }
}
