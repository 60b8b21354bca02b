internal import Foundation
internal import HoldfastModel
internal import HoldfastStorage

/// A source that was read once: its hash is known, and it is open.
struct HashedSource: Sendable {
  /// The name of a remote source's copy in staging.
  static let copyName = "source"

  /// The source where it lies.
  let original: OpenFile
  /// How the source stood when it was opened.
  let identity: FileIdentity
  /// What the engine reads: the source itself, or its copy in staging.
  let readable: OpenFile
  let name: String
  let hash: SHA256Digest

  var isCopied: Bool { readable !== original }
  var media: OpenMedia { OpenMedia(descriptor: readable.descriptor, name: name) }
}

/// A source of which it is known what will be done with it.
struct PreparedSource: Sendable {
  let source: HashedSource
  let info: MediaInfo
  let plan: ConversionPlan
  let recorded: RecordingTimestamp
}

/// Makes a recording's files in staging: converts, checks, makes the thumbnail.
struct StagedConversion: Sendable {
  /// What was made.
  struct Output: Sendable {
    var report: ConversionReport
    var check: CheckReport
    var fileSize: Int64
    var fileHash: SHA256Digest
    var thumbnailHash: SHA256Digest?

    var duration: Double { check.duration }

    func ingestion(of source: HashedSource) -> Ingestion {
      Ingestion(
        originalFilename: source.name, sourceSHA256: source.hash, fileSize: fileSize,
        fileSHA256: fileHash, thumbnailSHA256: thumbnailHash, width: check.width,
        height: check.height, conversion: report)
    }
  }

  private let prepared: PreparedSource
  private let id: RecordingID
  private let staging: Staging
  private let engine: any MediaEngine
  private let progress: @Sendable (Double) -> Void

  init(
    _ prepared: PreparedSource, id: RecordingID, staging: Staging, engine: any MediaEngine,
    progress: @escaping @Sendable (Double) -> Void
  ) {
    self.prepared = prepared
    self.id = id
    self.staging = staging
    self.engine = engine
    self.progress = progress
  }

  func run() async throws -> Output {
    do {
      return try await make(prepared.plan)
    } catch let error as MediaError
      where prepared.plan.copiesAny && [.checkFailed, .library].contains(error.code)
    {
      // A copy that fails is encoded once; an encode that fails is the source's failure.
      let plan = prepared.plan.encodingAll(because: "as a copy, \(error.reason)")
      let name = RelativePath.media(plan.type, id: id).name
      try await blocking { try staging.removeFile(named: name) }
      return try await make(plan)
    }
  }

  private func make(_ plan: ConversionPlan) async throws -> Output {
    let name = RelativePath.media(plan.type, id: id).name
    let file = try await blocking { try staging.createFile(named: name) }
    let output = OpenMedia(descriptor: file.descriptor, name: name)
    let source = prepared.source.media
    var report = try await namingFile(file) {
      try await engine.convert(plan, source: source, output: output, progress: progress)
    }
    let check = try await engine.check(report, source: source, output: output)
    report.check = check
    let thumbnail = plan.type == .video ? try await makeThumbnail(of: output) : nil
    let (size, hash) = try await blocking { (try file.identity().size, try file.sha256()) }
    return Output(
      report: report, check: check, fileSize: size, fileHash: hash, thumbnailHash: thumbnail)
  }

  private func makeThumbnail(of video: OpenMedia) async throws -> SHA256Digest {
    let name = RelativePath.thumbnail(id: id).name
    let file = try await blocking { try staging.createFile(named: name) }
    _ = try await namingFile(file) {
      try await engine.thumbnail(
        ThumbnailJob(), source: video, output: OpenMedia(descriptor: file.descriptor, name: name))
    }
    return try await blocking { try file.sha256() }
  }

  /// Adds the path to the error of a write that the system refused: the engine knows none.
  private func namingFile<Value: Sendable>(
    _ file: OpenFile, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch var error as MediaError where error.errno != nil {
      error.reason += " (\(file.path.escapedForDisplay))"
      throw error
    }
  }
}

/// Runs blocking work that stops when the task is cancelled.
func blocking<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try Task.checkCancellation()
  return try await onBlockingThread(work)
}
