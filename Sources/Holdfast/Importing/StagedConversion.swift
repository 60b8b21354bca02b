import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// A source that was read once, so that its hash is known. It is still open.
struct HashedSource: Sendable {
  static let copyName = "source"

  /// The source itself, where the user keeps it.
  let original: OpenFile
  /// The source's identity when it was opened.
  let identity: FileIdentity
  /// The file that the engine reads: the source itself, or its copy in staging.
  let readable: OpenFile
  let name: String
  let hash: SHA256Digest

  var isCopied: Bool { readable !== original }
  var media: OpenMedia { OpenMedia(descriptor: readable.descriptor, name: name) }
}

struct PreparedSource: Sendable {
  let source: HashedSource
  var info: MediaInfo
  /// The plans, one for each recording.
  let plans: [ConversionPlan]
  let recorded: RecordingTimestamp
  /// Whether a stream may be encoded when copying it fails. A user who asked for copying does not
  /// want that.
  let mayEncode: Bool
  let verifiesDecode: Bool
}

/// Makes a recording's files in staging: converts the source, checks the result, makes the
/// thumbnail.
struct StagedConversion: Sendable {
  struct Output: Sendable {
    var id: RecordingID
    var report: ConversionReport
    var check: CheckReport
    var fileSize: Int64
    var fileHash: SHA256Digest
    /// The thumbnail's hash, and how it was made; `nil` for audio.
    var thumbnail: (hash: SHA256Digest, record: ThumbnailRecord?)?

    func ingestion(of source: HashedSource) -> Ingestion {
      Ingestion(
        originalFilename: source.name, sourceSHA256: source.hash, fileSize: fileSize,
        fileSHA256: fileHash, thumbnailSHA256: thumbnail?.hash, width: check.width,
        height: check.height, codecs: check.codecs ?? CodecStrings(), conversion: report)
    }
  }

  let prepared: PreparedSource
  let part: Int
  let id: RecordingID
  let staging: Staging
  let engine: any MediaEngine
  let progress: @Sendable (Double) -> Void

  func run() async throws -> Output {
    var plan = prepared.plans[part]
    while true {
      do {
        return try await make(plan)
      } catch let error as HoldfastError {
        guard let next = plan.next(after: error, of: prepared.info, mayEncode: prepared.mayEncode)
        else { throw error }
        let paths = [RelativePath.media(plan.type, id: id), .thumbnail(id: id)]
        try await onOwnThread { _ in for path in paths { try staging.removeFile(named: path.name) }
        }
        plan = next
      }
    }
  }

  private func make(_ plan: ConversionPlan) async throws -> Output {
    let name = RelativePath.media(plan.type, id: id).name
    let source = prepared.source.media
    let (converted, file) = try await staging.writing(name) { file in
      try await askingSystem(output: file) {
        try await engine.convert(
          plan, source: source, output: OpenMedia(descriptor: file.descriptor, name: name),
          progress: progress)
      }
    }
    // From here on the file is only read, and only by processes that did not write it.
    var report = converted
    let output = OpenMedia(descriptor: file.descriptor, name: name)
    report.sourceSize = prepared.source.identity.size
    // Warnings about the source are kept with the recording.
    report.warnings.insert(contentsOf: prepared.info.warnings, at: 0)
    if let leftOut = plan.leftOut { report.warnings.append(leftOut) }
    let written = report
    var check = try await askingSystem(output: file) {
      try await engine.check(written, source: source, output: output)
    }
    var checked = report
    checked.check = check
    let shortfalls = MediaContent([checked]).shortfalls(of: MediaContent(ofSource: prepared.info))
    report.warnings += SourceRemainder.lostDescriptions(among: shortfalls)
    if prepared.verifiesDecode {
      check.damagedPackets = try await decode(output, file, into: &report)
    }
    report.check = check
    let thumbnail = plan.type == .video ? try await makeThumbnail(of: output) : nil
    let (size, hash) = try await onOwnThread { stop in
      (try file.identity().size, try file.sha256(until: stop))
    }
    return Output(
      id: id, report: report, check: check, fileSize: size, fileHash: hash, thumbnail: thumbnail)
  }

  /// Decodes everything that was written. Damage in a copied stream becomes a warning; in an
  /// encoded stream it is an error.
  ///
  /// - Returns: The number of packets that do not decode cleanly.
  private func decode(
    _ output: OpenMedia, _ file: OpenFile, into report: inout ConversionReport
  ) async throws -> Int {
    let found = try await askingSystem(output: file) {
      try await engine.probe(output, depth: .decoded)
    }
    var damaged = 0
    for (planned, stream) in [
      (report.plan.video, found.videoStream), (report.plan.audio, found.audioStream),
    ] {
      guard let planned, let stream, let packets = stream.damagedPackets, packets > 0 else {
        continue
      }
      let finding =
        "\(packets) of the \(stream.packets ?? 0) packets of its "
        + "\(stream.kind == .video ? "picture" : "sound") \(packets.noun("does", "do")) not decode "
        + "cleanly"
      guard planned.isCopied else {
        throw HoldfastError(.checkFailed, "the check of what was written failed: \(finding)")
      }
      report.warnings.append(finding)
      damaged += packets
    }
    return damaged
  }

  private func makeThumbnail(
    of video: OpenMedia
  ) async throws -> (hash: SHA256Digest, record: ThumbnailRecord?) {
    let job = ThumbnailJob()
    let name = RelativePath.thumbnail(id: id).name
    let file = try await onOwnThread { _ in try staging.createFile(named: name) }
    let report = try await askingSystem(output: file) {
      try await engine.thumbnail(
        job, source: video, output: OpenMedia(descriptor: file.descriptor, name: name))
    }
    let hash = try await onOwnThread { stop in try file.sha256(until: stop) }
    return (hash, ThumbnailRecord(job, report))
  }

  /// Where the engine says that the system refused to read or write, tries both itself, and throws
  /// the system's own error. The engine knows no paths, and a hostile file may have taken over the
  /// worker that reports the error.
  private func askingSystem<Value: Sendable>(
    output: OpenFile, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch let error as HoldfastError
      where [.inputRefused, .outputRefused].contains(error.code)
    {
      try await onOwnThread { stop in
        _ = try prepared.source.readable.sha256(until: stop)
        if error.code == .outputRefused { try output.refuseIfFull() }
      }
      throw error
    }
  }
}
