import Dispatch
import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport
import Synchronization

/// Gives the files of new recordings or photos their names, and writes their rows, which commits
/// them.
struct Publication {
  let library: Library
  /// The recordings or photos whose files are in staging, which is sealed with them.
  private let ids: [UUID]
  private let paths: [RelativePath]
  let staging: Staging

  init(
    library: Library, recordings: [Recording], lacking: Set<RelativePath> = [], staging: Staging
  ) {
    self.library = library
    ids = recordings.map(\.id)
    paths = recordings.flatMap { [$0.filePath, $0.thumbnailPath].compactMap { $0 } }
      .filter { !lacking.contains($0) }
    self.staging = staging
  }

  /// Publishes photos. A file that is in its place already, such as one whose row was lost, is not
  /// published again.
  init(library: Library, photos: [UUID: SHA256Digest], staging: Staging) {
    self.library = library
    ids = Array(photos.keys)
    let here = photos.filter { id, hash in
      (try? library.tree.hasBytes(hash, at: .photo(id: id), until: StopFlag())) == true
    }
    paths = ids.filter { here[$0] == nil }.map { .photo(id: $0) }
    self.staging = staging
  }

  /// Publishes the files, and then inserts the rows.
  ///
  /// - Parameter insert: Writes the rows, in one transaction.
  /// - Returns: The value of `insert`; `nil` if it threw although the rows were committed.
  /// - Throws: The errors of the tree, the catalog and `insert`. The files are then withdrawn, or
  ///   left to recovery, which decides by the rows.
  @discardableResult
  func run<Value>(
    under lock: borrowing WriterLock, inserting insert: () throws -> Value
  ) throws -> Value? {
    try staging.publish(files, under: lock)
    return try settle(under: lock, insert)
  }

  /// Publishes the files, and inserts the rows meanwhile: for many recordings both take long.
  ///
  /// - Parameter insert: Writes the rows in one transaction, and calls its argument before it
  ///   commits them.
  func run(
    under lock: borrowing WriterLock,
    insertingMeanwhile insert: @escaping @Sendable (() throws -> Void) throws -> Void
  ) throws {
    let end = PublishingEnd()
    let rows = WorkAlongside { try insert(end.wait) }
    rows.start()
    do {
      try staging.publish(files, under: lock)
      end.set(.success(()))
    } catch {
      end.set(.failure(error))
      rows.end()
      throw error
    }
    try settle(under: lock, rows.value)
  }

  private var files: [(name: String, path: RelativePath)] {
    paths.map { ($0.name, $0) }
  }

  /// Writes rows of recordings whose files are published. If that fails, finds out which rows and
  /// files there are.
  @discardableResult
  private func settle<Value>(
    under lock: borrowing WriterLock, _ insert: () throws -> Value
  ) throws -> Value? {
    do {
      return try insert()
    } catch {
      guard areCommitted else {
        try withdraw(under: lock)
        throw error
      }
      return nil
    }
  }

  /// Whether a commit took place although it reported an error. Everything but the removal of its
  /// journal was on the disk, and syncing the folder adds that.
  private var areCommitted: Bool {
    let stand = try? ids.allSatisfy(library.catalog.files.contains)
    return stand == true && (try? library.tree.sync()) != nil
  }

  /// Withdraws the published files, because their rows could not be written.
  ///
  /// It does so only if they surely have no rows. A commit may fail after it was made, and its
  /// journal may still undo it. Recovery then finds out which it was.
  private func withdraw(under lock: borrowing WriterLock) throws {
    let mayHaveRow =
      (try? ids.contains(where: library.catalog.files.contains)) ?? true
    if mayHaveRow { staging.leaveToRecovery() } else { try staging.withdraw(under: lock) }
  }
}

/// The end of publishing files, for which their rows wait.
private final class PublishingEnd: Sendable {
  private let result = Mutex<Result<Void, any Error>>(.success(()))
  private let hasEnded = DispatchSemaphore(value: 0)

  func set(_ result: Result<Void, any Error>) {
    self.result.withLock { $0 = result }
    hasEnded.signal()
  }

  /// Waits for the end, and throws what went wrong. Call it once.
  func wait() throws {
    hasEnded.wait()
    try result.withLock(\.self).get()
  }
}
