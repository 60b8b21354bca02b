internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Puts the files of another library's recordings into this one, and commits their rows.
struct MergedFiles: Sendable {
  /// What became of recordings that this library lacked.
  struct Outcome: Sendable {
    var brought = 0
    var withoutThumbnail = 0
    var bytes: Int64 = 0
    var failures: [(id: RecordingID, LibraryError)] = []
  }

  let library: Library
  let other: OtherLibrary
  let sharing: FileSharing
  let jobs: Int

  // MARK: New recordings

  /// Reports what ``bring(_:)`` would do, as far as that is known without reading the files.
  func plan(_ candidates: [MergeCandidate]) async throws -> Outcome {
    try await onOwnThread { stop in
      var outcome = Outcome()
      for candidate in candidates {
        try stop.check()
        do {
          _ = try self.openMedia(of: candidate.version.recording)
          outcome.brought += 1
          outcome.bytes += candidate.version.recording.ingestion.fileSize
        } catch {
          outcome.failures.append((candidate.id, LibraryError(itemFailure: error)))
        }
      }
      return outcome
    }
  }

  /// Brings recordings, and commits all of them together. Those whose files cannot be brought are left
  /// out.
  func bring(_ candidates: [MergeCandidate]) async throws -> Outcome {
    try await withStaging { staging in
      var outcome = Outcome()
      var brought: [MergeCandidate] = []
      var lacking: Set<RelativePath> = []
      for (candidate, result) in try await stage(candidates, in: staging) {
        switch result {
        case .success(let hasThumbnail):
          brought.append(candidate)
          if !hasThumbnail { lacking.insert(.thumbnail(id: candidate.id)) }
        case .failure(let error):
          outcome.failures.append((candidate.id, LibraryError(itemFailure: error)))
        }
      }
      outcome.withoutThumbnail = lacking.count
      outcome.bytes = brought.reduce(0) { $0 + $1.version.recording.ingestion.fileSize }
      outcome.brought = try await commit(brought, lacking: lacking, from: staging)
      return outcome
    }
  }

