public import Foundation

/// Which video a person wants in the library.
public enum VideoPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Copy the video if an Apple player can play the stream as it is. Otherwise encode it.
  case auto
  /// Copy the video, or refuse the source.
  case copy
  /// Always encode the video as H.264, in standard dynamic range.
  case h264
  /// Always encode the video as HEVC Main 10. High dynamic range is kept.
  case hevc
}

/// The codec that a picture is encoded with.
public enum PictureCodec: String, Codable, Hashable, Sendable {
  /// H.264 High, 8 bits, standard dynamic range.
  case h264
  /// HEVC Main 10, in the dynamic range of the source.
  case hevc
}

extension VideoPolicy {
  /// Returns the codec to use if this picture is encoded; `nil` for H.264.
  ///
  /// With `auto`, a picture in high dynamic range of at least 10 bits is encoded as HEVC, so that
  /// it keeps that range.
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

/// How a source will be converted: which streams are kept, and what happens to each.
public struct ConversionPlan: Codable, Hashable, Sendable {
  /// The treatment of one stream.
  public struct Stream: Codable, Hashable, Sendable {
    /// The stream's index in the source.
    public var index: Int
    /// Why the stream is encoded; `nil` if its packets are copied.
    public var encodedBecause: String?
    /// The codec that the picture is encoded with, if it is encoded; `nil` for H.264, and for
    /// sound. Plans from before there was a choice also have `nil`.
    public var codec: PictureCodec?
    /// The codec that the sound is encoded with, if it is encoded; `nil` for AAC, and for a
    /// picture. Plans from before there was a choice also have `nil`.
    public var soundCodec: SoundCodec?
    /// The largest format of the sound in each respect, if it changes partway; `nil` if it does
    /// not, and for a picture.
    public var largestSound: SoundFormat?
    /// The source's description of the display on which its picture was mastered; `nil` for none.
    public var mastering: MasteringDisplay?
    /// The number of pictures per second, measured over the whole source; `nil` if they were not
    /// counted, and for sound.
    public var pictureRate: Double?
    /// The time at which the last picture stops being shown, or the sound of an MP4 ends, in
    /// seconds on the source's clock; `nil` if this was not measured, and for other sound, whose
    /// packets may hold more than they say.
    public var shownUntil: Double?
    /// How many ticks of the source's clock a copy's decode times are moved back; `nil` for none.
    public var decodingShift: Int64?

    /// Makes a stream's plan.
    public init(index: Int, encodedBecause: String? = nil, pictureRate: Double? = nil) {
      self.index = index
      self.encodedBecause = encodedBecause
      self.pictureRate = pictureRate
    }

    /// The number of pictures in the stretch that is used; `nil` for sound, and if the whole source
    /// is used.
    public var pictures: Int?

    /// Whether the stream's packets are copied.
    public var isCopied: Bool { encodedBecause == nil }
  }

  /// A stretch of a source. If it begins or ends at a picture, its times are those of that picture.
  public struct Stretch: Codable, Hashable, Sendable {
    /// Where the stretch begins on the source's clock; `nil` for the start of the source.
    public var from: MediaTime?
    /// Where the stretch ends on the source's clock; `nil` for the end of the source.
    public var until: MediaTime?
    /// The keyframe, at or before ``from``, at which decoding must start if the pictures are
    /// encoded.
    public var decodingFrom: MediaTime?
    /// Whether no recording holds the rest of the source: it was trimmed, not split.
    public var isAlone = false

    /// Makes a stretch.
    public init(from: MediaTime? = nil, until: MediaTime? = nil) {
      self.from = from
      self.until = until
    }
  }

  /// The type of the recording that is made.
  public var type: RecordingType
  /// What happens to the video stream that is kept; `nil` for none.
  public var video: Stream?
  /// What happens to the audio stream that is kept; `nil` for none.
  public var audio: Stream?
  /// The time on the source's clock that becomes 0 in the recording.
  public var start: MediaTime
  /// The stretch of the source that is used; `nil` for the whole source.
  public var stretch: Stretch?
  /// The presented duration that the recording must have, in seconds.
  public var duration: Double
  /// The creation time that is written into the file.
  public var creationTime: Date?
  /// Whether to keep the tags that say where, and with what device, the source was recorded. `nil`
  /// means no. Plans from before there was a choice have `nil`.
  public var keepsMetadata: Bool?
  /// The largest height of an encoded picture in pixels, as seen; `nil` if only the encoder's limit
  /// applies.
  public var maxHeight: Int?
  /// Which stream could not be converted and is left out, and why, as a person reads it; `nil` if
  /// none.
  public var leftOut: String?
}

extension ConversionPlan {
  /// Decides how to convert the source that `info` describes into one recording, by the
  /// rules of docs/media.md.
  ///
  /// - Parameters:
  ///   - info: The measured description of the source.
  ///   - options: The person's choices.
  ///   - creationTime: The creation time that is written into the file.
  /// - Throws: ``HoldfastError`` if the source holds nothing that can be played, if it is longer
  ///   than ``RecordingLimit/longest``, or if `options` ask for a copy that cannot be made.
  public init(
    for info: MediaInfo, options: ConversionOptions = ConversionOptions(), creationTime: Date? = nil
  ) throws(HoldfastError) {
    self = try Self.whole(info, options, creationTime: creationTime)
    guard duration <= RecordingLimit.longest else { throw .overLimit(seconds: duration) }
  }

