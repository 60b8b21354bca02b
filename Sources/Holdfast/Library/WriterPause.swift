internal import HoldfastModel
internal import HoldfastStorage
internal import Synchronization

/// Looking at a library while no writer is in the middle of a step: what looked wrong a moment ago may
/// have been half of one.
final class WriterPause: Sendable {
  private let tree: LibraryTree
  private let timeout = Mutex<LockTimeout?>(nil)

  init(of tree: LibraryTree) { self.tree = tree }

  /// Says whom it waited for in vain; `nil` if it did not have to.
  var unmet: LockTimeout? { timeout.withLock(\.self) }

  /// Looks while no writer is in the middle of a step. One who stays in the middle of it is waited for
  /// only once: after that it looks at once. So it does on a disk that cannot be written, or in a
  /// library that is another person's, where there is nothing to keep out or no way to.
  func look<Value>(_ look: () throws -> Value) throws -> Value {
    try lookUnlessLocked(look) ?? look()
  }

  /// The same for a look that takes long, and would keep the writer from its commit: `nil`, and nothing is
  /// looked at, while somebody stays in the middle of a step.
  func lookUnlessLocked<Value>(_ look: () throws -> Value) throws -> Value? {
    var isLocked = false
    do {
      let patience = tree.patience.atMost(unmet == nil ? VerifyOptions.longestWait : 0)
      return try tree.withWriterLock(patience: patience) { _ in
        isLocked = true
        return try look()
      }
    } catch let error as StorageError where !isLocked && error.isForWantOfRights {
      return try look()
    } catch let error as LockTimeout where !isLocked {
      timeout.withLock { $0 = $0 ?? error }
      return nil
    }
  }
}
