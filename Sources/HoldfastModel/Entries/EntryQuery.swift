public import Foundation

/// Which cravings are asked for, newest first, and which page of them.
public struct CravingQuery: Hashable, Sendable {
  /// Only those that came at this moment or later.
  public var since: Date?
  /// Only those at least this strong.
  public var minimum: Intensity?
  /// Only those with this trigger.
  public var trigger: Trigger?
  /// Only those that this recording helped with.
  public var recording: RecordingID?
  /// How many are answered at most; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// How many are passed over first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query; without arguments it asks for every craving.
  public init(
    since: Date? = nil, minimum: Intensity? = nil, trigger: Trigger? = nil,
    recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.since = since
    self.minimum = minimum
    self.trigger = trigger
    self.recording = recording
    self.limit = limit
    self.offset = offset
  }
}

/// Which usage is asked for, newest first, and which page of it.
public struct UsageQuery: Hashable, Sendable {
  /// Only what was at this moment or later.
  public var since: Date?
  /// Only this method.
  public var method: UsageMethod?
  /// Only what has this trigger.
  public var trigger: Trigger?
  /// How many are answered at most; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// How many are passed over first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query; without arguments it asks for all usage.
  public init(
    since: Date? = nil, method: UsageMethod? = nil, trigger: Trigger? = nil, limit: Int? = nil,
    offset: Int = 0
  ) {
    self.since = since
    self.method = method
    self.trigger = trigger
    self.limit = limit
    self.offset = offset
  }
}

/// What many entries come to.
public struct CravingSummary: Codable, Hashable, Sendable {
  /// How many there are.
  public var count: Int
  /// Their average intensity; `nil` where there are none.
  public var averageIntensity: Double?

  /// Makes a summary.
  public init(count: Int, averageIntensity: Double?) {
    self.count = count
    self.averageIntensity = averageIntensity
  }
}

/// How much of one method was used.
public struct UsageSummary: Codable, Hashable, Sendable {
  /// The method.
  public var method: UsageMethod
  /// How many entries there are.
  public var count: Int
  /// Their amounts together, in the method's unit.
  public var amount: Double

  /// Makes a summary.
  public init(method: UsageMethod, count: Int, amount: Double) {
    self.method = method
    self.count = count
    self.amount = amount
  }
}
