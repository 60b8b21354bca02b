import Foundation
import HoldfastModel

/// The date that a camera, a recorder or a messenger puts into a file's name.
///
/// It knows the names given by Android and Apple cameras, screen recorders and voice recorders,
/// Pixel, Samsung, WhatsApp, Signal and Telegram. Names that are written alike are read alike. It
/// ignores digits that only look like a date: a wrong time is worse than one from the next source.
enum FileNameDate {
  /// The fewest digits in a name with a date: those of a year, month and day. A date without the
  /// century is always followed by six digits of the time.
  private static let fewestDigits = 8

  /// Finds a date such as `20251025_154200`, `2025-10-25 at 3.42.00 PM` or `20251025` in a name.
  ///
  /// It reads the date in the machine's time zone, because a phone names files by its own clock. If
  /// the name gives a zone, as a Pixel's does, it uses that one.
  ///
  /// - Parameter zone: The time zone for names that give none.
  static func find(in name: String, zone: TimeZone = .current) -> RecordingTimestamp? {
    // A regular expression is built on each call. Short names such as IMG_0412.MOV need none.
    guard name.utf8.count(where: { (0x30...0x39).contains($0) }) >= fewestDigits else { return nil }
    // A UUID may begin with eight digits, followed by four more, that look like a date.
    let name = name.replacing(
      /[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/, with: "#")
    var from = name.startIndex
    while let match = name[from...].firstMatch(
      of: /(?:^|[^0-9+])((?:19|20)[0-9]{2})([-_.]?)([0-9]{2})\2([0-9]{2})/)
    {
      // `^` also matches where the search begins. A digit before it belongs to another number.
      let isWhole = from == name.startIndex || match.range.lowerBound != from
      let day = Day(year: match.1, month: match.3, day: match.4)
      let before = name[..<match.1.startIndex]
      if isWhole, let day, !isPartOfWord(before, isCompact: match.2.isEmpty),
        let time = Time(after: name[match.range.upperBound...], isCompact: match.2.isEmpty)
      {
        return timestamp(day, time, isPixel: before.lowercased().hasSuffix("pxl_"), zone: zone)
      }
      from = match.1.endIndex
    }
    return findShort(in: name, zone: zone)
  }

  /// Finds a date without its century: Samsung's recorder writes `Voice 251025_154200`. Six digits
  /// count as a date only after such a word.
  private static func findShort(in name: String, zone: TimeZone) -> RecordingTimestamp? {
    let pattern =
      #/
      (?:^|[^\p{L}0-9])(?:voice|call\ recording\ .*?)[\ _]
      ([0-9]{2})([0-9]{2})([0-9]{2})(?=_[0-9]{6}(?:[^0-9]|$))
      /#
    guard let match = name.firstMatch(of: pattern.ignoresCase()),
      let day = Day(year: "20" + match.1, month: match.2, day: match.3),
      let time = Time(after: name[match.range.upperBound...], isCompact: true)
    else { return nil }
    return timestamp(day, time, isPixel: false, zone: zone)
  }

  /// Returns whether the text before the digits makes them part of something else: of a hash, or of
  /// a word with numbers in it. `VID20251025` is a date.
  private static func isPartOfWord(_ before: Substring, isCompact: Bool) -> Bool {
    guard isCompact else { return false }
    let word = before.reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return word.contains(where: \.isNumber) || (word.count >= 8 && word.allSatisfy(\.isHexDigit))
  }

  private static func timestamp(
    _ day: Day, _ time: Time, isPixel: Bool, zone: TimeZone
  ) -> RecordingTimestamp? {
    // A Pixel writes the time in UTC, which does not say in which zone it was.
    let isUTC = (isPixel && !time.isDayOnly) || time.isUTC
    let ownZone = time.offsetMinutes.flatMap { TimeZone(secondsFromGMT: $0 * 60) }
    let zone = ownZone ?? (isUTC ? .gmt : zone)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = DateComponents(
      year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute,
      second: time.second)
    guard let whole = calendar.date(from: parts) else { return nil }
    let date = whole.addingTimeInterval(Double(time.milliseconds) / 1000)
    return RecordingTimestamp(
      date: date, offsetMinutes: isUTC ? nil : zone.secondsFromGMT(for: date) / 60,
      source: .fileName)
  }
}

extension FileNameDate {
  /// A day that exists in the calendar.
  private struct Day {
    let year: Int
    let month: Int
    let day: Int

