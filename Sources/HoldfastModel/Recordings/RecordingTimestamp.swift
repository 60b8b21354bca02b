public import Foundation

/// When a recording was made, and how that is known.
public struct RecordingTimestamp: Codable, Hashable, Sendable {
  /// The moment, rounded to the millisecond, so that a value that was stored and read again is
  /// equal.
  public var date: Date
  /// The time zone where it was recorded, in minutes east of Greenwich; `nil` if unknown.
  public var offsetMinutes: Int?
  /// Where the moment was found.
  public var source: TimestampSource

  /// Makes a timestamp. `date` is rounded to the millisecond.
  public init(date: Date, offsetMinutes: Int? = nil, source: TimestampSource) {
    self.date = date.roundedToMillisecond
    self.offsetMinutes = offsetMinutes
    self.source = source
  }

  /// Returns whether the moment can be true: not before 1995, and not more than a day after `now`.
  ///
  /// Cameras whose clock was never set say 1904, 1970 or 1980. A phone never says those.
  public func isPlausible(now: Date) -> Bool {
    date >= Self.earliest && date <= now.addingTimeInterval(86_400)
  }

  /// 1995-01-01T00:00:00Z.
  private static let earliest = Date(timeIntervalSince1970: 788_918_400)
}

extension Date {
  /// This moment rounded to the millisecond, the precision in which dates are stored.
  public var roundedToMillisecond: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  /// Whether both can be one moment: a document may have it in whole seconds, where a store has
  /// fractions.
  public func isSameMoment(as other: Date) -> Bool {
    if self == other { return true }
    let (own, others) = (timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
    return own.rounded(.down) == others.rounded(.down)
      && (own == own.rounded(.down) || others == others.rounded(.down))
  }
}
