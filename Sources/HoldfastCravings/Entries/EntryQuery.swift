public import Foundation
public import Holdfast

/// Which cravings to return, newest first, and which page of them.
public struct CravingQuery: Hashable, Sendable {
  /// Only cravings at this moment or later.
  public var since: Date?
  /// Only cravings before this moment.
  public var until: Date?
  /// Only cravings that are at least this strong.
  public var minimum: Intensity?
  /// Only cravings with this trigger.
  public var trigger: Trigger?
  /// Only cravings that this recording helped with.
  public var recording: RecordingID?
  /// The most results to return; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// The number of results to skip first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query. Without arguments, it returns every craving.
  public init(
    since: Date? = nil, until: Date? = nil, minimum: Intensity? = nil, trigger: Trigger? = nil,
    recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.since = since
    self.until = until
    self.minimum = minimum
    self.trigger = trigger
    self.recording = recording
    self.limit = limit
    self.offset = offset
  }
}

/// Which usage to return, newest first, and which page of it.
public struct UsageQuery: Hashable, Sendable {
  /// Only usage at this moment or later.
  public var since: Date?
  /// Only usage before this moment.
  public var until: Date?
  /// Only usage of this method.
  public var method: UsageMethod?
  /// Only usage with this trigger.
  public var trigger: Trigger?
  /// The most results to return; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// The number of results to skip first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query. Without arguments, it returns all usage.
  public init(
    since: Date? = nil, until: Date? = nil, method: UsageMethod? = nil, trigger: Trigger? = nil,
    limit: Int? = nil, offset: Int = 0
  ) {
    self.since = since
    self.until = until
    self.method = method
    self.trigger = trigger
    self.limit = limit
    self.offset = offset
  }
}

/// The number and the average intensity of several cravings.
public struct CravingSummary: Codable, Hashable, Sendable {
  /// The number of cravings.
  public var count: Int
  /// Their average intensity; `nil` without cravings.
  public var averageIntensity: Double?
}

/// How much of one method was used.
public struct UsageSummary: Codable, Hashable, Sendable {
  /// The method.
  public var method: UsageMethod
  /// The number of entries.
  public var count: Int
  /// The sum of their amounts, in the method's unit.
  public var amount: Double
  /// The average amount of an entry, in the method's unit.
  public var averageAmount: Double

  /// Makes a summary of at least one entry.
  public init(method: UsageMethod, count: Int, amount: Double) {
    self.method = method
    self.count = count
    self.amount = amount
    averageAmount = amount / Double(max(count, 1))
  }
}
