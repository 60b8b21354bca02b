public import HoldfastModel
import HoldfastSupport

/// The media engine on FFmpeg's libraries, in the process that calls it.
///
/// Each call reads, decodes and writes on a thread of its own. The caller chooses how many run at a
/// time. A cancelled call may go on writing to its output for a moment.
///
/// FFmpeg keeps two settings for the whole process, and the first engine that is used changes them
/// for every other user of FFmpeg in that process. FFmpeg stops printing its log
/// (`av_log_set_callback`), and no single allocation may be larger than 512 MiB, more than a
/// recording needs (`av_max_alloc`). If that is a problem, use the workers of `WorkerPool`.
public struct FFmpegEngine: MediaEngine {
  /// Creates an engine.
  public init() {}

  /// Does one job on a thread of its own.
  ///
  /// A cancelled call returns at once. libx264 cannot be interrupted while it encodes, which takes
  /// a second for 4K. The thread ends when that is done, on its own copies of the descriptors.
  ///
  /// - Throws: `HoldfastError` if the job fails, `CancellationError` if the task was cancelled.
  public func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> MediaReport {
    try Task.checkCancellation()
    let own = try job.files.map { media throws(HoldfastError) in
      try OwnDescriptor(duplicating: media)
    }
    let job = job.lending(own.map(\.number))
    let call = RunningCall()
    return try await withTaskCancellationHandler {
      try await onOwnThread(abandonsWork: true) { _ in
        defer { withExtendedLifetime(own) {} }
        do {
          return try FFmpegCalls(call).perform(job, progress: progress)
        } catch {
          throw call.isCancelled ? CancellationError() : error as any Error
        }
      }
    } onCancel: {
      call.cancel()
    }
  }
}
