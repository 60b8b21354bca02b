internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// One merge of another library into this one: its recordings in batches, each with its files, and then
/// everything else in one transaction.
///
/// Each batch is committed by itself. A merge that begins again finds the recordings that it has.
struct MergeRun: Sendable {
  /// How many recordings are compared, and brought, at a time.
  private static let batch = 1000

  let library: Library
  let options: MergeOptions
  let report: @Sendable (MergeEvent) -> Void

  func run(_ path: String) async throws {
    guard !options.isDryRun else { return try await merge(path, nil) }
    let staging = try await makeStaging()
    do {
      try await merge(path, staging)
    } catch {
      try? staging.remove()
      throw error
    }
    try staging.remove()
  }

  private func makeStaging() async throws -> Staging {
    let tree = try library.writableTree()
    return try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { try tree.makeStaging(id: UUID(), under: $0) }
    }
  }

  private func merge(_ path: String, _ staging: Staging?) async throws {
    let (other, taking) = try await onOwnThread { stop -> (OtherLibrary, TakenFiles?) in
      let other = try OtherLibrary(at: path, for: library, in: staging, until: stop)
      try other.catalog.refuseOthers(than: library.catalog)
      guard options.takesFiles, !options.isDryRun else { return (other, nil) }
      return (
        other, try TakenFiles(library: library, other: other, until: stop, report: report)
      )
    }
    var counts = MergeReport(records: DataImportReport([]))
    try await mergeRecordings(of: other, taking, &counts)
    counts.records = try await onOwnThread { _ in
      try options.isDryRun
        ? library.catalog.mergeRecords(of: other.catalog, isDryRun: true)
        : library.whileLocked {
          try library.catalog.mergeRecords(of: other.catalog, isDryRun: false)
        }
    }
    report(.finished(counts))
  }

  // MARK: Recordings

  private func mergeRecordings(
    of other: OtherLibrary, _ taking: TakenFiles?, _ counts: inout MergeReport
  ) async throws {
    let total = try await onOwnThread { _ in
      try other.catalog.count(matching: RecordingQuery())
    }
    let files = MergedFiles(
      library: library, other: other, sharing: FileSharing(isAllowed: other.files.mayBeShared),
      jobs: max(options.jobs, 1))
    var (done, last) = (0, String?.none)
    while true {
      try Task.checkCancellation()
      let batch = try await onOwnThread { [last] _ in
        try other.catalog.mergePage(after: last, limit: Self.batch)
          .map { page in try (page, Batch(page, library.catalog, other.catalog)) }
      }
      guard let (page, batch) = batch else { return }
      last = page.last
      for (id, reason) in page.unreadable {
        fail(
          id, LibraryError(.notMerged, "its row in the other library cannot be read: \(reason)"),
          &counts)
      }
      for id in batch.unmergeable {
        fail(
          id.uuidString,
          LibraryError(
            .notMerged, "the notes of both libraries are too long to keep together; shorten one"),
          &counts)
      }
      counts.unchanged += batch.unchanged
      try await bring(batch.added, with: files, &counts)
      try await update(batch.updated, with: files, &counts)
      if let taking {
        counts.taken += try await onOwnThread { stop in
          try taking.take(page.candidates, until: stop)
        }
      }
      done += page.candidates.count + page.unreadable.count
      report(.compared(done, of: max(total, done)))
    }
  }

  private func bring(
    _ added: [MergeCandidate], with files: MergedFiles, _ counts: inout MergeReport
  ) async throws {
    guard !added.isEmpty else { return }
    let outcome =
      options.isDryRun ? try await files.plan(added) : try await files.bring(added)
    for (id, error) in outcome.failures { fail(id.uuidString, error, &counts) }
    counts.added += outcome.brought
    counts.withoutThumbnail += outcome.withoutThumbnail
    counts.bytes += outcome.bytes
  }

  private func update(
    _ updated: [Merge], with files: MergedFiles, _ counts: inout MergeReport
  ) async throws {
    if !options.isDryRun {
      let rows = updated.filter { !$0.changesFiles }
      if !rows.isEmpty { try await files.writeRows(rows) }
    }
    for merge in updated {
      if merge.changesFiles, !options.isDryRun {
        do {
          counts.bytes += try await files.replace(merge)
        } catch let error where !(error is CancellationError || error is WritingFailure) {
          fail(merge.other.id.uuidString, LibraryError(itemFailure: error), &counts)
          continue
        }
      }
      counts.updated += 1
      if merge.isJoined { counts.joined += 1 }
    }
  }

  private func fail(_ id: String, _ error: LibraryError, _ counts: inout MergeReport) {
    counts.failed += 1
    report(.failed(id: id, error))
  }
}

/// Some of the other library's recordings, by what is to be done with them.
private struct Batch: Sendable {
  /// Those that this library lacks.
  var added: [MergeCandidate] = []
  /// Those that this library has, and that change.
  var updated: [Merge] = []
  /// How many this library has as they are.
  var unchanged = 0
  /// Those whose notes are too long to keep together with this library's.
  var unmergeable: [RecordingID] = []

  init(_ page: MergePage, _ own: Catalog, _ other: Catalog) throws {
    let matches = try own.matches(of: page.candidates, in: other)
    for (var candidate, match) in zip(page.candidates, matches) {
      guard let match else {
        added.append(candidate)
        continue
      }
      // Somebody imported the same source twice here, on purpose.
      candidate.aliases = try candidate.aliases.filter { alias in
        try alias == match.id || !own.hasRecording(id: alias)
      }
      guard let merge = try Merge(match, candidate) else {
        unmergeable.append(candidate.id)
        continue
      }
      if merge.changesNothing { unchanged += 1 } else { updated.append(merge) }
    }
  }
}
