internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Reading everything: each byte is compared with its hash, each packet decoded.
extension Verification {
  /// How many recordings are noted as verified in one transaction.
  private static let batch = 64
  /// How far a file's length may be from its row's, in seconds.
  private static let lengthTolerance = 0.05

  func readAll() async throws {
    let begin = Date()
    let catalog = library.catalog
    let since = options.olderThan.map { begin.addingTimeInterval(-$0) }
    var ids = try catalog.recordingsToVerify(notSince: since, now: begin)[...]
    let count = ids.count
    let deadline = options.longest.map { begin.addingTimeInterval($0) }
    var notes = Notes()
    let (tree, hashes) = (tree, options.readsAll)
    let decodes = options.decodes
    // Who reads every byte also compares lengths, if there is an engine for that.
    let engine = decodes ? try library.mediaEngine() : try? library.mediaEngine()
    try await withThrowingTaskGroup(of: FilesRead?.self) { group in
      var running = 0
      while true {
        while running < options.jobs, let id = ids.first,
          deadline.map({ Date() < $0 }) ?? true
        {
          ids.removeFirst()
          running += 1
          group.addTask {
            guard let row = try catalog.storedFiles(id: id) else { return nil }
            return try await FilesRead(
              row, in: tree, hashes: hashes, measuringWith: engine, decodes: decodes)
          }
        }
        guard let read = try await group.next() else { break }
        running -= 1
        guard let read else { continue }
        summary.read += 1
        progress(summary.read, count)
        summary.bytes += read.bytes
        if try judge(read), hashes { notes.good.append(read.row.id) }
        notes.codecs[read.row.id] = read.unknownCodecs
        if notes.count >= Self.batch { try note(&notes, at: begin) }
      }
    }
    try note(&notes, at: begin)
    summary.left = ids.count
  }

  /// What is to be remembered of recordings that were read.
  private struct Notes {
    /// Those that were found right.
    var good: [RecordingID] = []
    /// What the streams of some are coded in, of which that was not known.
    var codecs: [RecordingID: CodecStrings] = [:]

    var count: Int { good.count + codecs.count }
  }

  /// A library that cannot be written is verified all the same; nothing is remembered of it.
  private func note(_ notes: inout Notes, at moment: Date) throws {
    let (good, codecs) = (notes.good, notes.codecs)
    guard notes.count > 0, (try? library.writableTree()) != nil else { return }
    defer { notes = Notes() }
    do {
      // What streams are coded in is filled in the next time as well: nobody waits for that alone.
      let patience = tree.patience.atMost(
        summary.lockTimeout == nil && !good.isEmpty ? VerifyOptions.longestWait : 0)
      try tree.withWriterLock(patience: patience) { _ in
        if !good.isEmpty { try library.catalog.setVerified(good, at: moment) }
        if !codecs.isEmpty { try library.catalog.fillCodecs(codecs) }
      }
    } catch let error as LockTimeout {
      if !good.isEmpty { summary.lockTimeout = error }
    } catch {
      // A full disk keeps nobody from finding what is damaged.
      try found(
        VerifyFinding(
          .unreadable, "catalog.sqlite",
          "it could not be noted that \(good.count) recordings were found right: \(error)"))
    }
  }

  /// Tells what is wrong with what was read.
  ///
  /// - Returns: Whether nothing is.
  private func judge(_ read: FilesRead) throws -> Bool {
    let row = read.row
    var isGood = true
    for (content, path, expected) in [
      (read.media, row.filePath, Optional(row.fileSHA256)),
      (read.thumbnail, row.thumbnailPath ?? "", row.thumbnailSHA256),
    ] {
      switch content {
      case .notLookedAt: continue
      case .absent: isGood = false  // Its row was looked at before, and that was told then.
      case .hash(let hash) where hash == expected: continue
      case .hash(let hash):
        isGood = false
        // A thumbnail may have been replaced meanwhile, and its row with it.
        guard try library.catalog.storedFiles(id: row.id)?.isSame(as: row) == true else { continue }
        let (finding, remedy) = try changed(row, path, hash)
        try found(finding, remedy)
      case .unreadable(let reason):
        isGood = false
        try found(
          VerifyFinding(.unreadable, path.escapedForDisplay, recording: row.id, reason),
          path == row.filePath ? .file(row, .damaged) : .thumbnail(row))
      }
    }
    if let (finding, remedy) = wrongLength(read) {
      isGood = false
      try found(finding, remedy)
    }
    for defect in read.defects {
      isGood = false
      try found(VerifyFinding(.undecodable, row.filePath, recording: row.id, defect))
    }
    return isGood
  }

