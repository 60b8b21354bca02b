internal import Foundation

extension MediaInfo {
  /// Whether every figure is one that a file can have, and that can be reckoned with.
  ///
  /// Whoever describes a file in another process may have been taken over by it: what it says is
  /// looked at before anything is worked out of it.
  package var isPlausible: Bool {
    let figures = streams.flatMap { [$0.packets, $0.damagedPackets] } + [unseenStreams]
    return (start?.isPlausible ?? true)
      && [warnings, extras ?? []].allSatisfy { texts in
        texts.count <= 1000 && texts.allSatisfy { $0.utf8.count <= 1000 }
      }
      && (pictures?.isPlausible ?? true)
      && streams.allSatisfy { $0.picture?.isPlausible ?? true }
      && figures.allSatisfy { (0...1 << 40).contains($0 ?? 0) }
      && (-1440...1440).contains(creation?.offsetMinutes ?? 0)
      && (creation?.date.timeIntervalSince1970.magnitude ?? 0) < 1e12
  }
}

extension MediaTime {
  /// So far from its clock's beginning a time is at most, in ticks: sums of two have room.
  fileprivate static let furthest: Int64 = 1 << 60

  fileprivate var isPlausible: Bool {
    numerator > 0 && denominator > 0 && ticks.magnitude <= Self.furthest.magnitude
  }
}

extension PictureTimes {
  fileprivate var isPlausible: Bool {
    numerator > 0 && denominator > 0
      && (shown + [end]).allSatisfy { $0.magnitude <= MediaTime.furthest.magnitude }
      && keyframes.allSatisfy(shown.indices.contains)
  }
}

extension PictureFormat {
  fileprivate var isPlausible: Bool {
    [width, height].allSatisfy { (0...1 << 20).contains($0) }
      && [pixelAspectWidth, pixelAspectHeight].allSatisfy { (1...1 << 31).contains($0) }
  }
}
