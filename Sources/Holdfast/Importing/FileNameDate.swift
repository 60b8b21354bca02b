internal import Foundation
internal import HoldfastModel

/// The date that a camera, a recorder or a messenger puts into a file's name.
///
/// Known by name are Android's and Apple's cameras, screen recorders and voice recorders, Pixel,
/// Samsung, WhatsApp, Signal and Telegram; what is written like theirs is read like theirs. Digits
/// that only look like a date are none: a wrong moment is worse than the next best one.
enum FileNameDate {
  /// Year, month and day; where the century is missing, there are six more of the time.
  private static let fewestDigits = 8

  /// Reads `20251025_154200`, `2025-10-25 at 3.42.00 PM`, `20251025` and their like, in the
  /// machine's time zone: a phone names files by its own clock. A name that says its zone, as a
  /// Pixel's does, is read in that.
  ///
  /// - Parameters:
  ///   - name: The file name.
  ///   - zone: The time zone in which it is read.
  static func find(in name: String, zone: TimeZone = .current) -> RecordingTimestamp? {
    // A regular expression is built anew each time: names as short as IMG_0412.MOV need none.
    guard name.utf8.count(where: { (0x30...0x39).contains($0) }) >= fewestDigits else { return nil }
    // A UUID may begin with eight digits and have four behind them.
    let name = name.replacing(
      /[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/, with: "#")
    var from = name.startIndex
    while let match = name[from...].firstMatch(
      of: /(?:^|[^0-9+])((?:19|20)[0-9]{2})([-_.]?)([0-9]{2})\2([0-9]{2})/)
    {
      // `^` holds where the search begins; a digit before it belongs to another number.
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

  /// Samsung's recorder leaves the century out: `Voice 251025_154200`. Six digits are a date only
  /// with such a word before them.
  private static func findShort(in name: String, zone: TimeZone) -> RecordingTimestamp? {
    let pattern =
      /(?:^|[^\p{L}0-9])(?:voice|call recording .*?)[ _]([0-9]{2})([0-9]{2})([0-9]{2})(?=_[0-9]{6}(?:[^0-9]|$))/
    guard let match = name.firstMatch(of: pattern.ignoresCase()),
      let day = Day(year: "20" + match.1, month: match.2, day: match.3),
      let time = Time(after: name[match.range.upperBound...], isCompact: true)
    else { return nil }
    return timestamp(day, time, isPixel: false, zone: zone)
  }

  /// Whether what stands before the digits makes them a part of something else: of a hash, or of a
  /// word with numbers in it. `VID20251025` is a date.
  private static func isPartOfWord(_ before: Substring, isCompact: Bool) -> Bool {
    guard isCompact else { return false }
    let word = before.reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return word.contains(where: \.isNumber) || (word.count >= 8 && word.allSatisfy(\.isHexDigit))
  }

  private static func timestamp(
    _ day: Day, _ time: Time, isPixel: Bool, zone: TimeZone
  ) -> RecordingTimestamp? {
    // A Pixel names by UTC, and so does not say where it was.
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
  /// A day that the calendar has.
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

  /// The time that stands behind a day, if one does.
  private struct Time {
    // A day alone is noon of that day: the same day wherever it is read.
    var hour = 12
    var minute = 0
    var second = 0
    var milliseconds = 0
    var isDayOnly = true
    var isUTC = false
    var offsetMinutes: Int?

    /// Reads what follows a day; `nil` when it shows that the digits before it are no day: more
    /// digits, or a time that no clock shows.
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
          // One run of digits is a moment only if it is that and nothing more.
          guard isCompact, match.5 == nil, !Self.isWord(next) else { return nil }
        }
        guard !Self.isDigit(next), set(match.2, match.3, match.4) else { return nil }
        milliseconds = (match.5 ?? match.6?.dropFirst()).flatMap { Int($0) } ?? 0
        setZone(match.7, isMarked: match.1 == "T" || match.6 != nil)
        return
      }
      // 15.42.00, 15-42-00-123, 3.42.00 PM; before it a sign or words: `at`, `um`, `à`, `a las`
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
          set(match.1, match.3, match.4, half: half)
        else { return nil }
        milliseconds = match.5.flatMap { Int($0) } ?? 0
        return
      }
      // Six digits and more would have been a time, or are a telephone number.
      if text.prefixMatch(of: /[-_ .T]?[0-9]{6}/) != nil { return nil }
      if isCompact ? Self.isWord(text.first) : Self.isDigit(text.first) { return nil }
    }

    /// Takes a time of day; says whether a clock shows it.
    ///
    /// - Parameter half: `a` or `p` of a clock with twelve hours.
    private mutating func set(
      _ hour: Substring, _ minute: Substring, _ second: Substring, half: String? = nil
    ) -> Bool {
      guard let hour = Int(hour), let minute = Int(minute), let second = Int(second),
        hour <= (half == nil ? 23 : 12), minute < 60, second < 60
      else { return false }
      self.hour = half == nil ? hour : hour % 12 + (half == "p" ? 12 : 0)
      (self.minute, self.second, isDayOnly) = (minute, second, false)
      return true
    }

    /// Takes a zone, where the time is written so that what follows it must be one.
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
