import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Puts the files of another library's recordings into this one, and commits their rows.
struct MergedFiles: Sendable {
  /// The results for recordings that this library lacked.
  struct Outcome: Sendable {
    var brought: Set<RecordingID> = []
    var withoutThumbnail = 0
    var bytes: Int64 = 0
    var failures: [(id: RecordingID, HoldfastError)] = []
    /// Recordings that this library has by now.
    var changed: [MergeCandidate] = []
    /// Recordings whose files were removed from the other library.
    var taken: Set<RecordingID> = []
  }

  let library: Library
  let other: OtherLibrary
  /// The other library's folders, if it has them.
  let folders: RecordingFolders?
  let sharing: FileSharing
  /// Whether a file that is not copied is read too.
  let readsShared: Bool
  let jobs: Int
  let taking: SourceRemoval?
  /// The folder for the first files.
  let spare: FirstBatchStaging?
  /// Another merge, after which this one's rows are written.
  let previous: LibraryRun<MergeEvent>?

  init(
    _ other: OtherLibrary, into library: Library, _ options: MergeOptions, taking: SourceRemoval?,
    spare: FirstBatchStaging?, after previous: LibraryRun<MergeEvent>?
  ) throws {
    (self.taking, self.spare, self.previous) = (taking, spare, previous)
    self.library = library
    self.other = other
    folders = try other.files.folders
    sharing = FileSharing(isAllowed: other.files.mayBeShared, mayClone: !options.takesFiles)
    // A file that is removed from the other library ends up in one place only, as it was.
    readsShared = !options.takesFiles
    jobs = max(options.jobs, 1)
  }

  // MARK: New recordings

  /// Reports what ``bring(_:)`` would do, as far as that is known without reading the files.
  func plan(_ candidates: [MergeCandidate]) async throws -> Outcome {
    try await onOwnThread { stop in
      var outcome = Outcome()
      for candidate in candidates {
        try stop.check()
        do {
          _ = try self.openMedia(of: candidate.version.recording)
          outcome.brought.insert(candidate.id)
          outcome.bytes += candidate.version.recording.ingestion.fileSize
        } catch {
          outcome.failures.append((candidate.id, HoldfastError(itemFailure: error)))
        }
      }
      return outcome
    }
  }

  /// Adds recordings, and commits all of them together. Recordings whose files cannot be added are
  /// left out.
  func bring(_ candidates: [MergeCandidate]) async throws -> Outcome {
    var (waiting, changed) = (candidates, [MergeCandidate]())
    var failures: [(id: RecordingID, HoldfastError)] = []
    var looks = 0
    while true {
      let mayLink = sharing.mayLink
      do {
        var outcome = try await bring(waiting, by: sharing)
        outcome.failures += failures
        outcome.changed += changed
        return outcome
      } catch let error as HoldfastError where error.layer == .storage {
        let found = try await onOwnThread { [waiting] _ in try sort(waiting) }
        guard found.known.isEmpty, found.blocked.isEmpty else {
          changed += found.known
          failures += found.blocked.map { ($0.id, Self.isInTheWay) }
          waiting = found.lacking
          continue
        }
        guard mayLink else { throw error }
        if error.lacksHardLinks || error.code == .otherFilesystem {
          // A disk that forbids a second name may still allow a copy.
          sharing.cannotLink()
          continue
        }
        // A file has gone or has changed since it was examined.
        guard [.missing, .unsafePath].contains(error.code) else { throw error }
        looks += 1
        guard looks >= Self.looks else { continue }
        guard let path = error.path,
          let index = waiting.firstIndex(where: { $0.hasFile(namedAsIn: path) })
        else {
          throw error
        }
        failures.append((waiting.remove(at: index).id, Self.isChanging))
      }
    }
  }

  /// Returns the recordings that this library has by now, those whose file names are taken here,
  /// and those that it lacks.
  private func sort(
    _ candidates: [MergeCandidate]
  ) throws -> (known: [MergeCandidate], blocked: [MergeCandidate], lacking: [MergeCandidate]) {
    var (known, blocked, lacking) = ([MergeCandidate](), [MergeCandidate](), [MergeCandidate]())
    let matches = try other.catalogs.files(matching: candidates)
    for (candidate, match) in zip(candidates, matches) {
      if match != nil {
        known.append(candidate)
      } else if isBlocked(candidate) {
        blocked.append(candidate)
      } else {
        lacking.append(candidate)
      }
    }
    return (known, blocked, lacking)
  }

  /// The most attempts for files that another program changes during the merge.
  private static let looks = 3

