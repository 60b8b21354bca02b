import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Reads the files whole: compares each with its hash, and decodes each packet.
extension Verification {
  /// The number of recordings that are marked as verified in one transaction.
  private static let batch = 64
  /// The most by which a file's length may differ from its row's, in seconds.
  private static let lengthTolerance = 0.05

  func readAll() async throws {
    let begin = began
    let catalog = library.catalog
    let since = options.olderThan.map { begin.addingTimeInterval(-$0) }
    var ids = try catalog.files.idsToVerify(notSince: since, now: begin)[...]
    report(.planned(ids.count))
    let deadline = options.longest.map { begin.addingTimeInterval($0) }
    let (tree, hashes) = (tree, options.readsAll)
    let decodes = options.decodes
    // A run that reads every byte also compares lengths, if there is an engine.
    let engine = decodes ? try library.mediaEngine() : try? library.mediaEngine()
    try await withThrowingTaskGroup(of: FilesRead?.self) { group in
      var (running, looked) = (0, 0)
      while true {
        while running < options.jobs, let id = ids.first,
          deadline.map({ Date() < $0 }) ?? true
        {
          ids.removeFirst()
          running += 1
          group.addTask {
            guard let row = try catalog.files.find(id: id) else { return nil }
            return try await FilesRead(
              row, in: tree, hashes: hashes, measuringWith: engine, decodes: decodes)
          }
        }
        guard let read = try await group.next() else { break }
        running -= 1
        guard let read else { continue }
        looked += 1
        report(.progress(looked))
        if !read.isAbsent { summary.read += 1 }
        summary.bytes += read.bytes
        if try isIntact(read), hashes { notes.intact.append(read.row.id) }
        notes.codecs[read.row.id] = read.unknownCodecs
        if notes.count >= Self.batch { try storeNotes() }
      }
    }
    try storeNotes()
    summary.left = ids.count
  }

  /// Reports what is wrong with a recording's files. Returns whether nothing is.
  private func isIntact(_ read: FilesRead) throws -> Bool {
    let row = read.row
    var isIntact = true
    for (content, path, expected) in [
      (read.media, row.filePath, Optional(row.fileSHA256)),
      (read.thumbnail, row.thumbnailPath ?? "", row.thumbnailSHA256),
    ] {
      switch content {
      case .notLookedAt: continue
      case .absent: isIntact = false  // This was reported when its row was verified.
      case .hash(let hash) where hash == expected: continue
      case .hash(let hash):
        isIntact = false
        // The thumbnail may have been replaced meanwhile, and its row with it.
        guard try library.catalog.files.find(id: row.id)?.isSame(as: row) == true else { continue }
        let (finding, remedy) = try changed(row, at: path, hash)
        try found(finding, remedy)
      case .unreadable(let reason):
        isIntact = false
        try found(
          VerifyFinding(
            .unreadable, path: path.escapedForDisplay, recording: row.recordingID, detail: reason),
          path == row.filePath ? .file(row, .damaged) : .thumbnail(row))
      }
    }
    if let (finding, remedy) = wrongLength(read) {
      isIntact = false
      try found(finding, remedy)
    }
    for defect in read.defects {
      isIntact = false
      try found(
        VerifyFinding(
          .undecodable, path: row.filePath, recording: row.id, detail: defect.text,
          help: defect.help))
    }
    return isIntact
  }

  /// Returns the finding for a file whose length is not that of its row. Recordings made before
  /// Holdfast used the duration of the last picture have this fault.
  private func wrongLength(_ read: FilesRead) -> (VerifyFinding, Remedy)? {
    let row = read.row
    guard let duration = read.duration else { return nil }
    // A row says at most 120 s. More than that is padding, up to a limit.
    let stored = min(duration, RecordingLimit.seconds)
    guard duration > RecordingLimit.longest || abs(stored - row.duration) > Self.lengthTolerance
    else { return nil }
    let lengths =
      "lasts \(duration.thousandths) s, and the catalog says \(row.duration.thousandths) s"
    guard duration <= RecordingLimit.longest else {
      return (
        VerifyFinding(
          .wrongLength, path: row.filePath, recording: row.id,
          detail: "\(lengths); a recording is at most \(RecordingLimit.seconds.thousandths) s long",
          help: .shorterImport),
        .none
      )
    }
    return (
      VerifyFinding(.wrongLength, path: row.filePath, recording: row.id, detail: lengths),
      .length(row, stored)
    )
  }

  /// Returns the finding for a file whose bytes are not those that were written.
  private func changed(
    _ row: StoredFiles, at path: String, _ hash: SHA256Digest
  ) throws -> (VerifyFinding, Remedy) {
    guard path == row.filePath else {
      let finding = VerifyFinding(
        .thumbnailChanged, path: path, recording: row.id,
        detail: "its bytes are not those that were written")
      return (finding, .thumbnail(row))
    }
    let owners = try library.catalog.files.matching(sha256: hash).filter { $0.id != row.id }
    var finding = VerifyFinding(
      .contentChanged, path: path, recording: row.recordingID,
      detail: "its bytes are not those that were written")
    var remedy = Remedy.file(row, .damaged)
    if let owner = owners.first {
      finding = VerifyFinding(
        .contentMisplaced, path: path, recording: row.recordingID,
        detail: Self.bytes(of: owner.id))
      remedy = .foreignFile(row)
    }
    finding.since = row.faultySince
    return (finding, remedy)
  }
}

