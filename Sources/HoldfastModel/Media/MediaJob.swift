/// One piece of work for a ``MediaEngine``, and the files that it needs.
///
/// The engine answers with a ``MediaReport``.
public enum MediaJob: Codable, Sendable {
  /// Describes the contents of a file. If `isAlone` is `true`, this happens in a process that has
  /// seen no other file. The answer is ``MediaReport/probed(_:)``.
  case probe(OpenMedia, depth: ProbeDepth, isAlone: Bool)
  /// Makes the file that a plan describes. The answer is ``MediaReport/converted(_:)``.
  case convert(ConversionPlan, source: OpenMedia, output: OpenMedia)
  /// Compares an output with its plan and its source. The answer is ``MediaReport/checked(_:)``.
  case check(ConversionReport, source: OpenMedia, output: OpenMedia)
  /// Makes a JPEG of one picture of a video, or of many. The answer is ``MediaReport/drawn(_:)``.
  case thumbnail(ThumbnailJob, source: OpenMedia, output: OpenMedia)
  /// Decodes a recording's sound and measures it. The answer is ``MediaReport/measured(_:)``.
  case measureSound(OpenMedia)
  /// Writes a recording's sound as transcribers read it: a WAV file with one channel of 16 bits at
  /// 16 kHz. The answer is ``MediaReport/decoded(_:)``.
  case decodeSound(source: OpenMedia, output: OpenMedia)
  /// Writes a photo as a JPEG without metadata. The answer is ``MediaReport/photo(_:)``.
  case photo(source: OpenMedia, output: OpenMedia)
  /// Draws sound as a picture. The answer is ``MediaReport/drawn(_:)``.
  case waveform(WaveformJob, output: OpenMedia)

  /// The files: the source, if there is one, and then the output, if there is one.
  public var files: [OpenMedia] {
    switch self {
    case .probe(let source, _, _), .measureSound(let source): [source]
    case .waveform(_, let output): [output]
    case .convert(_, let source, let output), .check(_, let source, let output),
      .thumbnail(_, let source, let output), .decodeSound(let source, let output),
      .photo(let source, let output):
      [source, output]
    }
  }

  /// Returns the same job with other descriptors of its files.
  ///
  /// - Parameter descriptors: One descriptor for each of ``files``, in that order.
  package func lending(_ descriptors: [CInt]) -> MediaJob {
    let files = zip(descriptors, files).map { OpenMedia(descriptor: $0, name: $1.name) }
    return switch self {
    case .probe(_, let depth, let isAlone): .probe(files[0], depth: depth, isAlone: isAlone)
    case .convert(let plan, _, _): .convert(plan, source: files[0], output: files[1])
    case .check(let report, _, _): .check(report, source: files[0], output: files[1])
    case .thumbnail(let job, _, _): .thumbnail(job, source: files[0], output: files[1])
    case .measureSound: .measureSound(files[0])
    case .decodeSound: .decodeSound(source: files[0], output: files[1])
    case .photo: .photo(source: files[0], output: files[1])
    case .waveform(let job, _): .waveform(job, output: files[0])
    }
  }
}

/// The result of a ``MediaJob``.
public enum MediaReport: Codable, Sendable {
  /// The contents of a file.
  case probed(MediaInfo)
  /// The report of a conversion.
  case converted(ConversionReport)
  /// The findings of a check, for an output that matches its plan.
  case checked(CheckReport)
  /// The thumbnail, contact sheet or waveform that was drawn.
  case drawn(ThumbnailReport)
  /// The measurements of a recording's sound.
  case measured(SoundProfile)
  /// What is in a WAV file that was written.
  case decoded(DecodedSound)
  /// The photo that was written.
  case photo(PhotoReport)
}

/// An open file that is lent to a media engine for one job.
///
/// The engine reads and writes at explicit positions and never moves the descriptor's own. After a
/// cancelled call, the engine may still write to an output for a moment, so discard that file.
public struct OpenMedia: Codable, Sendable {
  /// The open descriptor. The caller keeps ownership.
  ///
  /// It means nothing in another process, so it is not encoded. A decoded file has -1.
  public var descriptor: CInt = -1
  /// The file's name without its folder. It is a hint at the format and is never opened.
  public var name: String

  private enum CodingKeys: CodingKey { case name }

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
  /// The index of an MP4, which describes every packet.
  ///
  /// Only the first packets are read: enough to try the sound's decoder and to see the first
  /// picture's header. The duration is measured, but no decoder is tried on pictures. Anything that
  /// only packets show (damage, changed parameter sets) is missed. Every packet is read if the file
  /// has no such index, or lacks data that its index names.
  case index
  /// Every packet. The duration is measured, and each stream is tried with its decoder.
  case packets
  /// Like ``packets``, but every packet is decoded. ``StreamInfo/damagedPackets`` holds the result.
  case decoded
  /// Only the header, and the names of everything that the file holds besides picture and sound:
  /// ``MediaInfo/extras``. A JPEG is accepted as well.
  case metadata
}
