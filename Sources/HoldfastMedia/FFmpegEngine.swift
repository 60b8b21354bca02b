public import HoldfastModel
internal import HoldfastSupport

/// The media engine on FFmpeg's libraries, in the process that calls it.
///
/// Each call reads, decodes and writes on a thread of its own. The caller chooses how many run at a
/// time. A cancelled call may go on writing to its output for a moment.
///
/// FFmpeg keeps two settings for the whole process, and the first engine that is used changes them
/// for every other user of FFmpeg in that process. FFmpeg's log is no longer printed
/// (`av_log_set_callback`), and no single allocation may be larger than 512 MiB, more than a
/// recording needs (`av_max_alloc`). If that is a problem, use the workers of `WorkerPool`.
public struct FFmpegEngine: MediaEngine {
  /// Creates an engine.
  public init() {}

  /// Returns what a file holds.
  ///
  /// - Throws: `MediaError` if the file is refused, `CancellationError` if the task was
  ///   cancelled.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await run([source]) { files, calls throws(MediaError) in
      try calls.probe(files[0], depth: depth)
    }
  }

  /// Converts `source` to the file that `plan` describes, and reports what was done.
  ///
  /// - Throws: `MediaError` if the conversion fails, `CancellationError` if the task was
  ///   cancelled.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.convert(plan, source: files[0], output: files[1], progress: progress)
    }
  }

  /// Compares an output with its plan and, where packets were copied, with the source.
  ///
  /// - Throws: `MediaError` with the code `checkFailed` if they differ.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.check(report, source: files[0], output: files[1])
    }
  }

  /// Makes a JPEG of one picture of a video, or a contact sheet of many.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await run([source, output]) { files, calls throws(MediaError) in
      try calls.thumbnail(job, source: files[0], output: files[1])
    }
  }

  /// Decodes a recording's sound and measures it.
  ///
  /// - Throws: `MediaError` if the recording has no sound, or some of it does not decode.
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
  /// A cancelled call returns at once. libx264 cannot be interrupted while it encodes, which takes
  /// a second for 4K. The thread ends when that is done, on its own copies of the descriptors.
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
