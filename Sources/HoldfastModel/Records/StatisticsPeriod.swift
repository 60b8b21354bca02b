/// The period that statistics cover, back from now.
public enum StatisticsPeriod: String, CaseIterable, Hashable, Sendable {
  /// The last 7 times 24 hours.
  case week = "7"
  /// The last 30 times 24 hours.
  case month = "30"
  /// The last 90 times 24 hours.
  case quarter = "90"
  /// Everything that has been logged.
  case everything = "all"

  /// The number of days; `nil` for everything.
  public var days: Int? { Int(rawValue) }
}
