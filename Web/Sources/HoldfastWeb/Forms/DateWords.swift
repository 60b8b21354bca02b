package import Foundation
import Holdfast

extension Date {
  /// The moment as people say it: `Today 04:38`, `Yesterday`, `Fri 27 Nov`, and with the year if it
  /// is not this one.
  ///
  /// - Parameters:
  ///   - zone: The zone of the entry's own clock.
  ///   - now: The moment that decides what today is, on the clock of `here`.
  ///   - here: The zone of this computer.
  package func words(in zone: TimeZone, now: Date = Date(), here: TimeZone = .current) -> String {
    let text = dayWords(in: zone, now: now, here: here)
    guard text == "Today" else { return text }
    return text
      + self.text(
        " \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        in: zone)
  }

  /// The moment inside a sentence: `today 04:38`, `Fri 27 Nov`.
  func wordsInSentence(in zone: TimeZone) -> String {
    let text = words(in: zone)
    let isDayName = ["Today", "Yesterday"].contains { text.hasPrefix($0) }
    return isDayName ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// The day alone: `Today`, `Yesterday`, `Fri 27 Nov`.
  package func dayWords(in zone: TimeZone, now: Date = Date(), here: TimeZone = .current)
    -> String
  {
    let (day, today) = (day(in: zone), now.day(in: here))
    if day == today { return "Today" }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = here
    if day == calendar.date(byAdding: .day, value: -1, to: now)?.day(in: here) {
      return "Yesterday"
    }
    return day.year == today.year
      ? text("\(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated)", in: zone)
      : text(
        """
        \(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated) \
        \(year: .defaultDigits)
        """, in: zone)
  }

  private func day(in zone: TimeZone) -> DateComponents {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.dateComponents([.year, .month, .day], from: self)
  }

  fileprivate func text(_ format: Date.FormatString, in zone: TimeZone) -> String {
    formatted(
      VerbatimFormatStyle(
        format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: zone,
        calendar: Calendar(identifier: .gregorian)))
  }
}

extension Day {
  /// The day as people say it: `Today`, `Yesterday`, `Fri 27 Nov`, and with the year if it is not
  /// this one.
  package var words: String {
    let today = Day()
    if self == today { return "Today" }
    if self == today.adding(days: -1) { return "Yesterday" }
    return "\(Self.weekdays[days(since: monday)]) \(shortWords)"
  }

  /// The day without its weekday: `27 Nov`, and with the year if it is not this one.
  package var shortWords: String {
    let isThisYear = number(0..<4) == Day().number(0..<4)
    return
      "\(number(8..<10)) \(Self.months[number(5..<7) - 1])\(isThisYear ? "" : " \(number(0..<4))")"
  }

  /// The month: `Nov`, and with the year if it is not this one.
  package var monthWords: String { shortWords.drop { $0 != " " }.dropFirst().description }

  /// The month: `November 2026`.
  package var monthName: String {
    let noon = (try? Date("\(description)T12:00:00Z", strategy: .iso8601)) ?? .distantPast
    return noon.text("\(month: .wide) \(year: .defaultDigits)", in: .gmt)
  }

  private func number(_ place: Range<Int>) -> Int {
    Int(description.dropFirst(place.lowerBound).prefix(place.count)) ?? 0
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension TimeZone {
  /// The zone of an entry's clock, which is this many minutes east of Greenwich.
  package static func minutes(_ count: Int) -> TimeZone {
    TimeZone(secondsFromGMT: count * 60) ?? .current
  }
}

extension RecordingTimestamp {
  /// When the recording was made, as people say it.
  var words: String { date.words(in: zone) }
}
