import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// One merge of another library into this one: its recordings in batches, each with its files, and
/// then everything else in one transaction.
///
/// Each batch is committed by itself. A merge that begins again finds the recordings that it has.
struct MergeRun: Sendable {
  /// The number of recordings that are compared, and merged, at a time.
  private static let batch = 1000
  /// The most attempts to merge recordings that another program changes meanwhile.
  private static let attempts = 5

  let library: Library
  let options: MergeOptions
  let previous: LibraryRun<MergeEvent>?
  let report: @Sendable (MergeEvent) -> Void

  func run(_ path: String) async throws {
    guard !options.isDryRun else { return try await merge(path) }
    let (staging, spare) = try await makeStaging()
    do {
      try await merge(path, staging: staging, spare: spare)
    } catch {
      try? spare.claim()?.remove()
      try? staging.remove()
      throw error
    }
    try spare.claim()?.remove()
    try staging.remove()
  }

  /// Makes a folder for the other catalog's copy, and one for the first files: the lock is then
  /// taken once.
  private func makeStaging() async throws -> (Staging, FirstBatchStaging) {
    let tree = try library.writableTree()
    return try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { lock in
        let staging = try tree.makeStaging(id: UUID(), under: lock)
        do {
          return (staging, FirstBatchStaging(try tree.makeStaging(id: UUID(), under: lock)))
        } catch {
          try? staging.remove()
          throw error
        }
      }
    }
  }

  private func merge(
    _ path: String, staging: Staging? = nil, spare: FirstBatchStaging? = nil
  ) async throws {
    let (other, taking) = try await onOwnThread { stop -> (OtherLibrary, SourceRemoval?) in
      let other = try OtherLibrary(at: path, for: library, in: staging, until: stop)
      try other.catalogs.checkJournals()
      guard options.takesFiles else { return (other, nil) }
      let taking = try SourceRemoval(library: library, other: other, report: report)
      if options.isDryRun { return (other, nil) }
      try taking.refuseIfSeen(until: stop)
      return (other, taking)
    }
    var counts = MergeReport(records: DataImportReport([]))
    let ids = try await mergeRecordings(of: other, taking, spare: spare, &counts)
    await previous?.end()
    let remarks = counts.records.remarks
    let photos = try await MergedPhotos(of: other, into: library, isDryRun: options.isDryRun)
    defer { photos.remove() }
    counts.failedPhotos = photos.failures.count
    for (id, error) in photos.failures { report(.failed(id: id.uuidString, error)) }
    counts.records = try await onOwnThread { _ in
      try options.isDryRun
        ? other.catalogs.mergeRecords(after: ids, with: photos.hashes, isDryRun: true)
        : photos.publish {
          try other.catalogs.mergeRecords(after: ids, with: photos.hashes, isDryRun: false)
        }
    }
    if let taking { try await onOwnThread { _ in try taking.namePhotos() } }
    counts.records.remarks = remarks + counts.records.remarks
    report(.finished(counts))
  }

  // MARK: Recordings

  private func mergeRecordings(
    of other: OtherLibrary, _ taking: SourceRemoval?, spare: FirstBatchStaging?,
    _ counts: inout MergeReport
  ) async throws -> MergedIDs {
    let total = try await onOwnThread { _ in
      try other.catalogs.other.recordings.count(matching: RecordingQuery())
    }
    let files = try MergedFiles(
      other, into: library, options, taking: taking, spare: spare, after: previous)
    var done = 0
    var ids = MergedIDs()
    var next = try await nextPage(of: other, after: nil)
    while let page = next {
      try Task.checkCancellation()
      // The next page is read while this one is merged.
      async let following = nextPage(of: other, after: page.last)
      for (id, reason) in page.unreadable {
        fail(
          id,
          with: HoldfastError(.notMerged, "its row in the other library cannot be read: \(reason)"),
          &counts)
      }
      let (merged, taken) = try await merge(
        page.candidates, with: files, ids: &ids, counts: &counts)
      // A recording that was not merged stays whole in the other library.
      let rest = page.candidates.filter { merged.contains($0.id) && !taken.contains($0.id) }
      counts.taken += taken.count
      if let taking, !rest.isEmpty {
        counts.taken += try await onOwnThread { stop in try taking.remove(rest, until: stop) }
      }
      if let taking, counts.taken > 0 {
        try await onOwnThread { _ in taking.noteMissing(page.candidates) }
      }
      done += page.candidates.count + page.unreadable.count
      report(.compared(done, of: max(total, done)))
      next = try await following
    }
    return ids
  }

  private func nextPage(of other: OtherLibrary, after last: String?) async throws -> MergePage? {
    try await onOwnThread { _ in try other.catalogs.page(after: last, limit: Self.batch) }
  }

  /// Merges recordings. If another program, such as another merge, changes some meanwhile, they are
  /// compared again.
  ///
  /// - Returns: The recordings that this library has entirely, and those whose files were removed
  ///   from the other library.
  private func merge(
    _ candidates: [MergeCandidate], with files: MergedFiles, ids: inout MergedIDs,
    counts: inout MergeReport
  ) async throws -> (merged: Set<RecordingID>, taken: Set<RecordingID>) {
    var waiting = candidates
    var (merged, taken) = (Set<RecordingID>(), Set<RecordingID>())
    for _ in 0..<Self.attempts where !waiting.isEmpty {
      let batch = try await onOwnThread { [waiting] _ in
        try Batch(waiting, files.other.catalogs)
      }
      for id in batch.unmergeable {
        fail(
          id.uuidString,
          with: HoldfastError(
            .notMerged, "the notes of both libraries are too long to keep together",
            operation: "merge the notes"),
          &counts)
      }
      for (own, other) in batch.namesakes {
        // Nothing that names the other one is this library's recording.
        ids.namesakes.insert(other)
        fail(
          other.uuidString,
          with: HoldfastError(
            .notMerged,
            "this library has another recording with its ID, which was made from "
              + "\(own.ingestion.originalFilename.escapedForDisplay); each library keeps its own",
            operation: "merge another source"),
          &counts)
      }
      let outcome = try await bring(batch.added, with: files, &counts)
      // First, so that they stay unchanged: they are merged when this library has their files
      // again.
      let lost = try await lost(batch, with: files)
      for (merge, error) in lost { fail(merge.other.id.uuidString, with: error, &counts) }
      let lacking = Set(lost.map(\.merge.other.id))
      let unchanged = batch.unchanged.map(\.other.id).filter { !lacking.contains($0) }
      counts.unchanged += unchanged.count
      let (updated, changed) = try await update(
        batch.updated.filter { !lacking.contains($0.other.id) }, with: files, &counts)
      let settled = Set(unchanged + updated)
      for merge in batch.unchanged + batch.updated where settled.contains(merge.other.id) {
        if merge.own.id != merge.other.id { ids.twins[merge.other.id] = merge.own.id }
        guard let difference = merge.merged.difference else { continue }
        counts.different += 1
        report(.different(id: merge.merged.recording.id, reason: difference))
      }
      merged.formUnion(unchanged)
      merged.formUnion(updated)
      merged.formUnion(outcome.brought)
      ids.added.formUnion(outcome.brought)
      taken.formUnion(outcome.taken)
      waiting = outcome.changed + changed
    }
    for candidate in waiting {
      fail(
        candidate.id.uuidString,
        with: HoldfastError(.notMerged, "it was changed during the merge", operation: "read"),
        &counts)
    }
    return (merged, taken)
  }

  private func bring(
    _ added: [MergeCandidate], with files: MergedFiles, _ counts: inout MergeReport
  ) async throws -> MergedFiles.Outcome {
    guard !added.isEmpty else { return MergedFiles.Outcome() }
    let outcome =
      options.isDryRun ? try await files.plan(added) : try await files.bring(added)
    for (id, error) in outcome.failures { fail(id.uuidString, with: error, &counts) }
    counts.added += outcome.brought.count
    counts.withoutThumbnail += outcome.withoutThumbnail
    counts.bytes += outcome.bytes
    for candidate in added where outcome.brought.contains(candidate.id) {
      remark(on: candidate.version.recording, &counts)
    }
    return outcome
  }

  /// Changes recordings that both libraries have.
  ///
  /// - Returns: The other library's IDs of the changed recordings, and the recordings that another
  ///   program changed meanwhile.
  private func update(
    _ updated: [Merge], with files: MergedFiles, _ counts: inout MergeReport
  ) async throws -> (updated: [RecordingID], changed: [MergeCandidate]) {
    var (done, changed) = ([RecordingID](), [MergeCandidate]())
    if !options.isDryRun {
      let rows = updated.filter { !$0.changesFiles }
      if !rows.isEmpty { changed = try await files.writeRows(rows) }
    }
    let stale = Set(changed.map(\.id))
    for merge in updated where !stale.contains(merge.other.id) {
      if merge.changesFiles, !options.isDryRun {
        do {
          guard let bytes = try await files.replace(merge) else {
            changed.append(merge.other)
            continue
          }
          counts.bytes += bytes
        } catch let error where !(error is CancellationError || error is WritingFailure) {
          fail(merge.other.id.uuidString, with: HoldfastError(itemFailure: error), &counts)
          continue
        }
      }
      done.append(merge.other.id)
      remark(on: merge.merged.recording, &counts)
      counts.updated += 1
      if merge.isJoined { counts.joined += 1 }
    }
    return (done, changed)
  }

  /// Returns the recordings of a batch whose file is missing in this library, or known to be
  /// damaged, although the other library has it, with an error for each. A user who then removed
  /// the other library, because all is merged, would remove the only copy.
  private func lost(
    _ batch: Batch, with files: MergedFiles
  ) async throws -> [(merge: Merge, error: HoldfastError)] {
    // Some get the other library's file.
    let merges = batch.unchanged + batch.updated.filter { !$0.merged.takesFile }
    return try await onOwnThread { stop in
      let own = library.tree.files
      var suspects: [(merge: Merge, error: HoldfastError)] = []
      for merge in merges {
        try stop.check()
        let (recording, other) = (merge.own.version.recording, merge.other.version.recording)
        let made = recording.ingestion
        let isMissing = !isThere(recording.filePath.string, made.fileSize, in: own)
        // A file that is missing in both libraries does not keep its row out, but it cannot get
        // another name.
        guard
          isMissing
            ? merge.merged.recording.id != merge.own.id || files.hasMedia(of: other)
            : merge.own.isFaulty
        else { continue }
        // The note may be out of date. There are few of these, so both files are read.
        let isIntact = try files.hasIntactMedia(of: other, until: stop)
        guard
          try isMissing
            || isIntact
              && !library.tree.hasBytes(made.fileSHA256, at: recording.filePath, until: stop)
        else { continue }
        suspects.append((merge, Self.failure(of: merge, isIntact, in: files.other.path)))
      }
      guard !suspects.isEmpty, !options.isDryRun else { return suspects }
      // Another command may just have deleted them, repaired them, or given them other names.
      return try library.whileLocked {
        try suspects.filter { suspect in
          guard let row = try library.catalog.files.find(id: suspect.merge.own.id) else {
            return false
          }
          return row.fault != nil || !isThere(row.filePath, row.fileSize, in: own)
        }
      }
    }
  }

  /// Whether this library has a file of this size, as far as the system says.
  private func isThere(_ path: String, _ size: Int64, in files: FolderFiles) -> Bool {
    do {
      let file = try files.identity(of: path.utf8)
      return file?.kind == .regular && file?.size == size
    } catch {
      return true
    }
  }

  /// Returns the error for a recording whose file this library lacks and the library at `path` has.
  ///
  /// - Parameter isIntact: Whether the other library's file is the one that its row names.
  private static func failure(
    of merge: Merge, _ isIntact: Bool, in path: String
  ) -> HoldfastError {
    guard isIntact else {
      return HoldfastError(
        .notMerged,
        "its file is missing or damaged in both libraries", operation: "merge the file", path: path)
    }
    guard merge.isSameFile else {
      return HoldfastError(
        .notMerged,
        "its file is missing or damaged in this library, and the other library has another file of "
          + "it",
        operation: "merge another file", path: path)
    }
    return HoldfastError(
      .recordingLost,
      "its file is missing or damaged in this library, and the other library has it", path: path)
  }

  private func remark(on recording: Recording, _ counts: inout MergeReport) {
    counts.records.remark(
      on: RecordingDocument(recording), at: 0, id: recording.id.uuidString, now: Date())
  }

  private func fail(_ id: String, with error: HoldfastError, _ counts: inout MergeReport) {
    counts.failed += 1
    report(.failed(id: id, error))
  }
}

