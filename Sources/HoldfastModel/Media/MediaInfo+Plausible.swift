import Foundation

extension MediaInfo {
  /// Whether every figure is one that a file can have, and small enough to calculate with.
  ///
  /// A hostile file may take over the process that describes it, so check the description before
  /// using any figure in it.
  package var isPlausible: Bool {
    let figures = streams.flatMap { [$0.packets, $0.damagedPackets] } + [unseenStreams]
    let seconds = [duration] + streams.flatMap { [$0.start, $0.duration] }
    return fileSize >= 0 && streams.count <= 1000
      && seconds.allSatisfy { (-1e13...1e13).contains($0 ?? 0) }
      && (start?.isPlausible ?? true)
      && [warnings, damage, extras ?? [], [transcriptLoss ?? ""]].allSatisfy { texts in
        texts.count <= 1000 && texts.allSatisfy { $0.utf8.count <= 1000 }
      }
      && (pictures?.isPlausible ?? true) && (transcript?.isPlausible ?? true)
      && streams.allSatisfy {
        ($0.picture?.isPlausible ?? true) && ($0.sound?.isPlausible ?? true)
          && ($0.largestSound?.isPlausible ?? true)
      }
      && streams.allSatisfy { (0...MediaTime.furthest).contains($0.decodingExcess ?? 0) }
      && (codecs?.isPlausible ?? true)
      && descriptions.count <= PictureDescription.allCases.count
      && figures.allSatisfy { (0...1 << 40).contains($0 ?? 0) }
      && (-1440...1440).contains(creation?.offsetMinutes ?? 0)
      && (creation?.date.timeIntervalSince1970.magnitude ?? 0) < 1e12
  }
}

extension MediaTime {
  /// The furthest that a time may be from its clock's beginning, in ticks. The sum of two such
  /// times does not overflow.
  fileprivate static let furthest: Int64 = 1 << 60

  /// The furthest that a time may be from its clock's beginning, in seconds: about three thousand
  /// years, for which dates can still be made.
  fileprivate static let furthestSeconds = 1e11

  fileprivate var isPlausible: Bool {
    numerator > 0 && denominator > 0 && ticks.magnitude <= Self.furthest.magnitude
      && seconds.magnitude <= Self.furthestSeconds
  }
}

extension PictureTimes {
  fileprivate var isPlausible: Bool {
    numerator > 0 && denominator > 0
      && (shown + [end]).allSatisfy { $0.magnitude <= MediaTime.furthest.magnitude }
      && keyframes.allSatisfy(shown.indices.contains)
  }
}

extension SoundFormat {
  var isPlausible: Bool {
    (0...1 << 31).contains(sampleRate) && (0...1 << 16).contains(channels)
      && (0...128).contains(bitDepth ?? 0)
  }
}

extension PictureFormat {
  var isPlausible: Bool {
    [width, height].allSatisfy { (0...1 << 20).contains($0) }
      && (0...128).contains(bitDepth ?? 0) && (pixelFormat?.utf8.count ?? 0) <= 100
      && [pixelAspectWidth, pixelAspectHeight].allSatisfy { (1...1 << 31).contains($0) }
      && (0...1e9).contains(frameRate ?? 0)
  }
}