extension StoredFiles {
  func isSame(as other: StoredFiles) -> Bool {
    filePath == other.filePath && fileSHA256 == other.fileSHA256
      && thumbnailPath == other.thumbnailPath && thumbnailSHA256 == other.thumbnailSHA256
  }
}

private struct FilesRead: Sendable {
  enum Content: Sendable {
    case notLookedAt
    /// A regular file of the right size is missing.
    case absent
    case hash(SHA256Digest)
    case unreadable(String)

    func isHash(_ hash: SHA256Digest) -> Bool {
      if case .hash(hash) = self { true } else { false }
    }
  }

  let row: StoredFiles
  private let isHashed: Bool
  private(set) var media = Content.notLookedAt
  private(set) var thumbnail = Content.notLookedAt
  /// The presented duration of the media file, in seconds; `nil` if it was not measured.
  private(set) var duration: Double?
  /// The codecs of the media file's streams; `nil` if they were not examined.
  private var codecs: CodecStrings?
  /// A sentence for each stream that does not decode.
  private(set) var defects: [(text: String, help: VerifyFinding.Help?)] = []
  private(set) var bytes: Int64 = 0

  init(
    _ row: StoredFiles, in tree: LibraryTree, hashes: Bool,
    measuringWith engine: (any MediaEngine)?, decodes: Bool
  ) async throws {
    self.row = row
    isHashed = hashes
    if hashes {
      (media, thumbnail, bytes) = try await onOwnThread { stop in
        let (media, mediaBytes) = try Self.content(
          at: row.filePath, size: row.fileSize, in: tree, until: stop)
        guard let path = row.thumbnailPath else { return (media, .notLookedAt, mediaBytes) }
        let (thumbnail, bytes) = try Self.content(at: path, size: nil, in: tree, until: stop)
        return (media, thumbnail, mediaBytes + bytes)
      }
      // If the bytes are not the recording's own, there is nothing more to check.
      guard decodes || media.isHash(row.fileSHA256) else { return }
      if case .absent = media { return }
    }
    // A photo has no length, and was decoded when it was taken in.
    if let engine, row.type != nil { try await examine(with: engine, in: tree, decodes: decodes) }
  }

  var isAbsent: Bool { if case .absent = media { true } else { false } }

  /// The codecs, if the row lacks one of them; `nil` if there is nothing to add.
  var unknownCodecs: CodecStrings? {
    guard let codecs else { return nil }
    let isKnown =
      (row.codecs.video != nil || codecs.video == nil)
      && (row.codecs.audio != nil || codecs.audio == nil)
    return isKnown ? nil : codecs
  }

  private static func content(
    at text: String, size: Int64?, in tree: LibraryTree, until stop: StopFlag
  ) throws -> (Content, bytes: Int64) {
    guard let path = RelativePath(text) else { return (.absent, 0) }
    do {
      let file = try tree.openForReading(path)
      let found = try file.identity().size
      guard size == nil || found == size else { return (.absent, 0) }
      // The size of a thumbnail is not stored.
      if size == nil { try file.refuseIfLarger(than: ReadLimit.picture) }
      return (.hash(try file.sha256(until: stop)), found)
    } catch let error as HoldfastError where error.layer == .storage {
      let isAbsent = [.missing, .notAFile, .unsafePath].contains(error.code)
      return (isAbsent ? .absent : .unreadable(error.clause), 0)
    }
  }

  /// Measures the media file. If it is to be decoded, notes the streams that fail.
  private mutating func examine(
    with engine: any MediaEngine, in tree: LibraryTree, decodes: Bool
  ) async throws {
    guard let path = RelativePath(row.filePath),
      let file = try? await onOwnThread({ _ in try tree.openForReading(path) })
    else { return }
    do {
      let info = try await engine.probe(
        OpenMedia(descriptor: file.descriptor, name: path.name), depth: decodes ? .decoded : .index)
      // The length of a file with the wrong bytes says nothing about the recording.
      let isOwn =
        media.isHash(row.fileSHA256) || !isHashed && (try? file.identity().size) == row.fileSize
      if isOwn { (duration, codecs) = (info.duration, info.codecs) }
      for stream in [info.videoStream, info.audioStream].compactMap(\.self) {
        guard let damaged = stream.damagedPackets, damaged > 0 else { continue }
        let text =
          "\(damaged) of the \(stream.packets ?? 0) packets of its "
          + "\(stream.kind == .video ? "picture" : "sound") do not decode cleanly"
        defects.append((text, nil))
      }
      if decodes, info.videoStream == nil, info.audioStream == nil {
        defects.append(("neither picture nor sound decodes", nil))
      }
    } catch let error as HoldfastError where error.layer == .media {
      defects.append((error.reason, VerifyFinding.Help(error)))
    }
  }
}
