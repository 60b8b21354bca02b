public import Foundation

/// Which video a person wants in the library.
public enum VideoPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Copied where an Apple player can play the stream as it is, encoded otherwise.
  case auto
  /// Copied, or refused.
  case copy
  /// Always encoded as H.264, in standard dynamic range.
  case h264
  /// Always encoded as HEVC Main 10; high dynamic range stays.
  case hevc
}

/// What a picture is encoded as.
public enum PictureCodec: String, Codable, Hashable, Sendable {
  /// H.264 High, 8 bits, standard dynamic range.
  case h264
  /// HEVC Main 10, in the dynamic range of the source.
  case hevc
}

extension VideoPolicy {
  /// What a picture is encoded as where it is encoded: nothing in high dynamic range loses it unless that
  /// was asked for.
  fileprivate func codec(for picture: PictureFormat?) -> PictureCodec? {
    switch self {
    case .h264, .copy: return nil
    case .hevc: return .hevc
    case .auto:
      guard let picture, picture.dynamicRange != .sdr, picture.bitDepth ?? 0 >= 10 else {
        return nil
      }
      return .hevc
    }
  }
}

/// What is going to be done with a source: which streams, and how.
public struct ConversionPlan: Codable, Hashable, Sendable {
  /// What happens to one stream.
  public struct Stream: Codable, Hashable, Sendable {
    /// The stream's index in the source.
    public var index: Int
    /// Why the stream is encoded; `nil` if its packets are copied.
    public var encodedBecause: String?
    /// What the picture is encoded as, if it is; `nil` for H.264, as in plans from before there was a
    /// choice, and of sound.
    public var codec: PictureCodec?
    /// What the sound is encoded as, if it is; `nil` for AAC, as in plans from before there was a
    /// choice, and of a picture.
    public var soundCodec: SoundCodec?
    /// What the source says of the display that its picture was made on; `nil` for nothing.
    public var mastering: MasteringDisplay?
    /// Pictures a second, measured over the whole source; `nil` if they were not counted, or of
    /// sound.
    public var pictureRate: Double?
    /// Until when the last picture is shown, in seconds on the source's clock; `nil` if that was not
    /// measured, or of sound.
    public var shownUntil: Double?
    /// By how many ticks of the source's clock a copy's decode times are moved back; `nil` for none.
    public var decodingShift: Int64?

    /// Makes a stream's plan.
    public init(index: Int, encodedBecause: String? = nil, pictureRate: Double? = nil) {
      self.index = index
      self.encodedBecause = encodedBecause
      self.pictureRate = pictureRate
    }

    /// How many pictures the stretch that is taken has; `nil` for sound, and for a source that is
    /// taken whole.
    public var pictures: Int?

    /// Whether the stream's packets are copied.
    public var isCopied: Bool { encodedBecause == nil }
  }

  /// A stretch of a source. Where it begins or ends at a picture, the times are that picture's.
  public struct Stretch: Codable, Hashable, Sendable {
    /// Where it begins on the source's clock; `nil` for the source's own beginning.
    public var from: MediaTime?
    /// Where it ends on the source's clock; `nil` for the source's own end.
    public var until: MediaTime?
    /// The keyframe, at or before ``from``, from which on pictures must be decoded to be encoded.
    public var decodingFrom: MediaTime?
    /// Whether the rest of the source is in no recording: it was trimmed, not split.
    public var isAlone: Bool

    /// Makes a stretch.
    public init(from: MediaTime? = nil, until: MediaTime? = nil, isAlone: Bool = false) {
      self.from = from
      self.until = until
      self.isAlone = isAlone
    }
  }

  /// What comes out.
  public var type: RecordingType
  /// What happens to the video stream that is kept.
  public var video: Stream?
  /// What happens to the audio stream that is kept.
  public var audio: Stream?
  /// The time on the source's clock that becomes 0.
  public var start: MediaTime
  /// The stretch of the source that is taken; `nil` for the whole.
  public var stretch: Stretch?
  /// The presented duration in seconds that must come out.
  public var duration: Double
  /// The creation time that is written into the file.
  public var creationTime: Date?
  /// Whether the tags that say where and with what device it was made are kept; `nil`, as in plans
  /// from before there was a choice, is no.
  public var keepsMetadata: Bool?
  /// The height in pixels, as seen, that an encoded picture does not exceed; `nil` for the
  /// encoder's limit alone.
  public var maxHeight: Int?
  /// Which stream could not be converted and is left out, and why, as a person reads it; `nil` if none.
  public var leftOut: String?

