public import Foundation

/// A record of which an export's document holds a list.
public protocol DocumentRecord: Codable, Hashable, Sendable, Identifiable where ID == UUID {
  /// When it was made.
  var createdAt: Date { get }
  /// When a person last changed it; `nil` if nobody has.
  var modifiedAt: Date? { get }

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
  /// Returns whether a person's work in this version is newer than in another one of the same
  /// record.
  ///
  /// The later edit is newer. A version that nobody has edited is never newer than another, however
  /// late it was made: the same file may have been imported elsewhere, later, without the title that
  /// somebody gave it here.
  public func isNewer(than other: Self) -> Bool {
    guard let modifiedAt else { return false }
    return other.modifiedAt.map { modifiedAt > $0 } ?? true
  }

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
  /// When it was imported.
  public var createdAt: Date { recording.createdAt }
  /// When a person last changed it; `nil` if nobody has.
  public var modifiedAt: Date? { recording.modifiedAt }

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

extension KeyedDecodingContainer {
  /// Reads when a person last changed a record; `nil` if nobody has.
  ///
  /// In documents of version 1, a record that nobody had changed has the time at which it was made.
  func modification(forKey key: Key, since createdAt: Date) throws -> Date? {
    let moment = try decodeIfPresent(Date.self, forKey: key)?.roundedToMillisecond
    return moment == createdAt ? nil : moment
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
