internal import CFFmpeg
internal import Dispatch
public import HoldfastModel

/// The media engine on FFmpeg's libraries, in the process that calls it.
///
/// Each call runs on a thread of its own and reads, decodes and writes there; how many run at a
/// time is the caller's choice.
public struct FFmpegEngine: MediaEngine {
  /// Makes an engine.
  public init() { _ = Self.isPrepared }

  /// FFmpeg writes its messages to standard error unless told otherwise.
  private static let isPrepared: Bool = {
    cff_log_capture()
    return true
  }()

  /// Says what a file holds.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await run { cancellation throws(MediaError) in
      try Probe.run(source, depth: depth, cancellation: cancellation)
    }
  }

  /// Makes the file that `plan` describes.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run { cancellation throws(MediaError) in
      try Conversion.run(
        plan, source: source, output: output, progress: progress, cancellation: cancellation)
    }
  }

  /// Compares an output with what was planned and, where packets were copied, with the source.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run { cancellation throws(MediaError) in
      try OutputCheck.run(report, source: source, output: output, cancellation: cancellation)
    }
  }

  /// Makes a JPEG of one picture of a video.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await run { cancellation throws(MediaError) in
      try Thumbnail.run(job, source: source, output: output, cancellation: cancellation)
    }
  }

  /// Runs blocking work on a thread that is not one of Swift's own, and cancels it with the task.
  private func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(MediaError) -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Self.threads.async {
          cff_log_clear()
          do {
            let value = try work(cancellation)
            continuation.resume(returning: value)
          } catch {
            continuation.resume(
              throwing: cancellation.isCancelled ? CancellationError() : error as any Error)
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private static let threads = DispatchQueue(label: "holdfast.media", attributes: .concurrent)
}