  /// Brings files to staging, several side by side.
  ///
  /// - Returns: For each recording whether its thumbnail was brought too, or why it was not brought.
  private func stage(
    _ candidates: [MergeCandidate], in staging: Staging
  ) async throws -> [(MergeCandidate, Result<Bool, any Error>)] {
    try await withThrowingTaskGroup(
      of: [(MergeCandidate, Result<Bool, any Error>)].self
    ) { group in
      let share = (candidates.count + jobs - 1) / jobs
      for start in stride(from: 0, to: candidates.count, by: max(share, 1)) {
        let part = candidates[start..<min(start + share, candidates.count)]
        group.addTask {
          try await onOwnThread { stop in
            try part.map { candidate in
              try stop.check()
              return (candidate, try self.stage(candidate, in: staging, until: stop))
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func stage(
    _ candidate: MergeCandidate, in staging: Staging, until stop: StopFlag
  ) throws -> Result<Bool, any Error> {
    let recording = candidate.version.recording
    let name = RelativePath.media(recording.type, id: recording.id).name
    do {
      try bringMedia(of: recording, as: name, to: staging, until: stop)
    } catch let error where !(error is CancellationError || error is WritingFailure) {
      try? staging.removeFile(named: name)
      return .failure(error)
    }
    guard recording.type == .video else { return .success(true) }
    return .success(
      try bringThumbnail(of: recording, as: .thumbnail(id: recording.id), to: staging, until: stop))
  }

  private func commit(
    _ candidates: [MergeCandidate], lacking: Set<RelativePath>, from staging: Staging
  ) async throws -> Int {
    guard !candidates.isEmpty else { return 0 }
    let tree = try library.writableTree()
    return try await onOwnThread { stop in
      try stop.check()
      try staging.seal(recordings: candidates.map(\.id))
      return try tree.withWriterLock(until: stop) { lock in
        try library.refuseIfOffline("nothing more was merged")
        // An import or another merge may have brought them meanwhile.
        let matches = try library.catalog.matches(of: candidates, in: other.catalog)
        let missing = zip(candidates, matches).filter { $0.1 == nil }.map(\.0)
        let recordings = missing.map(\.ownRecording)
        try library.publish(
          recordings, lacking: lacking, from: staging, under: lock
        ) {
          try library.catalog.insert(merged: missing)
        }
        return missing.count
      }
    }
  }

  // MARK: Recordings that both have

  /// Commits changes of rows that need no files, all together.
  func writeRows(_ merges: [Merge]) async throws {
    let tree = try library.writableTree()
    try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { _ in
        // They may have been changed meanwhile.
        let present = try merges.compactMap { merge -> Merge? in
          guard let own = try library.catalog.match(of: merge.other, in: other.catalog),
            let present = try Merge(own, merge.other), !present.changesFiles
          else { return nil }
          return present
        }
        try library.catalog.write(present)
      }
    }
  }

  /// Puts the files of a recording that both libraries have in their places, and writes its row.
  ///
  /// - Returns: The size of the file, if it was brought.
  func replace(_ merge: Merge) async throws -> Int64 {
    try await withStaging { staging in
      let tree = try library.writableTree()
      return try await onOwnThread { stop in
        if merge.merged.recording.id != merge.own.id {
          try rename(merge, staging, tree, stop)
        } else {
          try remake(merge, staging, tree, stop)
        }
        return merge.merged.takesFile ? merge.merged.recording.ingestion.fileSize : 0
      }
    }
  }

  /// Gives a recording another ID, and so other files.
  private func rename(
    _ merge: Merge, _ staging: Staging, _ tree: LibraryTree, _ stop: StopFlag
  ) throws {
    let (own, recording) = (merge.own.version.recording, merge.merged.recording)
    let media = recording.filePath.name
    if merge.merged.takesFile {
      try bringMedia(of: merge.other.version.recording, as: media, to: staging, until: stop)
    } else {
      // The file gets a second name, or its copy does. Its row says what bytes it has.
      let file = try tree.openForReading(own.filePath)
      let hash = try staging.bring(file, as: media, by: FileSharing(isAllowed: true), until: stop)
      try Self.check(hash, file, own)
    }
    var lacking: Set<RelativePath> = []
    if let thumbnail = recording.thumbnailPath {
      let hasThumbnail =
        merge.merged.takesThumbnail
        ? try bringThumbnail(
          of: merge.other.version.recording, as: thumbnail, to: staging, until: stop)
        : try bringOwnThumbnail(of: own, as: thumbnail, to: staging, until: stop)
      if !hasThumbnail { lacking.insert(thumbnail) }
    }
    try staging.seal(recordings: [recording.id])
    try tree.withWriterLock(until: stop) { lock in
      try refuseIfChanged(merge)
      try library.publish([recording], lacking: lacking, from: staging, under: lock) {
        let paths = [own.filePath, own.thumbnailPath].compactMap(\.self)
        try tree.delete(
          own.id, paths: paths, under: lock, rows: CatalogRows(catalog: library.catalog)
        ) {
          try library.catalog.write([merge])
        }
      }
    }
  }

  /// Replaces the files of a recording that keeps its ID.
  private func remake(
    _ merge: Merge, _ staging: Staging, _ tree: LibraryTree, _ stop: StopFlag
  ) throws {
    let (recording, others) = (merge.merged.recording, merge.other.version.recording)
    var remade: [RemadeFile] = []
    if merge.merged.takesFile {
      try bringMedia(of: others, as: recording.filePath.name, to: staging, until: stop)
      remade.append(RemadeFile(path: recording.filePath, hash: others.ingestion.fileSHA256))
    }
    if merge.merged.takesThumbnail, let path = recording.thumbnailPath,
      let hash = others.ingestion.thumbnailSHA256
    {
      guard try bringThumbnail(of: others, as: path, to: staging, until: stop) else {
        throw LibraryError(
          .notMerged,
          "its thumbnail in the other library is missing or damaged; make it again there")
      }
      let note = try merge.other.version.thumbnail.map {
        String(decoding: try JSONFormat.encoder.encode($0), as: UTF8.self)
      }
      remade.append(RemadeFile(path: path, hash: hash, note: note))
    }
    try staging.seal(remade: remade)
    try tree.withWriterLock(until: stop) { lock in
      try refuseIfChanged(merge)
      if let failure = try staging.publish(remade: remade, under: lock).first {
        // Another file may have its name already. Then recovery must update the row.
        staging.leaveToRecovery()
        throw failure.value
      }
      do { try library.catalog.write([merge]) } catch {
        // The files have their names already, so recovery must update the row.
        staging.leaveToRecovery()
        throw error
      }
    }
  }

  private func refuseIfChanged(_ merge: Merge) throws {
    try library.refuseIfOffline("nothing more was merged")
    guard try library.catalog.match(of: merge.other, in: other.catalog) == merge.own else {
      throw LibraryError(.notMerged, "it was changed during the merge; merge again")
    }
  }

  // MARK: Files

  private func withStaging<Value: Sendable>(
    _ body: (Staging) async throws -> Value
  ) async throws -> Value {
    let tree = try library.writableTree()
    let staging = try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { try tree.makeStaging(id: UUID(), under: $0) }
    }
    do {
      let value = try await body(staging)
      try? staging.remove()
      return value
    } catch {
      try? staging.remove()
      throw error
    }
  }

  /// Opens the file of one of the other library's recordings.
  private func openMedia(of recording: Recording) throws -> OpenFile {
    let file = try other.files.open(recording.filePath)
    guard try file.identity().size == recording.ingestion.fileSize else {
      throw LibraryError(
        .notMerged,
        "its file in the other library is not the one that its row names; it is damaged")
    }
    return file
  }

  private func bringMedia(
    of recording: Recording, as name: String, to staging: Staging, until stop: StopFlag
  ) throws {
    let file = try openMedia(of: recording)
    // A file that is shared is read too: a damaged one must not take the place of an intact one.
    let hash =
      try staging.bring(file, as: name, by: sharing, until: stop)
      ?? file.sha256 { try stop.check() }
    try Self.check(hash, file, recording)
  }

  private static func check(
    _ hash: SHA256Digest?, _ file: OpenFile, _ recording: Recording
  ) throws {
    guard hash == nil || hash == recording.ingestion.fileSHA256 else {
      throw LibraryError(
        .notMerged, "the bytes of its file are not those that its row names; it is damaged")
    }
  }

  /// Brings a thumbnail of the other library.
  ///
  /// - Returns: Whether it is there as the other library's row names it. One that is not can be made
  ///   again.
  private func bringThumbnail(
    of recording: Recording, as path: RelativePath, to staging: Staging, until stop: StopFlag
  ) throws -> Bool {
    try bringThumbnail(
      recording.ingestion.thumbnailSHA256, as: path, to: staging, sharing, until: stop
    ) {
      try recording.thumbnailPath.map(other.files.open)
    }
  }

  private func bringOwnThumbnail(
    of recording: Recording, as path: RelativePath, to staging: Staging, until stop: StopFlag
  ) throws -> Bool {
    try bringThumbnail(
      recording.ingestion.thumbnailSHA256, as: path, to: staging, FileSharing(isAllowed: true),
      until: stop
    ) {
      try recording.thumbnailPath.map(library.tree.openForReading)
    }
  }

  private func bringThumbnail(
    _ expected: SHA256Digest?, as path: RelativePath, to staging: Staging, _ sharing: FileSharing,
    until stop: StopFlag, opening open: () throws -> OpenFile?
  ) throws -> Bool {
    guard let file = try? open() else { return false }
    do {
      let hash =
        try staging.bring(file, as: path.name, by: sharing, until: stop)
        ?? file.sha256 { try stop.check() }
      if hash == expected { return true }
    } catch let error where !(error is CancellationError || error is WritingFailure) {}
    try? staging.removeFile(named: path.name)
    return false
  }
}

extension MergeCandidate {
  /// The recording with the paths that it gets in this library.
  fileprivate var ownRecording: Recording {
    var recording = version.recording
    recording.filePath = .media(recording.type, id: recording.id)
    recording.thumbnailPath = recording.type == .video ? .thumbnail(id: recording.id) : nil
    return recording
  }
}
