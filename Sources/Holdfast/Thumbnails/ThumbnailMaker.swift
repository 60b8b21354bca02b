import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Makes thumbnails for recordings that have rows.
///
/// It makes many at a time, each in staging. It publishes them in batches, each in the place of the
/// old thumbnail, so that the files of a batch share the writes that must reach the disk.
final class ThumbnailMaker {
  struct Staged: Sendable {
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
    case staged(Staged)
    /// No thumbnail was made. The event says why.
    case ended(ThumbnailEvent)
    case sealed([Staged], (any Error)?)
  }

  /// The number of thumbnails that share a sync of their folder and a transaction. It is small
  /// enough that the next thumbnails are made during the wait for a slow disk. It is large enough
  /// that each thumbnail costs little more than its own flush.
  private static let batch = 16

  private let library: Library
  private let tree: LibraryTree
  private let engine: LimitedEngine
  private let options: ThumbnailOptions
  /// Checks the file that is about to be replaced, under the writer lock. If it returns `false` or
  /// throws, the old file is kept.
  private let mayReplace: (Staged, borrowing WriterLock) throws -> Bool

  init(
    _ library: Library, in tree: LibraryTree, options: ThumbnailOptions,
    mayReplace: @escaping (Staged, borrowing WriterLock) throws -> Bool = { _, _ in true }
  ) throws {
    self.library = library
    self.tree = tree
    self.options = options
    self.mayReplace = mayReplace
    engine = LimitedEngine(try library.mediaEngine(), jobs: options.jobs)
  }

  func run(_ report: (ThumbnailEvent) -> Void) async throws {
    let (library, options) = (library, options)
    let ids = try await onOwnThread { _ in try Self.wanted(in: library, options) }
    report(.planned(ids.count))
    if !ids.isEmpty { try await make(ids, report) }
  }

  private static func wanted(
    in library: Library, _ options: ThumbnailOptions
  ) throws -> [RecordingID] {
    var seen: Set<RecordingID> = []
    if let ids = options.ids, !options.onlyMissing {
      return ids.filter { seen.insert($0).inserted }
    }
    let wanted = options.ids.map(Set.init)
    var ids: [RecordingID] = []
    var page = try library.catalog.thumbnails.page(after: nil)
    while let last = page.last {
      for row in page where wanted?.contains(row.id) ?? true {
        if try !options.onlyMissing || options.differs(from: row.record)
          || isMissing(row.path, library.tree)
        {
          ids.append(row.id)
        }
      }
      page = try library.catalog.thumbnails.page(after: last.id)
    }
    return ids
  }

  private static func isMissing(_ text: String, _ tree: LibraryTree) throws -> Bool {
    // A path that is not inside `Recordings` is for verification to report.
    guard let path = RelativePath(text) else { return false }
    switch try tree.status(of: path) {
    case .missing: return true
    case .regular(let size): return size == 0
    case .notRegular: return false
    }
  }

