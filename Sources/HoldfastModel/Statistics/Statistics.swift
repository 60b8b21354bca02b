public import Foundation

/// How far back statistics look.
public enum StatisticsPeriod: String, CaseIterable, Hashable, Sendable {
  /// The last 7 times 24 hours.
  case week = "7"
  /// The last 30 times 24 hours.
  case month = "30"
  /// The last 90 times 24 hours.
  case quarter = "90"
  /// Everything that was ever logged.
  case everything = "all"

  /// How many days that is; `nil` for everything.
  public var days: Int? { Int(rawValue) }
}

/// What a library has to say of a period.
public struct Statistics: Codable, Hashable, Sendable {
  /// How many days the period has; `nil` for everything.
  public var days: Int?
  /// The period's first moment; `nil` for everything.
  public var since: Date?
  /// The period's last moment, which is when the statistics were made.
  public var until: Date
  /// How many recordings there are, whatever the period.
  public var recordings: Int
  /// The three recordings that were played most often, whatever the period; none that never was.
  public var mostPlayed: [RecordingTally]
  /// How far back the verification of the recordings' files goes, whatever the period.
  public var verification: VerificationState
  /// The period's cravings.
  public var cravings: CravingStatistics
  /// The period's usage.
  public var usage: UsageStatistics

  /// Puts statistics together.
  public init(
    days: Int?, since: Date?, until: Date, recordings: Int, mostPlayed: [RecordingTally],
    verification: VerificationState, cravings: CravingStatistics, usage: UsageStatistics
  ) {
    self.days = days
    self.since = since
    self.until = until
    self.recordings = recordings
    self.mostPlayed = mostPlayed
    self.verification = verification
    self.cravings = cravings
    self.usage = usage
  }
}

/// How often something occurs.
public struct Tally<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// What occurs.
  public var value: Value
  /// How often.
  public var count: Int

  /// Makes a tally.
  public init(value: Value, count: Int) {
    self.value = value
    self.count = count
  }
}

/// How often something was done with a recording.
public struct RecordingTally: Codable, Hashable, Sendable {
  /// The recording.
  public var id: RecordingID
  /// What it is called.
  public var displayTitle: String
  /// How often.
  public var count: Int

  /// Makes a tally.
  public init(id: RecordingID, displayTitle: String, count: Int) {
    self.id = id
    self.displayTitle = displayTitle
    self.count = count
  }
}