    init?(year: some StringProtocol, month: some StringProtocol, day: some StringProtocol) {
      guard let year = Int(year), let month = Int(month), let day = Int(day) else { return nil }
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let parts = DateComponents(year: year, month: month, day: day)
      guard parts.isValidDate(in: calendar) else { return nil }
      (self.year, self.month, self.day) = (year, month, day)
    }
  }

  /// The time that follows a day, if there is one.
  private struct Time {
    // A day alone counts as noon, which is the same day in most other time zones.
    var hour = 12
    var minute = 0
    var second = 0
    var milliseconds = 0
    var isDayOnly = true
    var isUTC = false
    var offsetMinutes: Int?

    /// Reads the text after a day. Returns `nil` when it shows that the digits before it are not a
    /// day: more digits follow, or a time that no clock shows.
    init?(after text: Substring, isCompact: Bool) {
      // 154200, 154200123, 154200.123+0200
      if let match = text.prefixMatch(
        of:
          #/
          ([-_\ .T]?) ([0-9]{2}) ([0-9]{2}) ([0-9]{2}) ([0-9]{3})?
          (\.[0-9]{3}(?![0-9]))? ([+-][0-9]{4}(?![0-9])|Z)?
          /#)
      {
        let next = text[match.range.upperBound...].first
        if match.1.isEmpty {
          // An unbroken run of digits is a time only if nothing else follows it.
          guard isCompact, match.5 == nil, !Self.isWord(next) else { return nil }
        }
        guard !Self.isDigit(next), set(hour: match.2, minute: match.3, second: match.4)
        else { return nil }
        milliseconds = (match.5 ?? match.6?.dropFirst()).flatMap { Int($0) } ?? 0
        setZone(match.7, isMarked: match.1 == "T" || match.6 != nil)
        return
      }
      // 15.42.00, 15-42-00-123, 3.42.00 PM; before it punctuation or words: `at`, `um`, `à`,
      // `a las`
      if let match = text.prefixMatch(
        of:
          #/
          (?: [-.T] | ,? [\s_] (?: -[\s_] | (?: \p{L}{1,4} \.? [\s_] ){0,2} ) )
          ([0-9]{1,2}) ([-_.:]) ([0-9]{2}) \2 ([0-9]{2})
          (?: [-_.,] ([0-9]{3}) (?![0-9]) )?
          (?: [\s_]? ([AaPp]) \.? \s? [Mm] (?!\p{L}) )?
          /#)
      {
        let half = match.6?.lowercased()
        guard !Self.isDigit(text[match.range.upperBound...].first),
          set(hour: match.1, minute: match.3, second: match.4, half: half)
        else { return nil }
        milliseconds = match.5.flatMap { Int($0) } ?? 0
        return
      }
      // Six or more digits that are not a valid time may be a telephone number.
      if text.prefixMatch(of: /[-_ .T]?[0-9]{6}/) != nil { return nil }
      if isCompact ? Self.isWord(text.first) : Self.isDigit(text.first) { return nil }
    }

    /// Sets the time of day, and returns whether a clock can show it.
    ///
    /// - Parameter half: `a` or `p` for a twelve-hour clock.
    private mutating func set(
      hour: Substring, minute: Substring, second: Substring, half: String? = nil
    ) -> Bool {
      guard let hour = Int(hour), let minute = Int(minute), let second = Int(second),
        hour <= (half == nil ? 23 : 12), minute < 60, second < 60
      else { return false }
      self.hour = half == nil ? hour : hour % 12 + (half == "p" ? 12 : 0)
      (self.minute, self.second, isDayOnly) = (minute, second, false)
      return true
    }

    /// Sets the zone, if the format of the time shows that the text after it must be a zone.
    private mutating func setZone(_ text: Substring?, isMarked: Bool) {
      guard isMarked, let text else { return }
      guard text != "Z" else { return isUTC = true }
      guard let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)),
        hours <= 14, minutes < 60
      else { return }
      offsetMinutes = (text.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func isDigit(_ character: Character?) -> Bool {
      character.map { $0.isASCII && $0.isNumber } ?? false
    }

    private static func isWord(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber } ?? false
    }
  }
}
