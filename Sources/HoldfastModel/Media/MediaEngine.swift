/// An open file that is lent to a media engine for the length of a call.
///
/// The engine reads and writes at positions of its own and never moves the descriptor's. Only after
/// a call was cancelled may an output still be written to for a moment: throw that file away.
public struct OpenMedia: Sendable {
  /// The open descriptor, which stays the caller's.
  public var descriptor: CInt
  /// The file's name without its folder: a hint at its format, never opened.
  public var name: String

  /// Lends `descriptor` under `name`.
  public init(descriptor: CInt, name: String) {
    self.descriptor = descriptor
    self.name = name
  }
}

/// How far a probe goes.
public enum ProbeDepth: String, Codable, Hashable, Sendable {
  /// Only the header: quick, and as truthful as the header.
  case header
  /// What the index of an MP4 says of every packet, without reading them: the duration is measured, no
  /// decoder is tried on pictures, and what only packets show (damage, other parameter sets) is not
  /// seen. Of a file without such an index, and of one that does not hold what its index names, every
  /// packet is read.
  case index
  /// Every packet: the duration is measured, and each stream is tried with its decoder.
  case packets
  /// As ``packets``, and every packet is decoded: ``StreamInfo/damagedPackets`` says with what result.
  case decoded
  /// Only the header, and by name everything that the file holds beside picture and sound:
  /// ``MediaInfo/extras``. A JPEG is looked at as well.
  case metadata
}

/// Everything that Holdfast asks of a media library, one file at a time.
///
/// Jobs and reports are values without paths; files travel only as open descriptors. Every call is
/// cancelled with its task, and then throws `CancellationError`. Everything else that goes wrong is
/// a ``MediaError``.
public protocol MediaEngine: Sendable {
  /// Says what a file holds.
  ///
  /// - Parameters:
  ///   - source: The file, open for reading.
  ///   - depth: Whether the header's word is enough, or the packets are read.
  /// - Throws: ``MediaError`` when the file is not one that Holdfast takes.
  func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo
  /// Says what a file holds, on the word of nobody who has seen another file: what is said of it decides
  /// whether the source may go. An engine without processes of its own has no other word to give.
  func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo

  /// Makes the file that `plan` describes.
  ///
  /// - Parameters:
  ///   - plan: What is to be done with each stream.
  ///   - source: The file, open for reading.
  ///   - output: An empty file, open for reading and writing.
  ///   - progress: Called with the share that is done, from 0 to 1, from any thread.
  /// - Returns: What was done, with the figures that ``check(_:source:output:)`` needs.
  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport

  /// Opens an output again and compares it with what was planned and, where packets were copied,
  /// with the source, packet by packet.
  ///
  /// - Parameters:
  ///   - report: What ``convert(_:source:output:progress:)`` said of the output.
  ///   - source: The source, open for reading.
  ///   - output: The output, open for reading.
  /// - Throws: ``MediaError`` with code ``MediaError/Code/checkFailed`` that names the check and
  ///   its figures.
  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport

  /// Makes a JPEG of one picture of a video, or of many: upright, in square pixels, without metadata.
  ///
  /// - Parameters:
  ///   - job: Size, quality and place.
  ///   - source: The video, open for reading.
  ///   - output: An empty file, open for writing.
  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport

  /// Decodes a recording's sound, and measures it.
  ///
  /// - Parameter source: The recording, open for reading.
  /// - Throws: ``MediaError``, with ``MediaError/Code/nothingToPlay`` when it has no sound.
  func soundProfile(of source: OpenMedia) async throws -> SoundProfile

  /// Draws sound as a picture in shades of grey, without metadata.
  ///
  /// - Parameters:
  ///   - job: What is drawn, and how.
  ///   - output: An empty file, open for writing.
  func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport
}

extension MediaEngine {
  /// Says what a file holds, as ``probe(_:depth:)`` does.
  public func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await probe(source, depth: depth)
  }
}