  /// Decides what is done with the source that `info` describes, after DESIGN §5, when it becomes
  /// one recording whole.
  ///
  /// - Parameters:
  ///   - info: The measured description of the source.
  ///   - options: What the person wants.
  ///   - creationTime: The creation time that is written into the file.
  /// - Throws: ``MediaError`` when nothing can be taken, when the source is longer than
  ///   ``RecordingLimit/longest``, or when `options` ask for a copy that cannot be made.
  public init(
    for info: MediaInfo, options: ConversionOptions = ConversionOptions(), creationTime: Date? = nil
  ) throws(MediaError) {
    self = try Self.whole(info, options, creationTime: creationTime)
    guard duration <= RecordingLimit.longest else { throw .overLimit(seconds: duration) }
  }

  private init(
    type: RecordingType, start: MediaTime, duration: Double, creationTime: Date?
  ) {
    self.type = type
    self.start = start
    self.duration = duration
    self.creationTime = creationTime
  }

  /// What would be done with the source however long it is.
  static func whole(
    _ info: MediaInfo, _ options: ConversionOptions, creationTime: Date?
  ) throws(MediaError) -> ConversionPlan {
    guard let type = info.type, let start = info.start, let duration = info.duration, duration > 0
    else { throw MediaError(.nothingToPlay, "holds no picture or sound that can be played") }
    var plan = ConversionPlan(
      type: type, start: start, duration: duration, creationTime: creationTime)
    plan.keepsMetadata = options.keepsMetadata ? true : nil
    plan.maxHeight = options.maxHeight
    if let stream = info.videoStream {
      let height = stream.picture?.displaySize.height ?? 0
      let excess = options.maxHeight.flatMap { most in
        height > most ? "its height of \(height) is over the \(most) asked for" : nil
      }
      // Behind a late start, FFmpeg's muxer hides nothing.
      let isLate = stream.start.map { $0 > start.seconds + 0.001 } ?? false
      let obstacle =
        stream.copyObstacle
        ?? (isLate && stream.hidesStart == true
          ? "an edit list hides pictures before its late start" : nil)
      var reason = obstacle ?? excess
      switch options.video {
      case .auto: break
      case .h264, .hevc: reason = reason ?? "asked for"
      case .copy:
        if let obstacle { throw .cannotCopy(because: obstacle) }
        if let excess {
          throw .cannotCopy(because: excess)
        }
      }
      let rate = stream.packets.flatMap { packets in
        stream.duration.flatMap { $0 > 0 ? Double(packets) / $0 : nil }
      }
      plan.video = Stream(index: stream.index, encodedBecause: reason, pictureRate: rate)
      plan.video?.codec = options.video.codec(for: stream.picture)
      plan.video?.mastering = stream.picture?.mastering
      plan.video?.decodingShift = stream.decodingExcess
      if let start = stream.start, let duration = stream.duration {
        plan.video?.shownUntil = start + duration
      }
    }
    if let stream = info.audioStream {
      plan.audio = Stream(index: stream.index, encodedBecause: options.audio.reason(for: stream))
      plan.audio?.soundCodec = options.audio.codec(for: stream)
    }
    return plan
  }

  /// Whether at least one stream is copied.
  public var copiesAny: Bool { video?.isCopied == true || audio?.isCopied == true }

  /// When the last picture is over on the output's clock, in seconds; `nil` if that was not measured.
  package var picturesEnd: Double? {
    video?.shownUntil.map { min($0, stretch?.until?.seconds ?? $0) - start.seconds }
  }

  /// Whether the source's beginning alone is kept.
  public var isTrimmed: Bool { stretch?.isAlone == true }

  /// The same plan with every stream encoded, for a copy that failed its check.
  ///
  /// - Parameter reason: Why the copy was given up.
  public func encodingAll(because reason: String) -> ConversionPlan {
    var plan = self
    if plan.video?.isCopied == true { plan.video?.encodedBecause = reason }
    if plan.audio?.isCopied == true { plan.audio?.encodedBecause = reason }
    return plan
  }
}

