internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Makes thumbnails for recordings that have rows.
///
/// It makes many at a time, each in staging. It publishes them in batches, each in the place of the
/// old thumbnail, so that the files of a batch share the writes that must reach the disk.
final class ThumbnailRun {
  /// The result for one recording.
  enum Outcome {
    case made(RelativePath, ThumbnailReport)
    case failed(any Error)
    /// The recording no longer exists.
    case gone
  }

  /// A thumbnail in staging.
  struct Made: Sendable {
    let row: StoredFiles
    let path: RelativePath
    let hash: SHA256Digest
    let record: ThumbnailRecord?
    let report: ThumbnailReport

    var id: RecordingID { row.id }

    /// The file's entry in staging's list, with all that recovery needs to update the row.
    var remade: RemadeFile {
      let note = record.flatMap { try? JSONFormat.encoder.encode($0) }
      return RemadeFile(
        path: path, hash: hash, note: note.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  private enum Step: Sendable {
    case made(Result<Made?, any Error>, RecordingID)
    case sealed([Made], Result<Void, any Error>)
  }

  /// How many thumbnails share a sync of their folder and a transaction. It is small enough that
  /// the next thumbnails are made during the wait for a slow disk. It is large enough that each
  /// thumbnail costs little more than its own flush.
  private static let batch = 16

  private let library: Library
  private let tree: LibraryTree
  private let engine: LimitedEngine
  private let jobs: Int
  private let options: ThumbnailOptions
  /// Looks at the file that is about to be replaced, under the writer lock. If it throws, the old
  /// file is kept.
  private let replacing: (Made, borrowing WriterLock) throws -> Void

  init(
    _ library: Library, _ tree: LibraryTree, _ options: ThumbnailOptions,
    replacing: @escaping (Made, borrowing WriterLock) throws -> Void = { _, _ in }
  ) throws {
    self.library = library
    self.tree = tree
    self.options = options
    self.replacing = replacing
    jobs = options.jobs
    engine = LimitedEngine(try library.mediaEngine(), jobs: jobs)
  }

  /// Makes the thumbnails of these recordings.
  ///
  /// - Parameters:
  ///   - ids: The recordings.
  ///   - progress: Called with the number of thumbnails that are made or have failed so far.
  ///   - report: Called with the outcome of each, once it is final.
  /// - Throws: Any error that ends the whole run, and whatever `report` or `progress` throws.
  func make(
    _ ids: [RecordingID], progress: (Int) throws -> Void = { _ in },
    _ report: (RecordingID, Outcome) throws -> Void
  ) async throws {
    let tree = tree
    let staging = try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { try tree.makeStaging(id: UUID(), under: $0) }
    }
    defer { try? staging.remove() }
    try await withThrowingTaskGroup(of: Step.self) { group in
      var waiting = ids[...]
      var running = 0
      var finished: [Made] = []
      var isSealing = false
      while true {
        // One more than there are jobs: see `LimitedEngine`.
        while running <= jobs, !Task.isCancelled, let id = waiting.popFirst() {
          running += 1
          start(id, in: staging, &group)
        }
        let isFull = finished.count >= Self.batch || running == 0
        if !isSealing, isFull, !finished.isEmpty {
          isSealing = true
          seal(finished.prefix(Self.batch), in: staging, &group)
          finished.removeFirst(min(Self.batch, finished.count))
        }
        // After a cancellation too, because items under way report their own end.
        guard let step = try await group.next() else { break }
        switch step {
        case .made(let result, let id):
          running -= 1
          try progress(ids.count - waiting.count - running)
          switch result {
          case .success(let made?): finished.append(made)
          case .success(nil): try report(id, .gone)
          case .failure(let error): try report(id, .failed(error))
          }
        case .sealed(let batch, let result):
          isSealing = false
          switch result {
          case .success: try publish(batch, from: staging, report)
          case .failure(let error): for made in batch { try report(made.id, .failed(error)) }
          }
        }
      }
      for id in waiting { try report(id, .failed(CancellationError())) }
    }
  }

  private func start(
    _ id: RecordingID, in staging: Staging, _ group: inout ThrowingTaskGroup<Step, any Error>
  ) {
    let item = ThumbnailItem(
      id: id, library: library, tree: tree, engine: engine, options: options, staging: staging)
    group.addTask { .made(await item.run(), id) }
  }

  /// Makes a batch durable while the next thumbnails are made. It goes on when the run is
  /// cancelled, so that finished thumbnails are kept.
  private func seal(
    _ batch: ArraySlice<Made>, in staging: Staging,
    _ group: inout ThrowingTaskGroup<Step, any Error>
  ) {
    let batch = Array(batch)
    group.addTask {
      let sealing = Task.detached {
        try await onOwnThread { _ in try staging.seal(remade: batch.map(\.remade)) }
      }
      return .sealed(batch, await sealing.result)
    }
  }

  /// Publishes the thumbnails of a batch, and updates their rows.
  private func publish(
    _ batch: [Made], from staging: Staging, _ report: (RecordingID, Outcome) throws -> Void
  ) throws {
    var outcomes: [RecordingID: Outcome] = [:]
    do { outcomes = try publish(batch, from: staging) } catch let error
      where error is LockTimeout || error is CancellationError
    {
      // The writer lock could not be taken.
      for made in batch { outcomes[made.id] = .failed(error) }
    }
    for made in batch {
      if let outcome = outcomes[made.id] { try report(made.id, outcome) }
    }
  }

  private func publish(
    _ batch: [Made], from staging: Staging
  ) throws -> [RecordingID: Outcome] {
    try tree.withWriterLock { lock in
      var outcomes: [RecordingID: Outcome] = [:]
      var ready: [Made] = []
      for made in batch {
        do {
          if try stands(made) {
            try replacing(made, lock)
            ready.append(made)
          } else {
            outcomes[made.id] = .gone
          }
        } catch {
          outcomes[made.id] = .failed(error)
        }
      }
      let failures = try staging.publish(remade: ready.map(\.remade), under: lock)
      for made in ready {
        outcomes[made.id] =
          failures[made.path].map { .failed($0) } ?? .made(made.path, made.report)
      }
      let published = ready.filter { failures[$0.path] == nil }
      guard !published.isEmpty else { return outcomes }
      do {
        try library.catalog.setThumbnails(
          published.map {
            RemadeThumbnail(
              id: $0.id, hash: $0.hash, record: $0.record, codecs: $0.report.codecs)
          })
      } catch {
        // The files have their names already, so recovery must update the rows.
        staging.leaveToRecovery()
        throw error
      }
      return outcomes
    }
  }

  /// Returns whether the row still describes the files from which the thumbnail was made.
  ///
  /// It returns `false` while the old thumbnail is in the trash because of an interrupted deletion:
  /// recovery will bring that one back.
  private func stands(_ made: Made) throws -> Bool {
    guard let row = try library.catalog.storedFiles(id: made.id) else { return false }
    return try row.filePath == made.row.filePath && row.fileSHA256 == made.row.fileSHA256
      && row.thumbnailPath == made.row.thumbnailPath && !tree.isInTrash(made.path, of: made.id)
  }
}

/// Makes one thumbnail in staging.
private struct ThumbnailItem: Sendable {
  let id: RecordingID
  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let options: ThumbnailOptions
  let staging: Staging

