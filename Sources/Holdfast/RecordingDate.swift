internal import Foundation
internal import HoldfastModel
internal import HoldfastStorage

extension RecordingTimestamp {
  /// When a source was recorded: what the file says itself, else a date in its name, else when it
  /// was last modified. A time that cannot be is no time, and the next is asked (DESIGN §5).
  ///
  /// - Parameters:
  ///   - info: What the engine found.
  ///   - name: The source's file name.
  ///   - identity: Says when the source was last modified.
  ///   - now: The present, a day after which nothing was recorded.
  init(of info: MediaInfo, name: String, identity: FileIdentity, now: Date) {
    let modified = RecordingTimestamp(
      date: Date(timeIntervalSince1970: Double(identity.modified) / 1e9),
      source: .modificationTime)
    let candidates = [info.creation, FileNameDate.find(in: name), modified]
    self =
      candidates.lazy.compactMap { $0 }.first { $0.isPlausible(now: now) }
      ?? RecordingTimestamp(date: now, source: .modificationTime)
  }
}

/// The date that a camera or recorder puts into a file's name.
enum FileNameDate {
  /// Reads `20251025_154200`, `2025-10-25 at 15.42.00`, `2025-10-25` and their like, in the
  /// machine's time zone: a phone names files by its own clock.
  ///
  /// - Parameters:
  ///   - name: The file name.
  ///   - zone: The time zone in which it is read.
  static func find(in name: String, zone: TimeZone = .current) -> RecordingTimestamp? {
    let pattern =
      /(?:^|\D)((?:19|20)\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:(?:[-_. T]|\sat\s)([0-2]\d)[-_.:]?([0-5]\d)[-_.:]?([0-5]\d))?/
    guard let match = name.firstMatch(of: pattern) else { return nil }
    var parts = DateComponents()
    parts.year = Int(match.1)
    parts.month = Int(match.2)
    parts.day = Int(match.3)
    // A date alone is noon of that day: the same day wherever it is read.
    parts.hour = match.4.flatMap { Int($0) } ?? 12
    parts.minute = match.5.flatMap { Int($0) } ?? 0
    parts.second = match.6.flatMap { Int($0) } ?? 0
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else {
      return nil
    }
    return RecordingTimestamp(
      date: date, offsetMinutes: zone.secondsFromGMT(for: date) / 60, source: .fileName)
  }
}
