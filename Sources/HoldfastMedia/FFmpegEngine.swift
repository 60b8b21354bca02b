public import HoldfastModel
internal import HoldfastSupport

/// The media engine on FFmpeg's libraries, in the process that calls it.
///
/// Each call runs on a thread of its own and reads, decodes and writes there; how many run at a
/// time is the caller's choice. After a call was cancelled, its output may for a moment still be
/// written to.
///
/// FFmpeg keeps two settings for the whole process. The first engine that is used sets them for every other
/// user of FFmpeg there as well: its log goes nowhere (`av_log_set_callback`), and no single piece of
/// memory may be larger than a recording needs (`av_max_alloc`). Programs that mind use the workers of
/// `WorkerPool`.
public struct FFmpegEngine: MediaEngine {
  /// Makes an engine.
  public init() {}

  /// Says what a file holds.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await run([source]) { files, calls throws(MediaError) in
      try calls.probe(files[0], depth: depth)
    }
  }

  /// Makes the file that `plan` describes.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.convert(plan, source: files[0], output: files[1], progress: progress)
    }
  }

  /// Compares an output with what was planned and, where packets were copied, with the source.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.check(report, source: files[0], output: files[1])
    }
  }

  /// Makes a JPEG of one picture of a video.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.thumbnail(job, source: files[0], output: files[1])
    }
  }

  /// Decodes a recording's sound, and measures it.
  public func soundProfile(of source: OpenMedia) async throws -> SoundProfile {
    try await run([source]) { files, calls throws(MediaError) in
      try calls.soundProfile(of: files[0])
    }
  }

  /// Draws sound as a picture.
  public func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport {
    try await run([output]) { files, calls throws(MediaError) in
      try calls.waveform(job, output: files[0])
    }
  }

  /// Runs work on a thread of its own.
  ///
  /// A cancelled call returns at once. libx264 cannot be interrupted in the middle of its pictures,
  /// which for 4K takes a second: the thread ends when they are done, on descriptors of its own.
  private func run<Value: Sendable>(
    _ files: [OpenMedia],
    _ work: @escaping @Sendable ([OpenMedia], FFmpegCalls) throws(MediaError) -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let own = try files.map { media throws(MediaError) in try OwnDescriptor(duplicating: media) }
    let media = zip(own, files).map { OpenMedia(descriptor: $0.number, name: $1.name) }
    let call = RunningCall()
    return try await withTaskCancellationHandler {
      try await onOwnThread(abandonsWork: true) { _ in
        do {
          return try withExtendedLifetime(own) { () throws(MediaError) in
            try work(media, FFmpegCalls(call))
          }
        } catch {
          throw call.isCancelled ? CancellationError() : error as any Error
        }
      }
    } onCancel: {
      call.cancel()
    }
  }
}
