public import Foundation

/// What a library has to say of a period's usage.
public struct UsageStatistics: Codable, Hashable, Sendable {
  /// How many entries there are.
  public var count: Int
  /// When something was last used, whatever the period; `nil` for never.
  public var lastUse: Date?
  /// How many days ago that was, to one decimal.
  public var daysSinceLastUse: Double?
  /// The longest stretch of the period without; `nil` where nothing was ever used.
  public var longestStretch: Stretch?
  /// How often and how much of each method, most often first.
  public var byMethod: [UsageSummary]
  /// The amounts against those of the beginning; `nil` for a period without an end, and where
  /// nothing was ever used.
  public var comparison: UsageComparison?

  /// Puts statistics together.
  public init(
    count: Int, lastUse: Date?, daysSinceLastUse: Double?, longestStretch: Stretch?,
    byMethod: [UsageSummary], comparison: UsageComparison?
  ) {
    self.count = count
    self.lastUse = lastUse
    self.daysSinceLastUse = daysSinceLastUse
    self.longestStretch = longestStretch
    self.byMethod = byMethod
    self.comparison = comparison
  }
}

/// A time between two uses, or between a use and now.
public struct Stretch: Codable, Hashable, Sendable {
  /// The use that it begins with, or the beginning of the period that it reaches into.
  public var since: Date
  /// The use that it ends with, or now.
  public var until: Date
  /// How many days it has, to one decimal.
  public var days: Double

  /// Makes a stretch.
  public init(since: Date, until: Date, days: Double) {
    self.since = since
    self.until = until
    self.days = days
  }
}

/// The amounts of a period against those of the first period of the same length, which begins with
/// the first use of all.
public struct UsageComparison: Codable, Hashable, Sendable {
  /// The first moment of the first period.
  public var firstSince: Date
  /// The first moment after the first period.
  public var firstUntil: Date
  /// From when on the two periods lie apart.
  public var availableFrom: Date
  /// The methods that were used in either period, most often used first; `nil` while the periods
  /// overlap.
  public var methods: [MethodComparison]?

  /// Makes a comparison.
  public init(
    firstSince: Date, firstUntil: Date, availableFrom: Date, methods: [MethodComparison]?
  ) {
    self.firstSince = firstSince
    self.firstUntil = firstUntil
    self.availableFrom = availableFrom
    self.methods = methods
  }
}

/// How much of one method was used in a period, and in the first one.
public struct MethodComparison: Codable, Hashable, Sendable {
  /// The method.
  public var method: UsageMethod
  /// The amount in the period, in the method's unit.
  public var amount: Double
  /// The amount in the first period.
  public var firstAmount: Double

  /// Makes a comparison.
  public init(method: UsageMethod, amount: Double, firstAmount: Double) {
    self.method = method
    self.amount = amount
    self.firstAmount = firstAmount
  }
}
