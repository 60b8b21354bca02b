public import Foundation

extension Recording {
  /// The name that is shown: the title or, without one, the local time of the recording, such as
  /// `Recording Oct 25, 2025 3:42 PM`.
  public var displayTitle: String {
    if let title, !title.isEmpty { return title }
    var style = Date.VerbatimFormatStyle(
      format: """
        \(month: .abbreviated) \(day: .defaultDigits), \(year: .defaultDigits) \
        \(hour: .defaultDigits(clock: .twelveHour, hourCycle: .oneBased)):\(minute: .twoDigits) \
        \(dayPeriod: .standard(.wide))
        """,
      locale: Locale(identifier: "en_US_POSIX"), timeZone: recorded.zone,
      calendar: Calendar(identifier: .gregorian))
    style.timeZone = recorded.zone
    return "Recording \(recorded.date.formatted(style))"
  }
}

extension RecordingTimestamp {
  /// The time zone in which the recording was made; this machine's own if that is unknown.
  public var zone: TimeZone {
    offsetMinutes.flatMap { TimeZone(secondsFromGMT: $0 * 60) } ?? .current
  }

  /// The time on the clock where the recording was made, such as `2025-10-25 15:42`.
  public var displayDate: String { date.displayText(in: zone) }
}
