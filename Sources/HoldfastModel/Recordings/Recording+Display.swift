public import Foundation

extension Recording {
  /// The name that is shown: the title; without one, what a person or an app wrote into the file's
  /// name; otherwise the kind and the time, such as `Sound, Fri 27 Nov, 06:21`. A part of a longer
  /// recording without a title also has its number: `Sound, Fri 27 Nov, 06:21 (1 of 2)`.
  public var displayTitle: String { displayTitle(now: Date()) }

  /// The title; without one, what a person or an app wrote into the file's name; `nil` if there is
  /// neither.
  package var ownName: String? {
    if let title, !title.isEmpty { return title }
    return isRebuilt ? nil : FileNameTitle(ingestion.originalFilename).text
  }

  /// Returns the name that is shown. It has the year if that is not the year of `now`.
  func displayTitle(now: Date) -> String {
    if let title, !title.isEmpty { return title }
    let part = ingestion.partCount > 1 ? " (\(ingestion.part) of \(ingestion.partCount))" : ""
    if let ownName { return ownName + part }
    let kind = type == .video ? "Video" : "Sound"
    let zone = recorded.zone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let isThisYear =
      calendar.component(.year, from: recorded.date) == calendar.component(.year, from: now)
    let day: Date.FormatString =
      isThisYear
      ? "\(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated)"
      : """
      \(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated) \
      \(year: .defaultDigits)
      """
    func text(_ format: Date.FormatString) -> String {
      recorded.date.formatted(
        Date.VerbatimFormatStyle(
          format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: zone,
          calendar: calendar))
    }
    // A file's name that has only a day gives noon, which is not said of a recording.
    let isNoon =
      calendar.dateComponents([.hour, .minute, .second], from: recorded.date)
      == DateComponents(hour: 12, minute: 0, second: 0)
    if recorded.source == .fileName, isNoon { return "\(kind), \(text(day))\(part)" }
    let time = text(
      "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)")
    return "\(kind), \(text(day)), \(time)\(part)"
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
