public import Foundation

/// How far back statistics look.
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

/// What a library holds about a period.
public struct Statistics: Codable, Hashable, Sendable {
  /// The number of days in the period; `nil` for everything.
  public var days: Int?
  /// The period's first moment; `nil` for everything.
  public var since: Date?
  /// The period's last moment, when the statistics were made.
  public var until: Date
  /// The number of recordings, regardless of the period.
  public var recordings: Int
  /// The three recordings that were played most often, regardless of the period. Recordings that
  /// were never played are left out.
  public var mostPlayed: [RecordingTally]
  /// How recently the recordings' files were verified, regardless of the period.
  public var verification: VerificationState
  /// The period's cravings.
  public var cravings: CravingStatistics
  /// The period's usage.
  public var usage: UsageStatistics

  /// Makes statistics from their parts.
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
  /// How often it occurs.
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
  /// The name that is shown for the recording.
  public var displayTitle: String
  /// How often it was done.
  public var count: Int

  /// Makes a tally.
  public init(id: RecordingID, displayTitle: String, count: Int) {
    self.id = id
    self.displayTitle = displayTitle
    self.count = count
  }
}
