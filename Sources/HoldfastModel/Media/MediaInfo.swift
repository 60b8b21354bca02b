/// What a media file holds, as the engine found it.
public struct MediaInfo: Codable, Hashable, Sendable {
  /// The container's name in FFmpeg's words, such as `mov` or `matroska`.
  public var container: String
  /// Size of the file in bytes.
  public var fileSize: Int64
  /// Video, audio, or `nil` when no stream of either kind can be taken.
  public var type: RecordingType?
  /// Presented duration in seconds over the streams kept; `nil` if unknown.
  public var duration: Double?
  /// Whether ``duration`` was measured from the packets, or is the header's word.
  public var isMeasured: Bool
  /// Presented start over the streams kept, in seconds on the file's own clock.
  public var start: MediaTime?
  /// Every stream in the file.
  public var streams: [StreamInfo]
  /// The index of the video stream that is kept.
  public var video: Int?
  /// The index of the audio stream that is kept.
  public var audio: Int?
  /// When the pictures of the video stream that is kept are shown; only of a source that is longer
  /// than ``RecordingLimit/longest``.
  public var pictures: PictureTimes?
  /// When it was made, as the file's own metadata has it.
  public var creation: RecordingTimestamp?
  /// Whether the file holds the place where it was made.
  public var hasLocation: Bool
  /// The maker of the device, as the file has it.
  public var make: String?
  /// The model of the device, as the file has it.
  public var model: String?
  /// The identifier that Apple's camera gives to both halves of a Live Photo, its photo and its
  /// movie; `nil` if the file has none.
  public var contentIdentifier: String?
  /// Whether part of the streams that are kept could not be read, or is not there although its
  /// header names it.
  public var isDamaged: Bool
  /// What is damaged, each as a clause about the file; empty unless ``isDamaged``.
  public var damage: [String]
  /// The descriptions of its pictures that the file holds; filled in where its packets are looked at.
  public var descriptions: [PictureDescription]
  /// What the streams of an MP4 are coded in; `nil` where that was not looked for.
  public var codecs: CodecStrings?
  /// How many streams the file has beyond those that were looked at.
  public var unseenStreams: Int
  /// What a person should know: streams left out, packets that could not be read.
  public var warnings: [String]
  /// The names of all that it holds beside what Holdfast writes into a file: tags, boxes of an MP4 as
  /// `parent/name`, segments of a JPEG, further streams; `nil` unless it was looked for.
  public var extras: [String]?

  /// Makes a description of a file.
  public init(
    container: String, fileSize: Int64, type: RecordingType? = nil, duration: Double? = nil,
    isMeasured: Bool = false, start: MediaTime? = nil, streams: [StreamInfo] = [],
    video: Int? = nil, audio: Int? = nil, creation: RecordingTimestamp? = nil,
    hasLocation: Bool = false, make: String? = nil, model: String? = nil,
    contentIdentifier: String? = nil, isDamaged: Bool = false, damage: [String] = [],
    descriptions: [PictureDescription] = [], unseenStreams: Int = 0, warnings: [String] = [],
    extras: [String]? = nil
  ) {
    self.container = container
    self.fileSize = fileSize
    self.type = type
    self.duration = duration
    self.isMeasured = isMeasured
    self.start = start
    self.streams = streams
    self.video = video
    self.audio = audio
    self.creation = creation
    self.hasLocation = hasLocation
    self.make = make
    self.model = model
    self.contentIdentifier = contentIdentifier
    self.isDamaged = isDamaged
    self.damage = damage
    self.descriptions = descriptions
    self.unseenStreams = unseenStreams
    self.warnings = warnings
    self.extras = extras
  }

  /// Notes that part of the file is lost.
  ///
  /// - Parameter finding: What is lost, as a clause about the file.
  package mutating func noteDamage(_ finding: String) {
    isDamaged = true
    damage.append(finding)
    warnings.append(finding)
  }

  /// The video stream that is kept.
  public var videoStream: StreamInfo? { stream(video) }
  /// The audio stream that is kept.
  public var audioStream: StreamInfo? { stream(audio) }

  private func stream(_ index: Int?) -> StreamInfo? {
    streams.first { $0.index == index }
  }
}

