public import Foundation
public import Holdfast

/// The figures of a period.
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
}

/// How often something occurs.
public struct Tally<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The value that occurs.
  public var value: Value
  /// How often it occurs.
  public var count: Int

  /// Makes a tally.
  public init(value: Value, count: Int) {
    self.value = value
    self.count = count
  }
}
