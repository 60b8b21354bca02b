import Glibc
import HoldfastModel
import HoldfastSupport

/// Proof that the caller holds a library's writer lock, which is released with this value.
///
/// Functions that change the tree take it as a parameter, so that the lock cannot be forgotten. It
/// cannot be made, only borrowed from ``LibraryTree/withWriterLock(patience:until:_:)``.
package struct WriterLock: ~Copyable {
  private let file: OpenFile

  private init(_ file: OpenFile) { self.file = file }

  /// Waits for the lock, until `stop` is set or the task is cancelled.
  ///
  /// `.lock` is opened each time. A `flock` belongs to the open file, so it stops other threads as
  /// well as other processes.
  static func acquire(
    in directory: Directory, _ patience: LockTimeoutPolicy = LockTimeoutPolicy(),
    until stop: StopFlag? = nil
  ) throws -> WriterLock {
    let place = directory.place(Layout.lock)
    let queue = LockQueue(patience, library: directory.file.path) {
      stop?.isSet == true || Task.isCancelled
    }
    while true {
      let file = try directory.existingOrNew(Layout.lock)
      try SystemCalls.setMode(0o600, of: file)
      try queue.wait(for: file)
      // The last holder may have removed the file, together with a library that could not be made.
      // This lock then protects nothing.
      if let there = try SystemCalls.identity(of: place),
        there.isSameFile(as: try file.identity())
      {
        return WriterLock(file)
      }
    }
  }

  deinit { SystemCalls.unlock(file) }

  /// Returns the time in seconds since 1970, by the filesystem's clock, which may be a server's.
  func filesystemTime() throws(HoldfastError) -> Int64 { try SystemCalls.touch(file) }
}
