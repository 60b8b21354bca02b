internal import HoldfastModel
internal import HoldfastSupport

/// A media engine that does a limited number of jobs at a time. Further jobs wait.
///
/// A run works on one more file than the engine has jobs, so that the engine is never idle: while
/// the run hashes, flushes and names the files of one source, the engine reads the next source.
struct LimitedEngine: MediaEngine {
  private let engine: any MediaEngine
  private let places: Places

  /// Makes a limited engine.
  ///
  /// - Parameters:
  ///   - engine: The engine that does the jobs.
  ///   - jobs: How many it does at a time, within ``JobCount/range``.
  init(_ engine: any MediaEngine, jobs: Int) {
    self.engine = engine
    places = Places(JobCount.clamped(jobs))
  }

  func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await places.take { try await engine.probe(source, depth: depth) }
  }

  func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await places.take { try await engine.probeAlone(source, depth: depth) }
  }

  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await places.take {
      try await engine.convert(plan, source: source, output: output, progress: progress)
    }
  }

  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await places.take { try await engine.check(report, source: source, output: output) }
  }

  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await places.take { try await engine.thumbnail(job, source: source, output: output) }
  }

  func soundProfile(of source: OpenMedia) async throws -> SoundProfile {
    try await places.take { try await engine.soundProfile(of: source) }
  }

  func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport {
    try await places.take { try await engine.waveform(job, output: output) }
  }
}
