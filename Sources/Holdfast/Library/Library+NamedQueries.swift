public import Foundation
internal import HoldfastCatalog
public import HoldfastModel

/// The usual lists by name. An index has each of them in its order. The queries can be combined
/// with `recordings(matching:)`, `cravings(matching:)`, `usage(matching:)` and
/// `messages(matching:)`.
extension Library {
  // MARK: Recordings

  /// Returns the newest recordings, newest first.
  public func recentRecordings(limit: Int = 20) throws -> [Recording] {
    try recordings(matching: RecordingQuery(limit: limit))
  }

  /// Returns all videos, or all voice memos, newest first.
  public func recordings(of type: RecordingType) throws -> [Recording] {
    try recordings(matching: RecordingQuery(type: type))
  }

  /// Returns the recordings that are kept for a purpose, newest first.
  public func recordings(for purpose: RecordingPurpose) throws -> [Recording] {
    try recordings(matching: RecordingQuery(purpose: purpose))
  }

  /// Returns the recordings that were made in a period, newest first.
  public func recordings(in period: Range<Date>) throws -> [Recording] {
    try recordings(
      matching: RecordingQuery(since: period.lowerBound, until: period.upperBound))
  }

  /// Returns the recordings that were played most often, most played first.
  public func mostPlayedRecordings(limit: Int = 20) throws -> [Recording] {
    try recordings(matching: RecordingQuery(sort: .played, limit: limit))
  }

  // MARK: Cravings

  /// Returns the newest cravings, newest first.
  public func recentCravings(limit: Int = 20) throws -> [Craving] {
    try cravings(matching: CravingQuery(limit: limit))
  }

  /// Returns the cravings of a period, newest first.
  public func cravings(in period: Range<Date>) throws -> [Craving] {
    try cravings(matching: CravingQuery(since: period.lowerBound, until: period.upperBound))
  }

  /// Returns the cravings that a trigger brought on, newest first.
  public func cravings(broughtOnBy trigger: Trigger) throws -> [Craving] {
    try cravings(matching: CravingQuery(trigger: trigger))
  }

  /// Returns the cravings that a recording helped with, newest first.
  public func cravings(helpedBy recording: RecordingID) throws -> [Craving] {
    try cravings(matching: CravingQuery(recording: recording))
  }

  /// Returns the average intensity of a period's cravings; `nil` if there are none.
  public func averageIntensity(in period: Range<Date>) throws -> Double? {
    try summary(of: CravingQuery(since: period.lowerBound, until: period.upperBound))
      .averageIntensity
  }

  // MARK: Usage

  /// Returns the newest usage, newest first.
  public func recentUsage(limit: Int = 20) throws -> [Usage] {
    try usage(matching: UsageQuery(limit: limit))
  }

  /// Returns the usage of a period, newest first.
  public func usage(in period: Range<Date>) throws -> [Usage] {
    try usage(matching: UsageQuery(since: period.lowerBound, until: period.upperBound))
  }

  /// Returns the usage of a method, newest first.
  public func usage(of method: UsageMethod) throws -> [Usage] {
    try usage(matching: UsageQuery(method: method))
  }

  /// Returns the usage that went with a trigger, newest first.
  public func usage(with trigger: Trigger) throws -> [Usage] {
    try usage(matching: UsageQuery(trigger: trigger))
  }

  /// Returns the average amount of an entry in a period, for each method that was used.
  public func averageAmounts(in period: Range<Date>) throws -> [UsageMethod: Double] {
    let summaries = try summary(
      of: UsageQuery(since: period.lowerBound, until: period.upperBound))
    return Dictionary(uniqueKeysWithValues: summaries.map { ($0.method, $0.averageAmount) })
  }

  // MARK: Messages

  /// Returns the messages of a category that may be shown: the lowest priority first, then the least
  /// shown.
  public func activeMessages(for category: MessageCategory) throws -> [Message] {
    try messages(matching: MessageQuery(category: category, isActive: true))
  }

  /// Returns the messages that may be shown, the least shown first.
  public func leastShownMessages() throws -> [Message] {
    try messages(matching: MessageQuery(isActive: true, sort: .shown))
  }
}
