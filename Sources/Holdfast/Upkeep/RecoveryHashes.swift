internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// The hashes on which a recovery hangs. Files are read while others may write; under the writer lock
/// only their identities are compared with those that were read.
final class RecoveryHashes {
  /// A file that changes each time it has been read is left for another time.
  private static let mostRounds = 3

  private var known: [FileIdentity: KnownHash] = [:]
  private var wanted: [FileIdentity: OpenFile] = [:]

  /// The hash of a file, if it was read and has not changed since. Otherwise it is read next.
  func hash(of file: OpenFile) throws(StorageError) -> KnownHash {
    let identity = try file.identity()
    if let hash = known[identity] { return hash }
    wanted[identity] = file
    return .notRead
  }

  /// Recovers under the writer lock, and takes a step under the same lock. Where the recovery hangs on
  /// files that were not read, the lock is let go of, they are read, and it begins again.
  ///
  /// - Parameters:
  ///   - tree: The library's files.
  ///   - patience: How long to wait for the lock; the tree's own patience if `nil`.
  ///   - recover: Recovers, and asks for hashes. It is called several times if need be.
  ///   - step: The step; it takes what `recover` returned, and is taken once.
  /// - Returns: What `step` returns.
  func whileRecovering<Recovered, Value>(
    in tree: LibraryTree, patience: LockPatience? = nil,
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
      // What is changed meanwhile has another identity by the time it is asked for.
      known[identity] = (try? file.sha256(until: StopFlag())).map(KnownHash.hash) ?? .unreadable
    }
    wanted = [:]
  }
}
