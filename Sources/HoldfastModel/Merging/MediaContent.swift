/// The content of a source that a file holds, in each respect in which another file of that source
/// may hold more. It describes a recording, several recordings that are the parts of one source, or
/// the source itself.
///
/// Merging and `--move` both ask whether one file covers another.
package struct MediaContent: Hashable, Sendable {
  package struct Track: Hashable, Sendable {
    package var index: Int
    package var kind: StreamInfo.Kind
    package enum Treatment: Hashable, Sendable {
      /// Copied unchanged.
      case copied
      /// Encoded without loss, though perhaps with fewer channels, bits or samples.
      case lossless
      /// Encoded with loss, or a source's own track, whose encoding would not be missed.
      case lossy
    }

    /// How the source's packets were treated. A file that was encoded with loss does not cover a
    /// track that was not.
    package var treatment: Treatment
    /// The picture's format; `nil` for sound, and if it is unknown.
    package var picture: PictureFormat?
    /// The sound's format; `nil` for a picture, and if it is unknown.
    package var sound: SoundFormat?
    package var descriptions: Set<PictureDescription> = []
  }

  /// How far two lengths or beginnings may differ, in seconds. It is twice the tolerance of the
  /// check of an output.
  private static let tolerance = 0.2

  /// The tracks. Each part of a source has one for the same stream.
  package private(set) var tracks: [Track]
  /// When the content begins on the source's clock, in seconds.
  private var start: Double
  /// When the content ends on the source's clock, in seconds.
  private var end: Double
  /// How long the content lasts, in seconds.
  package private(set) var duration: Double
  /// Whether the rest of the source was cut off.
  private var isTrimmed: Bool
}

extension MediaContent {
  /// Makes the content of a recording's file; `nil` if it is unknown, because the row was rebuilt
  /// or an older version wrote it.
  package init?(_ recording: Recording) {
    guard let report = recording.ingestion.conversion, report.check != nil else { return nil }
    self.init([report])
    let isKnown = tracks.allSatisfy { track in
      track.kind == .video
        ? track.picture != nil && report.check?.descriptions != nil : track.sound != nil
    }
    guard isKnown, !tracks.isEmpty else { return nil }
  }

  /// Makes the content of all recordings that were made from one source.
  package init(_ reports: [ConversionReport]) {
    tracks = reports.flatMap { report in
      let (check, plan) = (report.check, report.plan)
      return [
        plan.video.map {
          Track(
            index: $0.index, kind: .video, treatment: $0.isCopied ? .copied : .lossy,
            picture: check?.picture,
            descriptions: Set(check?.descriptions ?? []))
        },
        plan.audio.map {
          Track(
            index: $0.index, kind: .audio,
            treatment: $0.isCopied ? .copied : $0.soundCodec == .alac ? .lossless : .lossy,
            sound: check?.sound?.limited(to: report.decodedSound))
        },
      ].compactMap(\.self)
    }
    duration = reports.reduce(0) { $0 + ($1.check?.duration ?? 0) }
    start = reports.map(\.plan.start.seconds).min() ?? 0
    end = reports.map { $0.plan.start.seconds + ($0.check?.duration ?? 0) }.max() ?? 0
    isTrimmed = reports.contains(where: \.plan.isTrimmed)
  }

  /// Makes the content of a source, as far as a person who plays it would miss it. Encoding with
  /// loss is not missed.
  ///
  /// - Parameter reports: The conversions, whose decoders may have found more than the header says.
  package init(ofSource info: MediaInfo, convertedIn reports: [ConversionReport] = []) {
    tracks = info.streams.compactMap { stream in
      guard [.video, .audio].contains(stream.kind) else { return nil }
      var track = Track(
        index: stream.index, kind: stream.kind, treatment: .lossy, picture: stream.picture,
        sound: stream.sound)
      if stream.index == info.video {
        track.descriptions = Set(info.descriptions)
        for decoded in reports.compactMap(\.decodedPicture) {
          track.picture = track.picture?.union(decoded)
        }
      } else if stream.index == info.audio {
        for decoded in reports.compactMap(\.decodedSound) {
          track.sound = track.sound?.union(decoded)
        }
      }
      return track
    }
    start = info.start?.seconds ?? 0
    duration = info.duration ?? .infinity
    end = start + duration
    isTrimmed = false
  }

