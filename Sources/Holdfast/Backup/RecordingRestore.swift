public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// An event of a restore of single recordings.
public enum RecordingRestoreEvent: Sendable {
  /// The restore begins, from this backup.
  case began(BackupSummary)
  /// A recording is back, and `links` records name it again.
  case restored(Recording, links: Int)
  /// A recording was in the library. `files` says how its damaged or missing files were repaired,
  /// and `links` records name it again. `formerly` is the requested ID, if a merge has given the
  /// recording another one.
  case repaired(Recording, files: String?, links: Int, formerly: RecordingID?)
  /// A recording is in the library, and whole. `formerly` is the requested ID, if a merge has given
  /// the recording another one.
  case unchanged(Recording, formerly: RecordingID?)
  /// A recording is not restored. The name is what was asked for, escaped for display.
  case failed(name: String, HoldfastError)
  /// All are done.
  case finished
}

/// One restore of single recordings from a bag.
///
/// A recording comes back as an import brings it in: its files are copied into staging and made
/// durable, and get their names under the writer lock, just before its row is written. All share
/// one folder in staging.
struct RecordingRestore: Sendable {
  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let bag: Bag
  let manifest: BagManifest
  let report: @Sendable (RecordingRestoreEvent) -> Void

  func run(_ prefixes: [String]) async throws {
    let staging = try await tree.makeStaging()
    defer { try? staging.remove() }
    let all = try await onOwnThread { stop in try wanted(prefixes, in: staging, until: stop) }
    for wanted in all {
      do {
        switch wanted.state {
        case .deleted(let recording): report(try await restore(recording, in: staging))
        case .present(let recording, let links): report(try await repair(recording, linking: links))
        case .unknown(let error): throw error
        }
      } catch let error where !(error is CancellationError) {
        report(.failed(name: wanted.name.escapedForDisplay, HoldfastError(itemFailure: error)))
      }
    }
  }

  static let otherBytes = HoldfastError(
    .unusableBackup, "its bytes are not those that were backed up", operation: "restore")
  static let otherSource = HoldfastError(
    .notMerged, "the library has another recording with its ID", operation: "merge another source")
  private static let noFile = HoldfastError(
    .unusableBackup, "the backup does not have its file", operation: "restore")

  // MARK: A recording that the library lacks

  private func restore(
    _ deleted: RestorableRecording, in staging: Staging
  ) async throws -> RecordingRestoreEvent {
    var restored = deleted
    if let known = try library.catalog.recordings.find(knownAs: deleted.recording.id) {
      guard known.isSameRecording(as: deleted.recording) else { throw Self.otherSource }
      return try await repair(known, linking: deleted.links, formerly: deleted.recording.id)
    }
    // It gets its own names, whatever names its row had.
    let (named, recording) = (deleted.recording, deleted.recording.atOwnPaths)
    restored.recording = recording
    let made = recording.ingestion
    let isCopied = try await onOwnThread { stop in
      try copy(
        named.filePath, to: recording.filePath, expecting: made.fileSHA256, in: staging, stop)
    }
    guard isCopied else { throw Self.otherBytes }
    if let path = recording.thumbnailPath {
      let hasThumbnail = try? await onOwnThread { stop in
        guard let hash = made.thumbnailSHA256, let thumbnail = named.thumbnailPath else {
          return false
        }
        return try copy(thumbnail, to: path, expecting: hash, in: staging, stop)
      }
      if hasThumbnail != true { try await makeThumbnail(of: &restored, in: staging) }
    }
    let complete = restored
    return try await onOwnThread { stop in try commit(complete, from: staging, until: stop) }
  }

  /// Copies a file of the bag into staging, under the name that it gets in the library. Returns
  /// whether it has the bytes that its row names.
  private func copy(
    _ path: RelativePath, to own: RelativePath, expecting hash: SHA256Digest, in staging: Staging,
    _ stop: StopFlag
  ) throws -> Bool {
    let source: OpenFile
    do { source = try bag.open(path, insteadOf: own, hash) } catch {
      guard error.code == .missing else { throw error }
      throw Self.noFile
    }
    let copy = try staging.createFile(named: own.name)
    return try source.sha256(until: stop, copy.write) == hash
  }

  private func makeThumbnail(
    of restored: inout RestorableRecording, in staging: Staging
  ) async throws {
    let (path, job) = (RelativePath.thumbnail(id: restored.recording.id), ThumbnailJob())
    let video = try staging.openWritten(restored.recording.filePath.name)
    try staging.removeFile(named: path.name)
    let (report, file) = try await staging.writing(path.name) { file in
      try await engine.thumbnail(
        job, source: OpenMedia(descriptor: video.descriptor, name: video.path),
        output: OpenMedia(descriptor: file.descriptor, name: path.name))
    }
    restored.thumbnail = ThumbnailRecord(job, report)
    restored.recording.ingestion.thumbnailSHA256 = try await onOwnThread { stop in
      try file.sha256(until: stop)
    }
  }

