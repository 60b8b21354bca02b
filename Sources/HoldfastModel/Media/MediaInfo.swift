/// The contents of a media file, as the engine found them.
public struct MediaInfo: Codable, Hashable, Sendable {
  /// The container's name as FFmpeg gives it, such as `mov` or `matroska`.
  public var container: String
  /// The file's size in bytes.
  public var fileSize: Int64
  /// Video or audio; `nil` if no stream of either kind can be used.
  public var type: RecordingType?
  /// The presented duration of the streams that are kept, in seconds; `nil` if unknown.
  public var duration: Double?
  /// Whether ``duration`` was measured from the packets. If not, it comes from the header.
  public var isMeasured = false
  /// The time at which the streams that are kept begin to be presented, on the file's own clock.
  public var start: MediaTime?
  /// The streams that were examined. The file may have ``unseenStreams`` more.
  public var streams: [StreamInfo] = []
  /// The index of the video stream that is kept.
  public var video: Int?
  /// The index of the audio stream that is kept.
  public var audio: Int?
  /// When the pictures of the kept video stream are shown. Set only for a source that is longer
  /// than ``RecordingLimit/longest``.
  public var pictures: PictureTimes?
  /// When the recording was made, according to the file's own metadata.
  public var creation: RecordingTimestamp?
  /// Whether ``creation`` is the time of a clock whose zone the file does not name, read as if it
  /// were UTC; `nil` for no.
  public var isCreationLocal: Bool?
  /// Whether the file says where it was made.
  public var hasLocation = false
  /// The maker of the device, according to the file.
  public var make: String?
  /// The model of the device, according to the file.
  public var model: String?
  /// The identifier that Apple's camera gives to both halves of a Live Photo, its photo and its
  /// movie; `nil` if the file has none.
  public var contentIdentifier: String?
  /// Whether part of the kept streams could not be read, or is missing although the header names
  /// it.
  public var isDamaged = false
  /// The damage, each as a clause about the file. Empty unless ``isDamaged``.
  public var damage: [String] = []
  /// The descriptions of its pictures that the file holds. Filled in only if the packets are
  /// examined.
  public var descriptions: [PictureDescription] = []
  /// The codecs of an MP4's streams; `nil` if they were not determined.
  public var codecs: CodecStrings?
  /// The number of streams in the file that were not examined.
  public var unseenStreams = 0
  /// Warnings for a person, such as streams that were left out and packets that could not be read.
  public var warnings: [String] = []
  /// The names of everything that the file holds and Holdfast does not write itself; `nil` if they
  /// were not searched for.
  ///
  /// These are tags, boxes of an MP4 as `parent/name`, segments of a JPEG, and further streams.
  public var extras: [String]?
  /// The words that a phone heard; `nil` if the file has none.
  package var transcript: PhoneTranscript?
  /// Why the words that a phone stored in the file are not kept, as a clause about the file; `nil`
  /// if they are, or if there are none.
  package var transcriptLoss: String?

  /// Makes a description of a file whose streams are not known yet.
  public init(container: String, fileSize: Int64, creation: RecordingTimestamp? = nil) {
    self.container = container
    self.fileSize = fileSize
    self.creation = creation
  }

  /// Records that part of the file is lost.
  ///
  /// - Parameter finding: The loss, as a clause about the file.
  package mutating func noteDamage(_ finding: String) {
    isDamaged = true
    damage.append(finding)
    warnings.append(finding)
  }

  /// Records that the words that a phone stored in the file cannot be kept.
  package mutating func noteUnreadTranscript(_ reason: RuleError) {
    transcript = nil
    let loss = "the phone's transcript in it is not kept: \(reason)"
    transcriptLoss = loss
    warnings.append(loss)
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
  /// The numerator of a tick's length: one tick lasts `numerator / denominator` seconds.
  public var numerator: Int32
  /// The denominator of a tick's length: one tick lasts `numerator / denominator` seconds.
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

/// The contents of one stream of a file.
public struct StreamInfo: Codable, Hashable, Sendable {
  /// The purpose of a stream.
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
  /// The purpose of the stream.
  public var kind: Kind
  /// The codec as FFmpeg names it, such as `h264`; `unknown` if there is none.
  public var codec: String
  /// The codec's profile, such as `Main 10`.
  public var profile: String?
  /// Whether the file marks the stream as the default of its kind.
  public var isDefault = false
  /// Whether the stream is encrypted.
  public var isEncrypted = false
  /// Whether a picture or sound could be decoded from the stream; `nil` if this was not tried.
  public var decodes: Bool?
  /// Why the stream cannot be copied as it is; `nil` if it can.
  public var copyObstacle: String?
  /// The time at which the stream begins to be presented, in seconds on the file's own clock, if it
  /// was measured.
  public var start: Double?
  /// The presented duration in seconds, if it was measured.
  public var duration: Double?
  /// How many ticks of the stream's clock its decode times must be moved back, so that none is
  /// later than its presentation time; `nil` for none.
  public var decodingExcess: Int64?
  /// Whether an edit list hides packets before the first one that is presented; `nil` for no.
  public var hidesStart: Bool?
  /// The number of packets, if they were counted.
  public var packets: Int?
  /// The number of packets that do not decode cleanly, if all were decoded.
  public var damagedPackets: Int?
  /// The picture's format, for video.
  public var picture: PictureFormat?
  /// The sound's format, for audio.
  public var sound: SoundFormat?
  /// The largest format that the packets name, in each respect, if their sound changes partway;
  /// `nil` if it does not.
  public var largestSound: SoundFormat?

  /// Makes a description of a stream.
  public init(index: Int, kind: Kind, codec: String, profile: String? = nil) {
    self.index = index
    self.kind = kind
    self.codec = codec
    self.profile = profile
  }
}

/// The format of a stream's sound.
public struct SoundFormat: Codable, Hashable, Sendable {
  /// The number of samples per second.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int
  /// The bits per sample of lossless sound; `nil` for lossy sound, which has no bit depth of its
  /// own.
  public var bitDepth: Int?

  /// Whether the sound was encoded without loss; `nil` if it was, or may have been, encoded with
  /// loss.
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

  /// Returns a format with the larger value of the two in each respect.
  public func union(_ other: SoundFormat) -> SoundFormat {
    SoundFormat(
      sampleRate: max(sampleRate, other.sampleRate), channels: max(channels, other.channels),
      bitDepth: [bitDepth, other.bitDepth].compactMap(\.self).max(),
      isLossless: isLossless ?? other.isLossless)
  }
}
