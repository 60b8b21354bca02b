internal import CFFmpeg
internal import Glibc
public import HoldfastModel

/// The media engine on FFmpeg's libraries, in the process that calls it.
///
/// Each call runs on a thread of its own and reads, decodes and writes there; how many run at a
/// time is the caller's choice. After a call was cancelled, its output may for a moment still be
/// written to.
public struct FFmpegEngine: MediaEngine {
  /// Makes an engine.
  public init() { _ = Self.isPrepared }

  /// The largest piece of memory that a file may make FFmpeg ask for at once, in bytes: a picture
  /// of the largest size, 12 bits deep and 4:4:4, takes half of it. Some containers name a stream
  /// only after decoders were opened for it, and this holds then too.
  private static let largestAllocation = 512 << 20

  /// FFmpeg writes its messages to standard error, and takes any memory, unless told otherwise.
  private static let isPrepared: Bool = {
    cff_log_capture()
    av_max_alloc(largestAllocation)
    return true
  }()

  /// Says what a file holds.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await run([source]) { files, cancellation throws(MediaError) in
      try Probe.run(files[0], depth: depth, cancellation: cancellation)
    }
  }

  /// Makes the file that `plan` describes.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run([source, output]) { files, cancellation throws(MediaError) in
      try Conversion.run(
        plan, source: files[0], output: files[1],
        progress: { if !cancellation.isCancelled { progress($0) } }, cancellation: cancellation)
    }
  }

  /// Compares an output with what was planned and, where packets were copied, with the source.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run([source, output]) { files, cancellation throws(MediaError) in
      try OutputCheck.run(
        report, source: files[0], output: files[1], cancellation: cancellation)
    }
  }

  /// Makes a JPEG of one picture of a video.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await run([source, output]) { files, cancellation throws(MediaError) in
      try Thumbnail.run(job, source: files[0], output: files[1], cancellation: cancellation)
    }
  }

  /// Runs work on a thread of its own.
  ///
  /// A cancelled call returns at once. libx264 cannot be interrupted in the middle of its pictures,
  /// which for 4K takes a second: the thread ends when they are done, on descriptors of its own.
  private func run<Value: Sendable>(
    _ files: [OpenMedia],
    _ work: @escaping @Sendable ([OpenMedia], Cancellation) throws(MediaError) -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let own = try files.map(OwnMedia.init)
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await onOwnThread(abandonsWork: true) { _ in
        cff_log_clear()
        do {
          return try withExtendedLifetime(own) { () throws(MediaError) in
            try work(own.map(\.media), cancellation)
          }
        } catch {
          throw cancellation.isCancelled ? CancellationError() : error as any Error
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// A lent file under a descriptor of our own, which outlives the call if it must.
private final class OwnMedia: Sendable {
  let media: OpenMedia

  init(_ lent: OpenMedia) throws(MediaError) {
    let descriptor = fcntl(lent.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw MediaError(systemError: errno, as: .inputRefused, operation: "open")
    }
    media = OpenMedia(descriptor: descriptor, name: lent.name)
  }

  deinit { close(media.descriptor) }
}