  /// Makes the thumbnail.
  ///
  /// - Returns: The thumbnail in staging; `nil` if the recording no longer exists.
  func run() async -> Result<ThumbnailRun.Made?, any Error> {
    do { return .success(try await make()) } catch { return .failure(error) }
  }

  private func make() async throws -> ThumbnailRun.Made? {
    guard let begun = try await onOwnThread({ _ in try begin() }) else { return nil }
    do {
      let report = try await engine.thumbnail(
        begun.job, source: OpenMedia(descriptor: begun.media.descriptor, name: begun.mediaName),
        output: OpenMedia(descriptor: begun.picture.descriptor, name: begun.path.name))
      let hash = try await onOwnThread { stop in try begun.picture.sha256(until: stop) }
      return ThumbnailRun.Made(
        row: begun.row, path: begun.path, hash: hash,
        record: ThumbnailRecord(begun.job, report), report: report)
    } catch {
      try? staging.removeFile(named: begun.path.name)
      throw error
    }
  }

  private struct Begun: Sendable {
    var row: StoredFiles
    var path: RelativePath
    var job: ThumbnailJob
    var media: OpenFile
    var mediaName: String
    var picture: OpenFile
  }

  /// Reads the current row, and opens the files to read and to write.
  private func begin() throws -> Begun? {
    guard let row = try library.catalog.storedFiles(id: id) else { return nil }
    guard let text = row.thumbnailPath else { throw LibraryError.noPicture(id) }
    guard let media = RelativePath(row.filePath), let path = RelativePath(text),
      path == .thumbnail(id: id)
    else {
      throw LibraryError(
        .badThumbnailPath, "the catalog has a path for it that belongs to another file")
    }
    return Begun(
      row: row, path: path, job: options.job(after: try library.catalog.thumbnail(of: id)),
      media: try tree.openForReading(media), mediaName: media.name,
      picture: try staging.createFile(named: path.name))
  }
}