  /// Whether something in this library has the name that a recording's file would get.
  private func isBlocked(_ candidate: MergeCandidate) -> Bool {
    let recording = candidate.version.recording.atOwnPaths
    return [recording.filePath, recording.thumbnailPath].compactMap(\.self).contains { path in
      if case .missing? = try? library.tree.status(of: path) { return false }
      return true
    }
  }

  private static let isChanging = HoldfastError(
    .notMerged, "its file in the other library was changed during the merge", operation: "read")

  private static let isInTheWay = HoldfastError(
    .notMerged, "another file has its name in this library", operation: "make the file")

  private func bring(
    _ candidates: [MergeCandidate], by sharing: FileSharing
  ) async throws -> Outcome {
    try await withStaging { staging in
      var outcome = Outcome()
      var brought: [MergeCandidate] = []
      var lacking: Set<RelativePath> = []
      for (candidate, result) in try await stage(candidates, in: staging, by: sharing) {
        switch result {
        case .success(let hasThumbnail):
          brought.append(candidate)
          if !hasThumbnail { lacking.insert(.thumbnail(id: candidate.id)) }
        case .failure(let error):
          outcome.failures.append((candidate.id, HoldfastError(itemFailure: error)))
        }
      }
      (outcome.changed, outcome.taken) = try await commit(
        brought, lacking: lacking, from: staging)
      let changed = Set(outcome.changed.map(\.id))
      brought.removeAll { changed.contains($0.id) }
      outcome.brought = Set(brought.map(\.id))
      outcome.bytes = brought.reduce(0) { $0 + $1.version.recording.ingestion.fileSize }
      outcome.withoutThumbnail = lacking.count { path in
        path.recordingID.map { !changed.contains($0) } ?? true
      }
      return outcome
    }
  }