  /// Something that one file lacks compared with another.
  package enum Shortfall: Hashable, Sendable {
    case track(StreamInfo.Kind, index: Int)
    /// The file is shorter, begins later or ends earlier. Lengths in seconds.
    case time(Double, of: Double)
    case encoded(StreamInfo.Kind)
    case unknown(StreamInfo.Kind)
    /// The upright picture has fewer pixels in a row or a column.
    case size(PictureSize, of: PictureSize)
    /// Fewer bits per sample; `nil` if unknown.
    case bits(StreamInfo.Kind, Int?, of: Int)
    case dynamicRange(PictureFormat.DynamicRange)
    /// The colours beyond those of BT.709 are missing.
    case wideGamut
    case channels(Int, of: Int)
    case sampleRate(Int, of: Int)
    case description(PictureDescription)
  }

  /// Returns whether this file holds at least as much as another in every respect.
  package func covers(_ other: MediaContent) -> Bool { shortfalls(of: other).isEmpty }

  /// Returns what this file lacks compared with another. The number of bytes does not matter.
  package func shortfalls(of other: MediaContent) -> [Shortfall] {
    var found: [Shortfall] = []
    for track in other.tracks {
      let own = tracks.filter { $0.index == track.index && $0.kind == track.kind }
      if own.isEmpty { found.append(.track(track.kind, index: track.index)) }
      for shortfall in own.flatMap({ $0.shortfalls(of: track) }) where !found.contains(shortfall) {
        found.append(shortfall)
      }
    }
    // Times that are not numbers cover nothing.
    let isLongEnough =
      other.duration - duration <= Self.tolerance && start - other.start <= Self.tolerance
      && other.end - end <= Self.tolerance
    if !isLongEnough || isTrimmed && !other.isTrimmed {
      found.append(.time(duration, of: other.duration))
    }
    return found
  }
}

extension MediaContent.Track {
  /// Players decode AAC to the 16 bits of a CD.
  private static let lossyBits = 16

  fileprivate func shortfalls(of other: Self) -> [MediaContent.Shortfall] {
    var found: [MediaContent.Shortfall] = []
    if other.treatment != .lossy, treatment == .lossy { found.append(.encoded(kind)) }
    if let source = other.picture { found += shortfalls(ofPicture: source) }
    if let source = other.sound, treatment != .copied { found += shortfalls(ofSound: source) }
    for description in PictureDescription.allCases
    where other.descriptions.contains(description) && !descriptions.contains(description) {
      found.append(.description(description))
    }
    return found
  }

  private func shortfalls(ofPicture other: PictureFormat) -> [MediaContent.Shortfall] {
    var found: [MediaContent.Shortfall] = []
    // The packets of a copy are the source's own, but colours may be described outside them.
    if treatment != .copied {
      guard let picture else { return [.unknown(.video)] }
      let (size, others) = (picture.uprightSize, other.uprightSize)
      if size.width < others.width || size.height < others.height {
        found.append(.size(size, of: others))
      }
      if let bits = other.bitDepth, bits > picture.bitDepth ?? 0 {
        found.append(.bits(.video, picture.bitDepth, of: bits))
      }
    }
    if other.dynamicRange != .sdr, other.dynamicRange != picture?.dynamicRange {
      found.append(.dynamicRange(other.dynamicRange))
    } else if other.isWideGamut, picture?.isWideGamut != true {
      found.append(.wideGamut)
    }
    return found
  }

  private func shortfalls(ofSound other: SoundFormat) -> [MediaContent.Shortfall] {
    guard let sound else { return [.unknown(.audio)] }
    var found: [MediaContent.Shortfall] = []
    if sound.channels < other.channels {
      found.append(.channels(sound.channels, of: other.channels))
    }
    if sound.sampleRate < other.sampleRate {
      found.append(.sampleRate(sound.sampleRate, of: other.sampleRate))
    }
    let most = sound.bitDepth ?? Self.lossyBits
    if let bits = other.bitDepth, bits > most { found.append(.bits(.audio, most, of: bits)) }
    return found
  }
}

extension SoundFormat {
  /// Returns the format without anything that an encoder made up: a higher sample rate, or more
  /// channels, than the source's decoder produced.
  fileprivate func limited(to decoded: SoundFormat?) -> SoundFormat {
    guard let decoded else { return self }
    var limited = self
    limited.sampleRate = min(sampleRate, decoded.sampleRate)
    limited.channels = min(channels, decoded.channels)
    return limited
  }
}

extension PictureFormat {
  /// The stored pixels as a viewer sees them.
  fileprivate var uprightSize: PictureSize {
    PictureSize(width: width, height: height).turned(by: orientation)
  }
}