/// What was done to a source, and with what.
public struct ConversionReport: Codable, Hashable, Sendable {
  /// The plan that was followed.
  public var plan: ConversionPlan
  /// Size of the source in bytes; `nil` in reports from before it was noted.
  public var sourceSize: Int64?
  /// Pictures written; `nil` without video.
  public var pictures: Int?
  /// What the picture was encoded as; `nil` for H.264, and if it was copied or there is none.
  public var encodedCodec: PictureCodec?
  /// Size of an encoded picture in pixels; `nil` if the picture was copied or there is none.
  public var encodedSize: PictureSize?
  /// When the last encoded picture's time is over on the output's clock, in seconds; `nil` if the
  /// picture was copied or there is none.
  public var encodedPicturesEnd: Double?
  /// Presented start and end of the encoded sound on the output's clock, in samples of
  /// ``encodedSampleRate``; `nil` if it was copied or there is none.
  public var encodedSound: Range<Int64>?
  /// The sample rate of the encoded sound; `nil` if it was copied or there is none.
  public var encodedSampleRate: Int?
  /// A hash of the samples that went into a lossless encoder; `nil` if there was none.
  public var encodedSamples: String?
  /// The loudest sample that went into the audio encoder, from 0 to 1.
  public var encodedPeak: Double?
  /// The most that came out of the picture's decoder, in each respect; `nil` if the picture was copied
  /// or there is none.
  public var decodedPicture: PictureFormat?
  /// The most that came out of the sound's decoder, in each respect; `nil` if the sound was copied or
  /// there is none.
  public var decodedSound: SoundFormat?
  /// Packets of encoded streams out of which nothing or not everything could be decoded; `nil` for
  /// none.
  public var damagedPackets: Int?
  /// The names of the tags that say where and with what device it was made, as they stand in the
  /// output; `nil` if they were not to be kept.
  public var keptMetadata: [String]?
  /// The settings of the encoders that were used.
  public var settings: [String]
  /// The versions of the libraries that did it.
  public var versions: [String: String]
  /// What a person should know of what was lost on the way.
  public var warnings: [String]
  /// What the check found; `nil` until it was made.
  public var check: CheckReport?

  /// Makes a report of `plan`, with nothing done yet.
  public init(plan: ConversionPlan) {
    self.plan = plan
    self.settings = []
    self.versions = [:]
    self.warnings = []
  }

  /// When the encoded sound ends on the output's clock, in seconds; `nil` if none was encoded.
  public var encodedSoundEnd: Double? {
    guard let encodedSound, let encodedSampleRate, encodedSampleRate > 0 else { return nil }
    return Double(encodedSound.upperBound) / Double(encodedSampleRate)
  }
}

/// What the check of an output found.
public struct CheckReport: Codable, Hashable, Sendable {
  /// The output's presented duration in seconds, measured from its packets.
  public var duration: Double
  /// Width in pixels as stored; `nil` for audio.
  public var width: Int?
  /// Height in pixels as stored; `nil` for audio.
  public var height: Int?
  /// Video packets found; `nil` for audio.
  public var pictures: Int?
  /// Packets whose bytes and times were compared with the source's.
  public var packetsCompared: Int
  /// Packets that do not decode cleanly; `nil` if not all of them were decoded.
  public var damagedPackets: Int?
  /// The format of the output's picture; `nil` for audio.
  public var picture: PictureFormat?
  /// The format of the output's sound; `nil` without sound.
  public var sound: SoundFormat?
  /// The descriptions of its pictures that the output holds; `nil` if they were not looked for.
  public var descriptions: [PictureDescription]?
  /// What the output's streams are coded in; `nil` in reports from before that was noted.
  public var codecs: CodecStrings?

  /// Makes a report of a check.
  public init(
    duration: Double, width: Int? = nil, height: Int? = nil, pictures: Int? = nil,
    packetsCompared: Int = 0, picture: PictureFormat? = nil, sound: SoundFormat? = nil,
    descriptions: [PictureDescription]? = nil
  ) {
    self.duration = duration
    self.width = width
    self.height = height
    self.pictures = pictures
    self.packetsCompared = packetsCompared
    self.picture = picture
    self.sound = sound
    self.descriptions = descriptions
  }
}
