public import Foundation

/// A record of which an export's document holds a list.
public protocol DocumentRecord: Codable, Hashable, Sendable, Identifiable where ID == UUID {
  /// When a person last changed it.
  var modifiedAt: Date { get }

  /// Refuses values that the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  func validate() throws(RuleError)

  /// Takes the larger counts and the later moments from another version of the same record.
  ///
  /// Counting is not a change by a person, and no count is lost.
  mutating func mergeCounters(of other: Self)
}

extension DocumentRecord {
  /// Does nothing, because this record has no counters.
  public mutating func mergeCounters(of other: Self) {}
}

extension Craving: DocumentRecord {}
extension Usage: DocumentRecord {}

extension Message: DocumentRecord {
  /// Takes the larger number of times shown, and the later time shown.
  public mutating func mergeCounters(of other: Message) {
    timesShown = max(timesShown, other.timesShown)
    lastShownAt = [lastShownAt, other.lastShownAt].compactMap { $0 }.max()
  }
}

extension RecordingDocument: DocumentRecord {
  /// When a person last changed it.
  public var modifiedAt: Date { recording.modifiedAt }

  /// Refuses a title, notes or figures that the catalog would refuse.
  ///
  /// - Throws: ``RuleError`` with the figure and the limit.
  public func validate() throws(RuleError) {
    try recording.validate()
    try recording.playCount.validateAsCount("playCount")
    if let offset = recording.recorded.offsetMinutes, !(-1439...1439).contains(offset) {
      throw RuleError("timestampOffset \(offset): it goes from -1439 to 1439 minutes")
    }
  }

  /// Takes the larger number of plays, and the later time played.
  public mutating func mergeCounters(of other: RecordingDocument) {
    recording.mergeCounters(of: other.recording)
  }
}

extension Recording {
  /// Takes the larger number of plays, and the later time played, from another version of this
  /// recording.
  public mutating func mergeCounters(of other: Recording) {
    playCount = max(playCount, other.playCount)
    lastPlayedAt = [lastPlayedAt, other.lastPlayedAt].compactMap { $0 }.max()
  }
}

extension Int {
  /// Refuses a count that nobody reaches. SQLite could not add to its largest number.
  func validateAsCount(_ name: String) throws(RuleError) {
    guard (0...1_000_000_000).contains(self) else {
      throw RuleError("\(name) \(self): a count goes from 0 to 1000000000")
    }
  }
}