  /// Brings files to staging, several side by side.
  ///
  /// - Returns: For each recording, whether its thumbnail was brought too, or why the recording was
  ///   not.
  private func stage(
    _ candidates: [MergeCandidate], in staging: Staging, by sharing: FileSharing
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
              return (candidate, try self.stage(candidate, in: staging, by: sharing, until: stop))
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func stage(
    _ candidate: MergeCandidate, in staging: Staging, by sharing: FileSharing,
    until stop: StopFlag
  ) throws -> Result<Bool, any Error> {
    let recording = candidate.version.recording
    let path = RelativePath.media(recording.type, id: recording.id)
    do {
      // A file that need not be read gets a second name when the recording is published.
      if let folders, !readsShared, recording.filePath == path,
        let identity = try staging.name(path, in: folders, by: sharing)
      {
        try Self.checkSize(identity, recording)
      } else {
        try bringMedia(of: recording, as: path.name, to: staging, sharing, until: stop)
      }
    } catch let error where !(error is CancellationError || error is WritingFailure) {
      try? staging.removeFile(named: path.name)
      return .failure(error)
    }
    guard recording.type == .video else { return .success(true) }
    // Unlike the recording's own file, the thumbnail is read even if it need not be copied, because
    // it is small.
    let thumbnail = RelativePath.thumbnail(id: recording.id)
    return .success(
      try bringThumbnail(of: recording, as: thumbnail, to: staging, sharing, until: stop))
  }

  /// Publishes files, and commits their rows.
  ///
  /// - Returns: The recordings that an import or another merge has brought meanwhile, and those
  ///   whose files were removed from the other library.
  private func commit(
    _ candidates: [MergeCandidate], lacking: Set<RelativePath>, from staging: Staging
  ) async throws -> (changed: [MergeCandidate], taken: Set<RecordingID>) {
    guard !candidates.isEmpty else { return ([], []) }
    let tree = try library.writableTree()
    try await onOwnThread { _ in try staging.seal(recordings: candidates.map(\.id)) }
    await previous?.end()
    return try await onOwnThread { stop in
      try stop.check()
      return try withLocks(of: tree, until: stop) { lock in
        try library.refuseIfOffline("nothing more was merged")
        let matches = try other.catalogs.files(matching: candidates)
        let missing = zip(candidates, matches).filter { $0.1 == nil }.map(\.0)
        let recordings = missing.map(\.version.recording.atOwnPaths)
        let publication = Publication(
          library: library, recordings: recordings, lacking: lacking, staging: staging)
        try publication.run(under: lock) { [other] published in
          try other.catalogs.insert(missing, waitingFor: published)
        }
        let taken = taking?.remove(missing, named: staging.named) ?? []
        return (zip(candidates, matches).filter { $0.1 != nil }.map(\.0), taken)
      }
    }
  }

  /// Runs `body` with the library's lock, and with the other's if its files are removed.
  private func withLocks<Value>(
    of tree: LibraryTree, until stop: StopFlag, _ body: (borrowing WriterLock) throws -> Value
  ) throws -> Value {
    guard let taking else { return try tree.withWriterLock(until: stop, body) }
    return try tree.withWriterLocks(and: taking.tree, until: stop, body)
  }

  // MARK: Files

  func withStaging<Value: Sendable>(
    _ body: (Staging) async throws -> Value
  ) async throws -> Value {
    let staging: Staging
    if let made = spare?.claim() {
      staging = made
    } else {
      staging = try await library.writableTree().makeStaging()
    }
    defer { try? staging.remove() }
    return try await body(staging)
  }

  private func openMedia(of recording: Recording) throws -> OpenFile {
    let file = try open(recording)
    try Self.checkSize(file.identity(), recording)
    return file
  }

  private func open(_ recording: Recording) throws -> OpenFile {
    try other.files.open(
      recording.filePath, insteadOf: .media(recording.type, id: recording.id),
      recording.ingestion.fileSHA256)
  }

  /// Whether the other library has a file of one of its recordings, whatever is in it.
  func hasMedia(of recording: Recording) -> Bool {
    (try? open(recording)) != nil
  }

  /// Whether the other library has the file of one of its recordings, with the bytes that its row
  /// names.
  func hasIntactMedia(of recording: Recording, until stop: StopFlag) throws -> Bool {
    guard let file = try? openMedia(of: recording) else { return false }
    do {
      return try file.sha256(until: stop) == recording.ingestion.fileSHA256
    } catch let error as HoldfastError where error.layer == .storage {
      return false
    }
  }

  /// The largest file that is merged, in bytes: 120 s at five times the bit rate of HEVC's highest
  /// level.
  private static let largest = Int64(64) << 30

  private static func checkSize(_ identity: FileIdentity, _ recording: Recording) throws {
    guard identity.size == recording.ingestion.fileSize else {
      throw HoldfastError(
        .notMerged,
        "its file in the other library is not the one that its row names; it is damaged")
    }
    guard identity.size <= largest else {
      throw HoldfastError(
        .notMerged,
        "its file in the other library has \(identity.size.megabytes), and a recording has at most "
          + "\(largest.megabytes); it is damaged")
    }
  }

  func bringMedia(
    of recording: Recording, as name: String, to staging: Staging, _ sharing: FileSharing,
    until stop: StopFlag
  ) throws {
    let file = try openMedia(of: recording)
    // A shared file is read too: a damaged file must not replace an intact one.
    let hash =
      try staging.bring(file, as: name, by: sharing, until: stop) ?? file.sha256(until: stop)
    try Self.check(hash, of: recording)
  }

  static func check(_ hash: SHA256Digest?, of recording: Recording) throws {
    guard hash == nil || hash == recording.ingestion.fileSHA256 else {
      throw HoldfastError(
        .notMerged, "the bytes of its file are not those that its row names; it is damaged")
    }
  }

  /// Brings a thumbnail of the other library.
  ///
  /// - Returns: Whether it is there as the other library's row names it. A missing thumbnail can be
  ///   made again.
  func bringThumbnail(
    of recording: Recording, as path: RelativePath, to staging: Staging, _ sharing: FileSharing,
    until stop: StopFlag
  ) throws -> Bool {
    try bringThumbnail(
      recording.ingestion.thumbnailSHA256, as: path, to: staging, sharing, until: stop
    ) {
      try recording.thumbnailPath.map {
        try other.files.open(
          $0, insteadOf: .thumbnail(id: recording.id), recording.ingestion.thumbnailSHA256)
      }
    }
  }

  func bringThumbnail(
    _ expected: SHA256Digest?, as path: RelativePath, to staging: Staging, _ sharing: FileSharing,
    until stop: StopFlag, opening open: () throws -> OpenFile?
  ) throws -> Bool {
    guard let file = try? open() else { return false }
    do {
      try file.refuseIfLarger(than: ReadLimit.picture)
      let hash =
        try staging.bring(file, as: path.name, by: sharing, until: stop) ?? file.sha256(until: stop)
      if hash == expected { return true }
    } catch let error where !(error is CancellationError || error is WritingFailure) {}
    try? staging.removeFile(named: path.name)
    return false
  }
}

extension MergeCandidate {
  /// Whether one of the recording's files has the same name as the one at a path.
  fileprivate func hasFile(namedAsIn path: String) -> Bool {
    let recording = version.recording.atOwnPaths
    return [recording.filePath, recording.thumbnailPath].contains { file in
      file.map { path.hasSuffix("/\($0.name)") } ?? false
    }
  }
}