  /// What is to be said of a file that lasts for another time than its row says: so it is with recordings
  /// from before the last picture's duration was believed.
  private func wrongLength(_ read: FilesRead) -> (VerifyFinding, Remedy)? {
    let row = read.row
    guard let duration = read.duration, abs(duration - row.duration) > Self.lengthTolerance else {
      return nil
    }
    let lengths =
      "lasts \(duration.thousandths) s, and the catalog says \(row.duration.thousandths) s"
    guard duration <= RecordingLimit.longest else {
      return (
        VerifyFinding(
          .wrongLength, row.filePath, recording: row.id,
          "\(lengths); a recording is at most \(RecordingLimit.seconds.thousandths) s long"),
        .none
      )
    }
    return (
      VerifyFinding(.wrongLength, row.filePath, recording: row.id, lengths), .length(row, duration)
    )
  }

  /// What is to be said of a file whose bytes are not those that were written.
  private func changed(
    _ row: StoredFiles, _ path: String, _ hash: SHA256Digest
  ) throws -> (VerifyFinding, Remedy) {
    guard path == row.filePath else {
      let finding = VerifyFinding(
        .thumbnailChanged, path, recording: row.id, "its bytes are not those that were written")
      return (finding, .thumbnail(row))
    }
    let owners = try library.catalog.storedFiles(fileSHA256: hash).filter { $0.id != row.id }
    var finding = VerifyFinding(
      .contentChanged, path, recording: row.id,
      "its bytes are not those that were written")
    var remedy = Remedy.file(row, .damaged)
    if let owner = owners.first {
      finding = VerifyFinding(
        .contentMisplaced, path, recording: row.id,
        Self.bytes(of: owner.id))
      remedy = .foreignFile(row)
    }
    finding.since = row.faultySince
    return (finding, remedy)
  }
}

extension StoredFiles {
  /// Whether the row says the same of its files as `other`.
  func isSame(as other: StoredFiles) -> Bool {
    filePath == other.filePath && fileSHA256 == other.fileSHA256
      && thumbnailPath == other.thumbnailPath && thumbnailSHA256 == other.thumbnailSHA256
  }
}

/// What reading a recording's files showed.
private struct FilesRead: Sendable {
  enum Content: Sendable {
    case notLookedAt
    /// There is no regular file of the right size.
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
  /// How long the media file is presented, in seconds; `nil` if it was not measured.
  private(set) var duration: Double?
  /// What the media file's streams are coded in; `nil` if that was not looked for.
  private var codecs: CodecStrings?
  /// What does not decode, a sentence for each stream.
  private(set) var defects: [String] = []
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
      // Of other bytes than its own, nothing else is to be said.
      guard decodes || media.isHash(row.fileSHA256) else { return }
      if case .absent = media { return }
    }
    if let engine { try await examine(with: engine, in: tree, decodes: decodes) }
  }

  /// What its streams are coded in, as far as its row does not say so; `nil` if there is nothing to add.
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
      return (.hash(try file.sha256(until: stop)), found)
    } catch let error as StorageError {
      let isAbsent = [.missing, .notAFile, .unsafePath].contains(error.code)
      return (isAbsent ? .absent : .unreadable(error.reason), 0)
    }
  }

  /// Measures the media file and, if it is to be decoded, notes what does not.
  private mutating func examine(
    with engine: any MediaEngine, in tree: LibraryTree, decodes: Bool
  ) async throws {
    guard let path = RelativePath(row.filePath),
      let file = try? await onOwnThread({ _ in try tree.openForReading(path) })
    else { return }
    do {
      let info = try await engine.probe(
        OpenMedia(descriptor: file.descriptor, name: path.name), depth: decodes ? .decoded : .index)
      // Of other bytes than those that were written, the length is no news.
      let isOwn =
        media.isHash(row.fileSHA256) || !isHashed && (try? file.identity().size) == row.fileSize
      if isOwn { (duration, codecs) = (info.duration, info.codecs) }
      for stream in [info.videoStream, info.audioStream].compactMap(\.self) {
        guard let damaged = stream.damagedPackets, damaged > 0 else { continue }
        defects.append(
          "\(damaged) of the \(stream.packets ?? 0) packets of its "
            + "\(stream.kind == .video ? "picture" : "sound") do not decode cleanly")
      }
      if decodes, info.videoStream == nil, info.audioStream == nil {
        defects.append("neither picture nor sound decodes")
      }
    } catch let error as MediaError {
      defects.append(error.reason)
    }
  }
}
