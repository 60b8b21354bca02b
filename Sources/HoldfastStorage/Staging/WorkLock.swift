import Foundation
import Glibc
import HoldfastModel
import Synchronization

/// The lock of a folder in `.staging` or `.trash`, held as long as a process is at work in it.
///
/// The first line of its file names the owner. The other lines list what may be published from
/// there.
final class WorkLock: Sendable {
  /// The folders in which this process is at work. It knows them without testing a lock.
  private static let held = Mutex<Set<UUID>>([])
  /// The longest wait for the lock, and the sleep between attempts, in milliseconds.
  private static let (longestWait, nap): (CInt, CInt) = (1000, 20)

  /// The lock file, or `nil` once the lock is released.
  private let file: Mutex<OpenFile?>
  private let id: UUID
  private let owner: Owner

  /// Makes the lock file and locks it, or takes over the one that an earlier deletion of this
  /// computer left.
  init(in folder: Directory, id: UUID, machine: String) throws(HoldfastError) {
    self.id = id
    owner = Owner(machine: machine)
    let existing = try folder.existingFile(Layout.workLock, O_RDWR)
    let file: OpenFile
    if let existing { file = existing } else { file = try folder.makeFile(Layout.workLock) }
    self.file = Mutex(file)
    try Self.lock(file)
    if existing != nil { try SystemCalls.truncate(file, to: 0) }
    try file.write(ArraySlice("\(owner.line)\n".utf8))
    Self.held.withLock { _ = $0.insert(id) }
  }

  /// Takes the lock, and waits up to a second for it.
  ///
  /// Another command that examines the folder holds the lock for a moment. A longer wait for some
  /// other program would be wrong: this process holds the writer lock, and other processes wait for
  /// that.
  private static func lock(_ file: OpenFile) throws(HoldfastError) {
    for _ in 0..<longestWait / nap {
      if try SystemCalls.tryLock(file) { return }
      SystemCalls.wait(for: nil, milliseconds: nap)
    }
    guard try !SystemCalls.tryLock(file) else { return }
    throw HoldfastError(
      .fileLocked, operation: "lock", path: file.path, detail: LockHolder.holding(file)?.description
    )
  }

  deinit { release() }

  static func isHeldHere(_ id: UUID) -> Bool { held.withLock { $0.contains(id) } }

  /// Replaces the lines after the owner's line. Nothing is synced. The owner's line is never
  /// touched, so that the file names its owner at every moment.
  func write(_ lines: [String]) throws(HoldfastError) {
    guard let file = file.withLock(\.self) else { return }
    let start = owner.line.utf8.count + 1
    let text = lines.map { "\($0)\n" }.joined()
    if try file.identity().size > start { try SystemCalls.truncate(file, to: start) }
    try SystemCalls.write(ArraySlice(text.utf8), to: file, at: start)
  }

  func sync() throws(HoldfastError) {
    if let file = file.withLock(\.self) { try SystemCalls.sync(file) }
  }

  /// Releases the lock and closes its file. Does nothing if that is done.
  ///
  /// If an open file is removed, NFS and many FUSE filesystems keep it under another name until it
  /// is closed. Its folder cannot be removed before that.
  func release() {
    let file = file.withLock { file in
      defer { file = nil }
      return file
    }
    guard let file else { return }
    Self.held.withLock { _ = $0.remove(id) }
    SystemCalls.unlock(file)
  }
}
