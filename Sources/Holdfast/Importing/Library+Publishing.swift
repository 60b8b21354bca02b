internal import Dispatch
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport
internal import Synchronization

extension Library {
  /// Gives new recordings' files their names, and writes their rows, which is what commits them.
  ///
  /// - Parameters:
  ///   - recordings: Recordings whose files are in staging, which is sealed with them.
  ///   - lacking: Thumbnails that are missing.
  ///   - staging: The folder with the files.
  ///   - lock: The writer lock.
  ///   - insert: Writes the rows, in one transaction.
  /// - Returns: What `insert` returns; `nil` if it threw, but the rows stand all the same.
  /// - Throws: What the tree, the catalog and `insert` throw. The files are then taken back, or left to
  ///   recovery, which decides by the rows.
  @discardableResult
  func publish<Value>(
    _ recordings: [Recording], lacking: Set<RelativePath> = [], from staging: Staging,
    under lock: borrowing WriterLock, inserting insert: () throws -> Value
  ) throws -> Value? {
    try staging.publish(Self.files(of: recordings, lacking), under: lock)
    return try settle(recordings, staging, under: lock, insert)
  }

  /// Does the same, and inserts the rows while the files get their names: for many recordings both take long.
  ///
  /// - Parameter insert: Writes the rows in one transaction, and calls its argument before it commits them.
  func publish(
    _ recordings: [Recording], lacking: Set<RelativePath>, from staging: Staging,
    under lock: borrowing WriterLock,
    insertingMeanwhile insert: @escaping @Sendable (() throws -> Void) throws -> Void
  ) throws {
    let publication = Publication()
    let rows = WorkAlongside { try insert(publication.wait) }
    rows.start()
    do {
      try staging.publish(Self.files(of: recordings, lacking), under: lock)
      publication.end(.success(()))
    } catch {
      publication.end(.failure(error))
      rows.end()
      throw error
    }
    try settle(recordings, staging, under: lock, rows.value)
  }

  private static func files(
    of recordings: [Recording], _ lacking: Set<RelativePath>
  ) -> [(name: String, path: RelativePath)] {
    recordings.flatMap { [$0.filePath, $0.thumbnailPath].compactMap { $0 } }
      .filter { !lacking.contains($0) }.map { ($0.name, $0) }
  }

  /// Writes rows of recordings whose files are published, or finds out what became of rows and files.
  @discardableResult
  private func settle<Value>(
    _ recordings: [Recording], _ staging: Staging, under lock: borrowing WriterLock,
    _ insert: () throws -> Value
  ) throws -> Value? {
    do {
      return try insert()
    } catch {
      guard areCommitted(recordings) else {
        try withdraw(recordings, staging, under: lock)
        throw error
      }
      return nil
    }
  }

  /// Returns whether a commit that reported an error took place all the same. Everything but the
  /// removal of its journal was on the disk, and syncing the folder adds that.
  private func areCommitted(_ recordings: [Recording]) -> Bool {
    let stand = try? recordings.allSatisfy { try catalog.hasRecording(id: $0.id) }
    return stand == true && (try? tree.sync()) != nil
  }

  /// Takes the published files back, because their rows could not be written.
  ///
  /// It does so only if they surely have no rows. A commit may fail after it was made, and its
  /// journal may still undo it. Recovery then finds out which it was.
  private func withdraw(
    _ recordings: [Recording], _ staging: Staging, under lock: borrowing WriterLock
  ) throws {
    let mayHaveRow = (try? recordings.contains { try catalog.hasRecording(id: $0.id) }) ?? true
    if mayHaveRow { staging.leaveToRecovery() } else { try staging.withdraw(under: lock) }
  }
}

/// The end of publishing files, for which their rows wait.
private final class Publication: Sendable {
  private let result = Mutex<Result<Void, any Error>>(.success(()))
  private let hasEnded = DispatchSemaphore(value: 0)

  func end(_ result: Result<Void, any Error>) {
    self.result.withLock { $0 = result }
    hasEnded.signal()
  }

  /// Waits for the end, and throws what went wrong. Call it once.
  func wait() throws {
    hasEnded.wait()
    try result.withLock(\.self).get()
  }
}