/// A time in ticks of an exact clock.
public struct MediaTime: Codable, Hashable, Sendable {
  /// The number of ticks.
  public var ticks: Int64
  /// One tick lasts `numerator / denominator` seconds.
  public var numerator: Int32
  /// One tick lasts `numerator / denominator` seconds.
  public var denominator: Int32

  /// Makes a time of `ticks` ticks of `numerator / denominator` seconds each.
  public init(ticks: Int64, numerator: Int32, denominator: Int32) {
    self.ticks = ticks
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The time in seconds.
  public var seconds: Double { Double(ticks) * Double(numerator) / Double(denominator) }
}

/// What one stream of a file holds.
public struct StreamInfo: Codable, Hashable, Sendable {
  /// What a stream is for.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// A moving picture.
    case video
    /// Sound.
    case audio
    /// Cover art or another still picture.
    case picture
    /// Subtitles.
    case subtitle
    /// Timecode, motion data, chapters and everything else.
    case data
  }

  /// The stream's index in the file.
  public var index: Int
  /// What the stream is for.
  public var kind: Kind
  /// The codec in FFmpeg's words, such as `h264`; `unknown` if there is none.
  public var codec: String
  /// The codec's profile, such as `Main 10`.
  public var profile: String?
  /// Whether the file marks the stream as the default of its kind.
  public var isDefault: Bool
  /// Whether the stream is encrypted.
  public var isEncrypted: Bool
  /// Whether a picture or sound could be decoded from it; `nil` if it was not tried.
  public var decodes: Bool?
  /// Why the stream cannot be copied as it is; `nil` if it can.
  public var copyObstacle: String?
  /// Presented start in seconds on the file's own clock, if it was measured.
  public var start: Double?
  /// Presented duration in seconds, if it was measured.
  public var duration: Double?
  /// By how many ticks of the stream's clock its decode times must be moved back for none to lie behind
  /// its presentation time; `nil` for none.
  public var decodingExcess: Int64?
  /// Whether an edit list hides packets before the first that is presented; `nil` for no.
  public var hidesStart: Bool?
  /// Number of packets, if they were counted.
  public var packets: Int?
  /// Number of packets that do not decode cleanly, if all were decoded.
  public var damagedPackets: Int?
  /// The picture's format, for video.
  public var picture: PictureFormat?
  /// The sound's format, for audio.
  public var sound: SoundFormat?

  /// Makes a description of a stream.
  public init(
    index: Int, kind: Kind, codec: String, profile: String? = nil, isDefault: Bool = false,
    isEncrypted: Bool = false, decodes: Bool? = nil, copyObstacle: String? = nil,
    duration: Double? = nil, packets: Int? = nil, picture: PictureFormat? = nil,
    sound: SoundFormat? = nil
  ) {
    self.index = index
    self.kind = kind
    self.codec = codec
    self.profile = profile
    self.isDefault = isDefault
    self.isEncrypted = isEncrypted
    self.decodes = decodes
    self.copyObstacle = copyObstacle
    self.duration = duration
    self.packets = packets
    self.picture = picture
    self.sound = sound
  }
}

/// The format of a stream's sound.
public struct SoundFormat: Codable, Hashable, Sendable {
  /// Samples a second.
  public var sampleRate: Int
  /// Number of channels.
  public var channels: Int
  /// Bits of a sample, of lossless sound; `nil` for lossy sound, which has none of its own.
  public var bitDepth: Int?

  /// Whether nothing was lost when it was encoded; `nil` where it was, or may have been.
  public var isLossless: Bool?

  /// Makes a format.
  public init(
    sampleRate: Int, channels: Int, bitDepth: Int? = nil, isLossless: Bool? = nil
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitDepth = bitDepth
    self.isLossless = isLossless
  }

  /// The more of both in each respect.
  public func union(_ other: SoundFormat) -> SoundFormat {
    SoundFormat(
      sampleRate: max(sampleRate, other.sampleRate), channels: max(channels, other.channels),
      bitDepth: [bitDepth, other.bitDepth].compactMap(\.self).max(),
      isLossless: isLossless ?? other.isLossless)
  }
}
