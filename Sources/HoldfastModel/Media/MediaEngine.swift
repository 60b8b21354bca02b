/// An open file that is lent to a media engine for one call.
///
/// The engine reads and writes at explicit positions and never moves the descriptor's own. After a
/// cancelled call, the engine may still write to an output for a moment, so discard that file.
public struct OpenMedia: Sendable {
  /// The open descriptor. The caller keeps ownership.
  public var descriptor: CInt
  /// The file's name without its folder. It is a hint at the format and is never opened.
  public var name: String

  /// Lends `descriptor` under `name`.
  public init(descriptor: CInt, name: String) {
    self.descriptor = descriptor
    self.name = name
  }
}

/// How much of a file a probe reads.
public enum ProbeDepth: String, Codable, Hashable, Sendable {
  /// Only the header. This is quick, but only as truthful as the header.
  case header
  /// What the index of an MP4 says about every packet.
  ///
  /// Only the first packets are read: enough to try the sound's decoder and to see the first
  /// picture's header. The duration is measured, but no decoder is tried on pictures. Anything that
  /// only packets show (damage, changed parameter sets) is missed. Every packet is read if the file
  /// has no such index, or does not hold what its index names.
  case index
  /// Every packet. The duration is measured, and each stream is tried with its decoder.
  case packets
  /// Like ``packets``, but every packet is decoded. ``StreamInfo/damagedPackets`` holds the result.
  case decoded
  /// Only the header, and the names of everything that the file holds besides picture and sound:
  /// ``MediaInfo/extras``. A JPEG is accepted as well.
  case metadata
}

/// Everything that Holdfast asks of a media library, one file at a time.
///
/// Jobs and reports are values without paths. Files are passed only as open descriptors. If the
/// calling task is cancelled, a call throws `CancellationError`. Every other failure is a
/// ``MediaError``.
public protocol MediaEngine: Sendable {
  /// Describes what a file holds.
  ///
  /// - Parameters:
  ///   - source: The file, open for reading.
  ///   - depth: Whether to trust the header, or to read the packets as well.
  /// - Throws: ``MediaError`` if Holdfast does not accept the file.
  func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo
  /// Describes what a file holds, in a process that has seen no other file.
  ///
  /// Use this when the answer decides whether the source may be deleted. An engine without
  /// processes of its own does the same as ``probe(_:depth:)``.
  func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo

  /// Makes the file that `plan` describes.
  ///
  /// - Parameters:
  ///   - plan: What to do with each stream.
  ///   - source: The file, open for reading.
  ///   - output: An empty file, open for reading and writing.
  ///   - progress: Called from any thread with the share that is done, from 0 to 1.
  /// - Returns: What was done, with the figures that ``check(_:source:output:)`` needs.
  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport

  /// Opens an output again and compares it with the plan. Copied packets are also compared with the
  /// source, one by one.
  ///
  /// - Parameters:
  ///   - report: What ``convert(_:source:output:progress:)`` reported about the output.
  ///   - source: The source, open for reading.
  ///   - output: The output, open for reading.
  /// - Throws: ``MediaError`` with code ``MediaError/Code/checkFailed``, which names the failed
  ///   check and its figures.
  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport

  /// Makes a JPEG of one picture of a video, or of many: upright, with square pixels, without
  /// metadata.
  ///
  /// - Parameters:
  ///   - job: The size, the quality and which picture.
  ///   - source: The video, open for reading.
  ///   - output: An empty file, open for writing.
  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport

  /// Decodes a recording's sound and measures it.
  ///
  /// - Parameter source: The recording, open for reading.
  /// - Throws: ``MediaError``, with code ``MediaError/Code/nothingToPlay`` if there is no sound.
  func soundProfile(of source: OpenMedia) async throws -> SoundProfile

  /// Draws sound as a greyscale picture without metadata.
  ///
  /// - Parameters:
  ///   - job: What to draw, and how.
  ///   - output: An empty file, open for writing.
  func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport
}

extension MediaEngine {
  /// Describes what a file holds, exactly as ``probe(_:depth:)`` does.
  public func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await probe(source, depth: depth)
  }
}