  /// Returns the plan for the source as one recording, however long it is.
  static func whole(
    _ info: MediaInfo, _ options: ConversionOptions, creationTime: Date?
  ) throws(HoldfastError) -> ConversionPlan {
    guard let type = info.type, let start = info.start, let duration = info.duration, duration > 0
    else { throw HoldfastError(.nothingToPlay, "holds no picture or sound that can be played") }
    var plan = ConversionPlan(
      type: type, start: start, duration: duration, creationTime: creationTime)
    plan.keepsMetadata = options.keepsMetadata ? true : nil
    plan.maxHeight = options.maxHeight
    if let stream = info.videoStream {
      let height = stream.picture?.displaySize.height ?? 0
      let excess = options.maxHeight.flatMap { most in
        height > most ? "its height of \(height) is over the \(most) asked for" : nil
      }
      // FFmpeg's muxer hides nothing before a late start.
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
        if let excess { throw .cannotCopy(because: excess, .tooHighToCopy) }
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
      plan.audio?.largestSound = stream.largestSound
      if info.container == "mov", let start = stream.start, let duration = stream.duration {
        plan.audio?.shownUntil = start + duration
      }
    }
    return plan
  }

  /// Whether at least one stream is copied.
  public var copiesAny: Bool { video?.isCopied == true || audio?.isCopied == true }

  /// When the last picture stops being shown on the output's clock, in seconds; `nil` if this was
  /// not measured.
  package var picturesEnd: Double? {
    video?.shownUntil.map { min($0, stretch?.until?.seconds ?? $0) - start.seconds }
  }

  /// Whether only the beginning of the source is kept.
  public var isTrimmed: Bool { stretch?.isAlone == true }
}

/// How a source was converted, and with which settings and libraries.
public struct ConversionReport: Codable, Hashable, Sendable {
  /// The plan that was followed.
  public var plan: ConversionPlan
  /// The size of the source in bytes; `nil` in older reports, which do not have it.
  public var sourceSize: Int64?
  /// The number of pictures written; `nil` without video.
  public var pictures: Int?
  /// The codec that the picture was encoded with. `nil` means H.264, or that no picture was
  /// encoded.
  public var encodedCodec: PictureCodec?
  /// The size of the encoded picture in pixels; `nil` if the picture was copied or there is none.
  public var encodedSize: PictureSize?
  /// When the last encoded picture stops being shown on the output's clock, in seconds; `nil` if
  /// the picture was copied or there is none.
  public var encodedPicturesEnd: Double?
  /// The presented start and end of the encoded sound on the output's clock, in samples at
  /// ``encodedSampleRate``; `nil` if the sound was copied or there is none.
  public var encodedSound: Range<Int64>?
  /// The sample rate of the encoded sound; `nil` if the sound was copied or there is none.
  public var encodedSampleRate: Int?
  /// A hash of the samples that went into a lossless encoder; `nil` if none was used.
  public var encodedSamples: String?
  /// The loudest sample that went into the audio encoder. Full scale is 1.
  public var encodedPeak: Double?
  /// The largest values that the picture's decoder produced, in each respect; `nil` if the picture
  /// was copied or there is none.
  public var decodedPicture: PictureFormat?
  /// The largest values that the sound's decoder produced, in each respect; `nil` if the sound was
  /// copied or there is none.
  public var decodedSound: SoundFormat?
  /// The number of packets of encoded streams that could not be decoded, or only in part; `nil` for
  /// none.
  public var damagedPackets: Int?
  /// The names, as in the output, of the tags that say where, and with what device, the source was
  /// recorded; `nil` if they were not to be kept.
  public var keptMetadata: [String]?
  /// The settings of the encoders that were used.
  public var settings: [String] = []
  /// The versions of the libraries that were used.
  public var versions: [String: String] = [:]
  /// Warnings for a person about anything that was lost.
  public var warnings: [String] = []
  /// The findings of the check; `nil` until it was made.
  public var check: CheckReport?

  /// Makes a report of `plan`, with nothing done yet.
  public init(plan: ConversionPlan) { self.plan = plan }

  /// When the encoded sound ends on the output's clock, in seconds; `nil` if none was encoded.
  public var encodedSoundEnd: Double? {
    guard let encodedSound, let encodedSampleRate, encodedSampleRate > 0 else { return nil }
    return Double(encodedSound.upperBound) / Double(encodedSampleRate)
  }
}

/// The findings of the check of an output.
public struct CheckReport: Codable, Hashable, Sendable {
  /// The output's presented duration in seconds, measured from its packets.
  public var duration: Double
  /// The stored width in pixels; `nil` for audio.
  public var width: Int?
  /// The stored height in pixels; `nil` for audio.
  public var height: Int?
  /// The number of video packets found; `nil` for audio.
  public var pictures: Int?
  /// The number of packets whose bytes and times were compared with the source's.
  public var packetsCompared = 0
  /// The number of packets that do not decode cleanly; `nil` if not all of them were decoded.
  public var damagedPackets: Int?
  /// The format of the output's picture; `nil` for audio.
  public var picture: PictureFormat?
  /// The format of the output's sound; `nil` without sound.
  public var sound: SoundFormat?
  /// The descriptions of its pictures that the output holds; `nil` if they were not searched for.
  public var descriptions: [PictureDescription]?
  /// The codecs of the output's streams; `nil` in older reports, which do not have them.
  public var codecs: CodecStrings?

  /// Makes a report of a check that has found only how long the output lasts.
  public init(duration: Double) { self.duration = duration }
}
