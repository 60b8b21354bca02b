public import Foundation
public import Holdfast

/// The present: the moment, and the local day.
public struct HabitClock: Hashable, Sendable {
  /// The moment.
  public let now: Date
  /// The offset of the clock's time zone, in minutes east of Greenwich.
  public let offset: Int

  /// Makes the present. Without an offset, the clock is this machine's.
  public init(_ now: Date = Date(), offset: Int? = nil) {
    self.now = now
    self.offset = offset ?? now.localOffset
  }

  /// The local day.
  public var today: Day { Day(of: now, offset: offset) }
}