/// Some of the other library's recordings, by what to do with them.
private struct Batch: Sendable {
  /// Recordings that this library lacks.
  var added: [MergeCandidate] = []
  /// Recordings that this library has, and that change.
  var updated: [Merge] = []
  /// Recordings that this library has as they are.
  var unchanged: [Merge] = []
  /// Recordings whose notes are too long to keep together with this library's.
  var unmergeable: [RecordingID] = []
  /// Recordings of this library that are not the other library's, which has the same ID.
  var namesakes: [(own: Recording, other: RecordingID)] = []

  init(_ candidates: [MergeCandidate], _ catalogs: CatalogMerge) throws {
    let matches = try catalogs.matches(of: candidates)
    for (var candidate, match) in zip(candidates, matches) {
      guard let match else {
        added.append(candidate)
        continue
      }
      let (own, other) = (match.version.recording, candidate.version.recording)
      guard own.isSameRecording(as: other) else {
        namesakes.append((own, candidate.id))
        continue
      }
      // The user imported the same source twice here, on purpose.
      candidate.aliases = try candidate.aliases.filter { alias in
        try alias == match.id || !catalogs.own.recordings.contains(id: alias)
      }
      guard let merge = try Merge(match, candidate) else {
        unmergeable.append(candidate.id)
        continue
      }
      if merge.changesNothing { unchanged.append(merge) } else { updated.append(merge) }
    }
  }
}