  private func commit(
    _ restored: RestorableRecording, from staging: Staging, until stop: StopFlag
  ) throws -> RecordingRestoreEvent {
    let recording = restored.recording
    let paths = [recording.filePath, recording.thumbnailPath].compactMap { $0 }
    // Before the seal: after a crash, recovery would remove a file of that name that has no row.
    try tree.withWriterLock(until: stop) { lock in
      try library.refuseIfOffline("nothing was restored")
      guard try !library.catalog.recordings.contains(id: recording.id) else { return }
      try moveAside(paths, under: lock)
    }
    try staging.seal(recordings: [recording.id])
    return try tree.withWriterLock(until: stop) { lock in
      try library.refuseIfOffline("nothing was restored")
      if let known = try library.catalog.recordings.find(knownAs: recording.id) {
        return .unchanged(known, formerly: known.id == recording.id ? nil : recording.id)
      }
      let links = try Publication(library: library, recordings: [recording], staging: staging)
        .run(under: lock) { try library.catalog.recordings.restore(restored) }
      return .restored(recording, links: links ?? 0)
    }
  }

  /// Moves files without a row that have the recording's names into quarantine.
  private func moveAside(_ paths: [RelativePath], under lock: borrowing WriterLock) throws {
    let strays = try paths.filter { try tree.status(of: $0) != .missing }
    guard !strays.isEmpty else { return }
    let quarantine = try tree.quarantines.make(at: Date(), under: lock)
    for path in strays {
      try quarantine.move(
        Array(path.string.utf8), note: "the catalog knew nothing about it; it was restored",
        under: lock)
    }
  }

  // MARK: A recording that the library has

  /// Repairs a recording, and links the records that named it in the bag and name none now.
  ///
  /// - Parameter oldID: The ID that it had in the bag, if a merge has given it another one since.
  ///   Without one, only records that were not edited since are linked.
  private func repair(
    _ recording: Recording, linking links: RecordingLinks, formerly oldID: RecordingID? = nil
  ) async throws -> RecordingRestoreEvent {
    let repaired = try await repairFiles(of: recording)
    let count = try await onOwnThread { stop in
      try links.isEmpty
        ? 0
        : tree.withWriterLock(until: stop) { _ in
          try library.catalog.recordings.link(links, to: recording.id, ifUnedited: oldID == nil)
        }
    }
    if repaired == nil, count == 0 { return .unchanged(recording, formerly: oldID) }
    return .repaired(recording, files: repaired, links: count, formerly: oldID)
  }

  /// Repairs the files of a recording, as a repair of the whole library does.
  ///
  /// - Returns: What was done, in words; `nil` if the files are whole.
  private func repairFiles(of recording: Recording) async throws -> String? {
    guard let row = try library.catalog.files.find(id: recording.id) else {
      throw HoldfastError(.noSuchRecord, "it was just deleted")
    }
    var options = VerifyOptions()
    // The backup may have the file under an ID that the recording had before a merge.
    let hash = recording.ingestion.fileSHA256
    try manifest.forEach { path, other in
      guard other == hash else { return }
      let bagPath = String(decoding: path, as: UTF8.self)
      guard RelativePath(String(bagPath.dropFirst(Bag.payload.count + 1))) != nil else { return }
      options.backups.append("\(bag.path)/\(bagPath)")
    }
    options.onlyPutsBack = try OfflineCheck(tree: tree, catalog: library.catalog).isOffline()
    let repair = try Repair(library, in: tree, options)
    var findings = 0
    func note(_ kind: VerifyFinding.Kind, at path: RelativePath, _ remedy: Remedy) throws {
      findings += 1
      let finding = VerifyFinding(kind, path: path.string, recording: recording.id, detail: "")
      if let refused = try repair.apply(remedy, to: finding) { throw failure(refused) }
    }
    let made = recording.ingestion
    if let fault = try await fault(of: recording.filePath, expecting: made.fileSHA256) {
      let kind: VerifyFinding.Kind = fault == .missing ? .fileMissing : .contentChanged
      try note(kind, at: recording.filePath, .file(row, fault))
    }
    if let path = recording.thumbnailPath, let hash = made.thumbnailSHA256,
      let fault = try await fault(of: path, expecting: hash)
    {
      try note(
        fault == .missing ? .thumbnailMissing : .thumbnailChanged, at: path, .thumbnail(row))
    }
    if findings == 0 { return nil }
    var (done, failed): ([String], [VerifyFinding]) = ([], [])
    try await repair.finish { finding in
      if case .done(let words) = finding.repair {
        done.append(words)
      } else {
        failed.append(finding)
      }
    }
    if let first = failed.first { throw failure(first) }
    return done.joined(separator: ", its thumbnail ")
  }

  private func failure(_ finding: VerifyFinding) -> HoldfastError {
    HoldfastError(
      .unusableBackup,
      "\(finding.path) of the library is damaged or missing: "
        + (finding.repair.words ?? "it could not be repaired"), operation: "restore")
  }

  /// Returns what is wrong with a file of the library; `nil` for nothing.
  private func fault(
    of path: RelativePath, expecting hash: SHA256Digest
  ) async throws -> RecordingFault? {
    try await onOwnThread { stop in
      do {
        return try tree.openForReading(path).sha256(until: stop) == hash ? nil : .damaged
      } catch let error as HoldfastError where error.layer == .storage {
        return error.code == .missing ? .missing : .damaged
      }
    }
  }
}
