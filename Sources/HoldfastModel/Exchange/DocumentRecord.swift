public import Foundation

/// Something of which an export's document holds a list.
public protocol DocumentRecord: Codable, Hashable, Sendable, Identifiable where ID == UUID {
  /// When a person last changed it.
  var modifiedAt: Date { get }

  /// Refuses what the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  func validate() throws(RuleError)

  /// Takes the larger counts and the later moments of another state of the same record: counting is
  /// no change that a person made, and no count is lost.
  mutating func mergeCounters(of other: Self)
}

extension DocumentRecord {
  /// Nothing is counted.
  public mutating func mergeCounters(of other: Self) {}
}

extension Craving: DocumentRecord {}
extension Usage: DocumentRecord {}

extension Message: DocumentRecord {
  /// Takes the larger number of showings, and the later showing.
  public mutating func mergeCounters(of other: Message) {
    timesShown = max(timesShown, other.timesShown)
    lastShownAt = [lastShownAt, other.lastShownAt].compactMap { $0 }.max()
  }
}

extension RecordingDocument: DocumentRecord {
  /// When a person last changed it.
  public var modifiedAt: Date { recording.modifiedAt }

  /// Refuses a title, notes or figures that the catalog would not take.
  ///
  /// - Throws: ``RuleError`` with the figure.
  public func validate() throws(RuleError) {
    try RecordingChanges(title: recording.title, notes: recording.notes).validate()
    try recording.playCount.validateAsCount("playCount")
    if let offset = recording.recorded.offsetMinutes, !(-1439...1439).contains(offset) {
      throw RuleError("timestampOffset \(offset): it goes from -1439 to 1439 minutes")
    }
  }

  /// Takes the larger number of plays, and the later play.
  public mutating func mergeCounters(of other: RecordingDocument) {
    recording.mergeCounters(of: other.recording)
  }
}

extension Recording {
  /// Takes the larger number of plays, and the later play, of another state of this recording.
  public mutating func mergeCounters(of other: Recording) {
    playCount = max(playCount, other.playCount)
    lastPlayedAt = [lastPlayedAt, other.lastPlayedAt].compactMap { $0 }.max()
  }
}

extension Int {
  /// Refuses a count that nobody reaches: SQLite could not count on from its largest number.
  func validateAsCount(_ name: String) throws(RuleError) {
    guard (0...1_000_000_000).contains(self) else {
      throw RuleError("\(name) \(self): a count goes from 0 to 1000000000")
    }
  }
}
