import Foundation

// A hostile file may take over the worker that reports on it, so reports are checked before
// anything in them is used, stored or shown.

private enum ReportBounds {
  /// The most texts. A report has about a dozen.
  static let texts = 100
  /// The most bytes in one text. Some texts repeat a message of FFmpeg's.
  static let bytes = 4000
  /// The largest count. A recording has some thousands of pictures and packets.
  static let count = 1 << 32
  /// The longest time in seconds, far longer than any recording.
  static let seconds = 1e9

  static func holds(_ texts: [String]) -> Bool {
    texts.count <= Self.texts && texts.allSatisfy { $0.utf8.count <= bytes }
  }

  static func holds(_ counts: Int?...) -> Bool {
    counts.allSatisfy { (0...count).contains($0 ?? 0) }
  }
}

extension PictureSize {
  fileprivate var isPlausible: Bool {
    [width, height].allSatisfy { (1...1 << 16).contains($0) }
  }
}

extension MediaReport {
  /// Whether every figure is one that the job can give.
  package var isPlausible: Bool {
    switch self {
    case .probed(let info): info.isPlausible
    case .converted(let report): report.isPlausible
    case .checked(let report): report.isPlausible
    case .drawn(let report): report.isPlausible
    case .measured(let profile): profile.isPlausible
    case .decoded(let sound): sound.isPlausible
    case .photo(let report): report.isPlausible
    }
  }
}

extension ConversionReport {
  /// Whether every figure is one that a conversion can have. The plan is not checked, because the
  /// caller has its own copy.
  package var isPlausible: Bool {
    let sound = encodedSound ?? 0..<1
    let limit = Int64(ReportBounds.count)
    return ReportBounds.holds(pictures, damagedPackets, encodedSampleRate)
      && (encodedSize?.isPlausible ?? true)
      && (decodedPicture?.isPlausible ?? true) && (decodedSound?.isPlausible ?? true)
      && (0...ReportBounds.seconds).contains(encodedPicturesEnd ?? 0)
      && (-limit...limit).contains(sound.lowerBound)
      && (-limit...limit).contains(sound.upperBound)
      && (0...1e6).contains(encodedPeak ?? 0)
      && [
        settings, warnings, keptMetadata ?? [], [encodedSamples].compactMap(\.self),
        Array(versions.keys), Array(versions.values),
      ]
      .allSatisfy { ReportBounds.holds($0) }
      && check == nil
  }
}

extension CheckReport {
  package var isPlausible: Bool {
    (0...RecordingLimit.longest).contains(duration)
      && [width, height].allSatisfy { (1...1 << 16).contains($0 ?? 1) }
      && ReportBounds.holds(pictures, packetsCompared, damagedPackets)
      && (picture?.isPlausible ?? true) && (sound?.isPlausible ?? true)
      && (descriptions?.count ?? 0) <= PictureDescription.allCases.count
      && (codecs?.isPlausible ?? true)
  }
}

extension ThumbnailReport {
  package var isPlausible: Bool {
    size.isPlausible && (codecs?.isPlausible ?? true)
      && (1...ThumbnailJob.mostBytes).contains(bytes)
      && (choice.map { (0...ReportBounds.seconds).contains($0.time) && (0...1).contains($0.score) }
        ?? true)
  }
}

extension PhotoReport {
  package var isPlausible: Bool {
    size.isPlausible && (1...PhotoLimit.mostBytes).contains(bytes)
  }
}

extension WorkerDescription {
  package var isPlausible: Bool {
    doors.count <= ReportBounds.texts && doors.allSatisfy { ReportBounds.holds($0.means) }
      && ReportBounds.holds(Array(libraries.versions.keys) + Array(libraries.versions.values))
      && ReportBounds.holds(Array(libraries.encoders.keys))
  }
}
