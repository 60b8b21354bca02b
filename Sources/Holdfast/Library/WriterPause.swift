import HoldfastModel
import HoldfastStorage
import Synchronization

/// Checks parts of a library while no writer is in the middle of a step. A problem seen a moment
/// ago may have been half of such a step.
final class WriterPause: Sendable {
  private let tree: LibraryTree
  private let timeout = Mutex<LockTimeout?>(nil)

  init(of tree: LibraryTree) { self.tree = tree }

  /// The timeout of the one wait that failed; `nil` if none has failed.
  var unmet: LockTimeout? { timeout.withLock(\.self) }

  /// Runs `body` while no writer is in the middle of a step.
  ///
  /// It waits in vain for a writer only once, and does not wait after that. It also does not wait
  /// on a disk that cannot be written, in a backup, and in a library of another user, where it has
  /// no right to lock.
  func read<Value>(_ body: () throws -> Value) throws -> Value {
    try readUnlessLocked(body) ?? body()
  }

  /// Runs `body` like ``read(_:)``, but returns `nil` instead when a writer stays in a step.
  ///
  /// This is for a long check, which would delay the writer's commit.
  func readUnlessLocked<Value>(_ body: () throws -> Value) throws -> Value? {
    var isLocked = false
    do {
      let patience = tree.patience.atMost(unmet == nil ? VerifyOptions.longestWait : 0)
      return try tree.withWriterLock(patience: patience) { _ in
        isLocked = true
        return try body()
      }
    } catch let error as HoldfastError where !isLocked && error.isReadOnly {
      return try body()
    } catch let error as HoldfastError where !isLocked && error.code == .locked {
      timeout.withLock { $0 = $0 ?? error.timeout }
      return nil
    }
  }
}