  /// Makes the thumbnails of these recordings. Each recording has one last event.
  func make(_ ids: [RecordingID], _ report: (ThumbnailEvent) -> Void) async throws {
    let staging = try await tree.makeStaging()
    defer { try? staging.remove() }
    try await withThrowingTaskGroup(of: Step.self) { group in
      var waiting = ids[...]
      var running = 0
      var finished: [Staged] = []
      var isSealing = false
      while true {
        // One more than there are jobs: see `LimitedEngine`.
        while running <= options.jobs, !Task.isCancelled, let id = waiting.popFirst() {
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
        if case .sealed(let batch, let error) = step {
          isSealing = false
          let events =
            try error.map { error in batch.map { .ended($0.id, error) } }
            ?? commit(batch, from: staging)
          for event in events { report(event) }
        } else {
          running -= 1
          report(.progress(ids.count - waiting.count - running))
          switch step {
          case .staged(let staged): finished.append(staged)
          case .ended(let event): report(event)
          case .sealed: break
          }
        }
      }
      for id in waiting { report(.interrupted(id)) }
    }
  }

  private func start(
    _ id: RecordingID, in staging: Staging, _ group: inout ThrowingTaskGroup<Step, any Error>
  ) {
    let item = ThumbnailItem(
      id: id, library: library, tree: tree, engine: engine, options: options, staging: staging)
    group.addTask {
      do {
        return try await item.make().map(Step.staged) ?? .ended(.gone(id))
      } catch {
        return .ended(.ended(id, error))
      }
    }
  }

  /// Makes a batch durable while the next thumbnails are made. It goes on when the run is
  /// cancelled, so that finished thumbnails are kept.
  private func seal(
    _ batch: ArraySlice<Staged>, in staging: Staging,
    _ group: inout ThrowingTaskGroup<Step, any Error>
  ) {
    let batch = Array(batch)
    group.addTask {
      let sealing = Task.detached {
        try await onOwnThread { _ in try staging.seal(remade: batch.map(\.remade)) }
      }
      do {
        try await sealing.value
        return .sealed(batch, nil)
      } catch {
        return .sealed(batch, error)
      }
    }
  }

  private func commit(_ batch: [Staged], from staging: Staging) throws -> [ThumbnailEvent] {
    do {
      return try tree.withWriterLock { try commit(batch, from: staging, under: $0) }
    } catch let error where HoldfastError.Code.locked ~= error || error is CancellationError {
      // The writer lock could not be taken.
      return batch.map { .ended($0.id, error) }
    }
  }

  private func commit(
    _ batch: [Staged], from staging: Staging, under lock: borrowing WriterLock
  ) throws -> [ThumbnailEvent] {
    var events: [ThumbnailEvent] = []
    var ready: [Staged] = []
    for staged in batch {
      do {
        if try stands(staged), try mayReplace(staged, lock) {
          ready.append(staged)
        } else {
          events.append(.gone(staged.id))
        }
      } catch {
        events.append(.ended(staged.id, error))
      }
    }
    let failures = try staging.publish(remade: ready.map(\.remade), under: lock)
    let published = ready.filter { failures[$0.path] == nil }
    if !published.isEmpty {
      do {
        try library.catalog.thumbnails.set(
          published.map {
            RemadeThumbnail(
              id: $0.id, hash: $0.hash, record: $0.record, codecs: $0.report.codecs)
          })
      } catch {
        // The files have their names already, so recovery must update the rows.
        staging.leaveToRecovery()
        throw error
      }
    }
    return events
      + ready.map { staged in
        failures[staged.path].map { .ended(staged.id, $0) }
          ?? .made(staged.id, staged.path, staged.report)
      }
  }

  /// Returns whether the row still describes the files from which the thumbnail was made.
  ///
  /// It returns `false` while the old thumbnail is in the trash because of an interrupted deletion:
  /// recovery will bring that one back.
  private func stands(_ staged: Staged) throws -> Bool {
    guard let row = try library.catalog.files.find(id: staged.id) else { return false }
    return try row.filePath == staged.row.filePath && row.fileSHA256 == staged.row.fileSHA256
      && row.thumbnailPath == staged.row.thumbnailPath
      && !tree.contents.isInTrash(staged.path, of: staged.id)
  }
}

extension ThumbnailEvent {
  static func ended(_ id: RecordingID, _ error: any Error) -> ThumbnailEvent {
    error is CancellationError ? .interrupted(id) : .failed(id, HoldfastError(itemFailure: error))
  }
}

private struct ThumbnailItem: Sendable {
  let id: RecordingID
  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let options: ThumbnailOptions
  let staging: Staging

  /// Makes the thumbnail in staging; `nil` if the recording no longer exists.
  func make() async throws -> ThumbnailMaker.Staged? {
    guard let begun = try await onOwnThread({ _ in try begin() }) else { return nil }
    do {
      let report = try await engine.thumbnail(
        begun.job, source: OpenMedia(descriptor: begun.media.descriptor, name: begun.mediaName),
        output: OpenMedia(descriptor: begun.picture.descriptor, name: begun.path.name))
      let hash = try await onOwnThread { stop in try begun.picture.sha256(until: stop) }
      return ThumbnailMaker.Staged(
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
    guard let (row, record) = try library.catalog.thumbnails.find(of: id) else { return nil }
    guard let text = row.thumbnailPath else { throw HoldfastError.noPicture(id) }
    guard let media = RelativePath(row.filePath), let path = RelativePath(text),
      path == .thumbnail(id: id)
    else {
      throw HoldfastError(
        .badThumbnailPath, "the catalog has a path for it that belongs to another file")
    }
    return Begun(
      row: row, path: path, job: options.job(after: record),
      media: try tree.openForReading(media), mediaName: media.name,
      picture: try staging.createFile(named: path.name))
  }
}
