import Foundation
import Holdfast
import HoldfastMedia
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool

/// The engine under test: in this process, or, if `$HOLDFAST_TEST_ENGINE` is `workers`, the workers
/// of the `holdfast-worker` program built with the tests.
let engine: any MediaEngine =
  if ProcessInfo.processInfo.environment["HOLDFAST_TEST_ENGINE"] == "workers",
    let program = try? Command.holdfastWorker
  {
    WorkerPool(WorkerProgram(path: program))
  } else {
    FFmpegEngine()
  }

/// Opens a file, and lends it for as long as `body` runs.
func withMedia<Result>(
  _ path: String, flags: CInt = O_RDONLY, _ body: (OpenMedia) async throws -> Result
) async throws -> Result {
  let descriptor = open(path, flags | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  defer { close(descriptor) }
  let name = URL(fileURLWithPath: path).lastPathComponent
  return try await body(OpenMedia(descriptor: descriptor, name: name))
}

/// Probes a file.
func probe(
  _ path: String, depth: ProbeDepth = .packets, flags: CInt = O_RDONLY
) async throws -> MediaInfo {
  try await withMedia(path, flags: flags) { try await engine.probe($0, depth: depth) }
}

/// A source, and the file made from it.
struct Converted {
  var source: String
  var path: String
  var info: MediaInfo
  var report: ConversionReport

  var plan: ConversionPlan { report.plan }

  /// The result of the engine's own check; `output` replaces the file.
  @discardableResult
  func check(
    _ report: ConversionReport? = nil, source: String? = nil, output: String? = nil
  ) async throws -> CheckReport {
    try await withMedia(source ?? self.source) { source in
      try await withMedia(output ?? path) { output in
        try await engine.check(report ?? self.report, source: source, output: output)
      }
    }
  }
}

/// Converts `source` into a new file in the test's folder.
func convert(
  _ source: String, policy: VideoPolicy = .auto, audio: AudioPolicy = .auto,
  creationTime: Date? = nil,
  maxHeight: Int? = nil,
  changing change: (inout ConversionPlan) -> Void = { _ in },
  progress: @escaping @Sendable (Double) -> Void = { _ in }
) async throws -> Converted {
  let info = try await probe(source)
  var plan = try ConversionPlan(
    for: info, options: ConversionOptions(video: policy, audio: audio, maxHeight: maxHeight),
    creationTime: creationTime)
  change(&plan)
  return try await convert(source, info, plan, progress: progress)
}

/// Converts `source`, which is too long, into new files in the test's folder.
func convertParts(
  _ source: String, _ overLimit: OverLimitPolicy, policy: VideoPolicy = .auto,
  audio: AudioPolicy = .auto
) async throws -> [Converted] {
  let info = try await probe(source)
  var made: [Converted] = []
  for plan in try ConversionPlan.parts(
    of: info, options: ConversionOptions(overLimit: overLimit, video: policy, audio: audio))
  {
    let part = try await convert(source, info, plan)
    try await part.check()
    made.append(part)
  }
  return made
}

private func convert(
  _ source: String, _ info: MediaInfo, _ plan: ConversionPlan,
  progress: @escaping @Sendable (Double) -> Void = { _ in }
) async throws -> Converted {
  let path = newPath(plan.type.fileExtension)
  let report = try await withMedia(source) { source in
    try await withMedia(path, flags: O_RDWR | O_CREAT | O_EXCL) { output in
      try await engine.convert(plan, source: source, output: output, progress: progress)
    }
  }
  return Converted(source: source, path: path, info: info, report: report)
}

/// Makes a thumbnail of `source` in the test's folder.
func thumbnail(
  _ source: String, _ job: ThumbnailJob = ThumbnailJob()
) async throws -> (report: ThumbnailReport, path: String) {
  let path = newPath("jpg")
  let report = try await withMedia(source) { source in
    try await withMedia(path, flags: O_RDWR | O_CREAT | O_EXCL) { output in
      try await engine.thumbnail(job, source: source, output: output)
    }
  }
  return (report, path)
}

/// A path in the test's folder where nothing is yet.
func newPath(_ fileExtension: String) -> String {
  TemporaryFolder.current + "/\(UUID().uuidString).\(fileExtension)"
}

/// Runs ffmpeg to make `name` in the test's folder.
func make(_ name: String, _ arguments: [String]) async throws -> String {
  let path = TemporaryFolder.current + "/" + name
  _ = try await Command.output(
    of: "ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + ["file:" + path])
  return path
}

/// The fixtures that must be imported, by their manifest.
let accepted = Fixtures.manifest.filter { $0.expect == .accept }
/// The names of the fixtures with a picture.
let videos = accepted.filter { $0.type == "video" }.map(\.path)
