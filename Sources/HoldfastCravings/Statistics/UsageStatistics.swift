public import Foundation
import Holdfast

/// The figures of a period's usage.
public struct UsageStatistics: Codable, Hashable, Sendable {
  /// The number of entries.
  public var count: Int
  /// When something was last used, regardless of the period; `nil` for never.
  public var lastUse: Date?
  /// The time zone in which it was logged, in minutes east of Greenwich; `nil` for never.
  public var lastUseOffset: Int?
  /// The number of days since the last use, to one decimal; `nil` if nothing was ever used.
  public var daysSinceLastUse: Double?
  /// The period's longest stretch without use; `nil` if nothing was ever used.
  public var longestStretch: Stretch?
  /// How often each method was used and how much, most often first.
  public var byMethod: [UsageSummary]
  /// The amounts compared with those of the first period. `nil` for everything, and if nothing was
  /// ever used.
  public var comparison: UsageComparison?
}

/// The time between two uses, or between a use and now.
public struct Stretch: Codable, Hashable, Sendable {
  /// The use at which the stretch begins, or the start of the period if that is later.
  public var since: Date
  /// The use at which the stretch ends, or now.
  public var until: Date
  /// The length in days, to one decimal.
  public var days: Double
}

/// The amounts of a period compared with those of the first period.
///
/// The first period has the same length, and begins with the very first use.
public struct UsageComparison: Codable, Hashable, Sendable {
  /// The first moment of the first period.
  public var firstSince: Date
  /// The first moment after the first period.
  public var firstUntil: Date
  /// The moment from which the two periods no longer overlap.
  public var availableFrom: Date
  /// The methods that were used in either period, most often used first; `nil` while the periods
  /// overlap.
  public var methods: [MethodComparison]?
}

/// How much of one method was used in a period and in the first period.
public struct MethodComparison: Codable, Hashable, Sendable {
  /// The method.
  public var method: UsageMethod
  /// The amount in the period, in the method's unit.
  public var amount: Double
  /// The amount in the first period.
  public var firstAmount: Double
}
