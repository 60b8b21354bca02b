public import Foundation

/// The rules for records of something that happened.
public enum Entry {
  /// The most characters, as a person counts them, that the notes of an entry may have.
  public static let longestNotes = 500
  /// The most bytes of UTF-8 that the notes of an entry may have. One character may consist of any
  /// number of scalars.
  public static let largestNotes = 8000
  /// The allowed time zones, in minutes east of Greenwich: less than a day.
  public static let offsets = -1439...1439
  /// The age beyond which an entry is accepted with a warning, in seconds: seven days.
  public static let recent: TimeInterval = 7 * 86_400

  /// 0001-01-01T00:00:00Z in the Julian calendar, which Foundation uses before 1582. The catalog
  /// writes years without an era, so earlier dates are refused.
  private static let firstDay = Date(timeIntervalSince1970: -62_135_769_600)

  /// Refuses notes that the catalog would refuse.
  ///
  /// - Throws: ``RuleError`` with the length and the limit.
  public static func validate(notes: String?) throws(RuleError) {
    guard let notes else { return }
    guard notes.utf8.count <= largestNotes else {
      throw RuleError(
        "the notes have \(notes.utf8.count) bytes; at most \(largestNotes) are allowed")
    }
    guard notes.count <= longestNotes else {
      throw RuleError(
        "the notes have \(notes.count) characters; at most \(longestNotes) are allowed")
    }
    guard !notes.unicodeScalars.contains("\0") else {
      throw RuleError("the notes have a NUL character; remove it")
    }
  }

  /// Refuses a time zone that the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  public static func validate(offset: Int) throws(RuleError) {
    guard offsets.contains(offset) else {
      throw RuleError("timestampOffset \(offset): it goes from -1439 to 1439 minutes")
    }
  }

  /// Refuses a moment in the future.
  ///
  /// - Throws: ``RuleError``.
  public static func validate(timestamp: Date, now: Date) throws(RuleError) {
    guard timestamp.roundedToMillisecond <= now.roundedToMillisecond else {
      throw RuleError(
        "\(timestamp.localText) is in the future; an entry is about now or the past")
    }
  }

  /// Returns a warning about an entry's moment for a person; `nil` for none.
  public static func warning(timestamp: Date, now: Date) -> String? {
    guard now.timeIntervalSince(timestamp) > recent else { return nil }
    let days = Int(now.timeIntervalSince(timestamp) / 86_400)
    return "\(timestamp.localText) is \(days) days ago"
  }

  /// Reads a moment that a person wrote.
  ///
  /// - Parameters:
  ///   - text: One of these: `now`; a time today, such as `15:42`; a day and a time in `zone`, such
  ///     as `2025-10-25 15:42`, with or without seconds; or the same with a zone after it: `Z`,
  ///     `+02:00` or a name such as `Europe/Berlin`. A `T` may stand between day and time.
  ///   - now: The current moment, for `now` and for today.
  ///   - zone: The time zone of a text that names none.
  /// - Returns: The moment, and the zone's offset then, in minutes east of Greenwich.
  /// - Throws: ``RuleError`` for any other text, and for a time that the zone's clocks never
  ///   showed.
  public static func moment(
    _ text: String, now: Date, zone: TimeZone = .current
  ) throws(RuleError) -> (date: Date, offset: Int) {
    if text.lowercased() == "now" { return (now, zone.minutes(at: now)) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    guard let parts = Parts(text) else {
      throw RuleError(
        "\"\(text.escapedForDisplay)\" is not a time; write it like 15:42, \"2025-10-25 15:42\" or "
          + "2025-10-25T15:42Z")
    }
    var components = calendar.dateComponents([.year, .month, .day], from: now)
    if let day = parts.day {
      components.year = day.year
      components.month = day.month
      components.day = day.day
    }
    components.hour = parts.hour
    components.minute = parts.minute
    components.second = parts.second
    if let zone = parts.zone { calendar.timeZone = zone }
    // Foundation reads 30 February as 2 March, and moves times that a clock change skipped.
    guard let date = calendar.date(from: components), date >= firstDay,
      calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        == components
    else { throw RuleError("\"\(text.escapedForDisplay)\": no such day or time") }
    return (date, calendar.timeZone.minutes(at: date))
  }

  /// The numbers in the text of a moment.
  private struct Parts {
    var day: (year: Int, month: Int, day: Int)?
    var hour: Int
    var minute: Int
    var second: Int
    var zone: TimeZone?

    init?(_ text: String) {
      let day = /(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})[ T]/
      let pattern =
        /(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:\.[0-9]{1,9})?)?/
      let offset = /\ ?(?:(?<utc>[Zz]|UTC)|(?<sign>[+-])(?<hours>[0-9]{2}):?(?<minutes>[0-9]{2}))/
      let name = /\ (?<name>[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+)/
      var rest = text[...]
      if let match = rest.prefixMatch(of: day) {
        guard let year = Int(match.year), let month = Int(match.month), let day = Int(match.day)
        else { return nil }
        self.day = (year, month, day)
        rest = rest[match.range.upperBound...]
      }
      guard let match = rest.prefixMatch(of: pattern), let hour = Int(match.hour),
        let minute = Int(match.minute)
      else { return nil }
      self.hour = hour
      self.minute = minute
      second = match.second.flatMap { Int($0) } ?? 0
      rest = rest[match.range.upperBound...]
      guard !rest.isEmpty else { return }
      // A zone needs a day: in "15:42Z", the zone of today would be unclear.
      guard self.day != nil else { return nil }
      if let match = rest.wholeMatch(of: name) {
        zone = TimeZone(identifier: String(match.name))
        if zone == nil { return nil }
        return
      }
      guard let match = rest.wholeMatch(of: offset) else { return nil }
      guard match.utc == nil else {
        zone = .gmt
        return
      }
      guard let hours = match.hours.flatMap({ Int($0) }),
        let minutes = match.minutes.flatMap({ Int($0) }), hours < 24, minutes < 60
      else { return nil }
      zone = TimeZone(secondsFromGMT: (hours * 60 + minutes) * (match.sign == "-" ? -60 : 60))
      if zone == nil { return nil }
    }
  }
}
