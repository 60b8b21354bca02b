internal import Glibc

/// The token of whoever holds a library's writer lock; the lock ends with it.
///
/// What changes the tree takes it as a parameter, so that it cannot be forgotten. It cannot be
/// made, only lent by ``LibraryTree/withWriterLock(_:)``.
public struct WriterLock: ~Copyable {
  private let file: OpenFile

  private init(_ file: OpenFile) { self.file = file }

  /// Waits for the lock.
  ///
  /// `.lock` is opened anew each time: a `flock` belongs to the open file, so that it keeps out
  /// other threads as well as other processes.
  static func acquire(in directory: Directory) throws(StorageError) -> WriterLock {
    let place = directory.place(Layout.lock)
    while true {
      let file = try SystemCalls.open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      guard try file.identity().kind == .regular else {
        throw StorageError(.notAFile, "lock", path: file.path)
      }
      try SystemCalls.setMode(0o600, of: file)
      try SystemCalls.lock(file)
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
}
