import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The hashes that a recovery needs.
///
/// Files are hashed without the writer lock, so that others may write. Under the lock, only the
/// identities of the files are compared with those that were hashed.
final class RecoveryHashes {
  /// The most rounds of hashing. A file that changes each time is left for another recovery.
  private static let mostRounds = 3

  private var known: [FileIdentity: KnownHash] = [:]
  private var wanted: [FileIdentity: OpenFile] = [:]

  /// Returns the hash of a file that was read and has not changed since. Otherwise the file is read
  /// next.
  func hash(of file: OpenFile) throws(HoldfastError) -> KnownHash {
    let identity = try file.identity()
    if let hash = known[identity] { return hash }
    wanted[identity] = file
    return .notRead
  }

  /// Recovers under the writer lock, and runs `step` under the same lock.
  ///
  /// If the recovery needs hashes that are not known, it releases the lock, reads the files, and
  /// starts again.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the lock; `nil` uses the tree's own patience.
  ///   - recover: Recovers, and asks for hashes. It may be called several times.
  ///   - step: Gets the value of `recover`, and is called once.
  func whileRecovering<Recovered, Value>(
    in tree: LibraryTree, patience: LockTimeoutPolicy? = nil,
    _ recover: (borrowing WriterLock) throws -> Recovered,
    then step: (borrowing WriterLock, Recovered) throws -> Value
  ) throws -> Value {
    var rounds = 0
    while true {
      let value: Value? = try tree.withWriterLock(patience: patience) { lock in
        let recovered = try recover(lock)
        guard wanted.isEmpty || rounds == Self.mostRounds else { return nil }
        return .some(try step(lock, recovered))
      }
      if let value { return value }
      read()
      rounds += 1
    }
  }

  private func read() {
    for (identity, file) in wanted {
      // A file that changes meanwhile has another identity when its hash is requested.
      known[identity] = (try? file.sha256(until: StopFlag())).map(KnownHash.hash) ?? .unreadable
    }
    wanted = [:]
  }
}
