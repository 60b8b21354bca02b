package import Foundation

/// Moments as text in UTC, such as `2025-10-25T13:42:00.000`, from the year 1600 to 9999.
///
/// JSON and the catalog have several in each record. Foundation's formatters take a fifth of the
/// time of an import. Earlier days are left to them, because calendars differ about these.
///
/// - SeeAlso: https://howardhinnant.github.io/date_algorithms.html
extension Date {
  private static let millisecondsOfDay = 86_400_000
  private static let daysOf400Years = 146_097
  /// From 1 March of the year 0, so that the day of a leap year is the last of its year.
  private static let daysUntil1970 = 719_468
  /// The milliseconds since 1970 from the year 1600 through 9999.
  private static let range = -11_676_096_000_000.0...253_402_300_799_999.0

  /// Whether ``utcText(separator:)`` returns a text.
  var hasUTCText: Bool { Self.range.contains((timeIntervalSince1970 * 1000).rounded()) }

  /// Returns this moment, rounded to the millisecond; `nil` if its year is not in the range.
  package func utcText(separator: Unicode.Scalar) -> String? {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard Self.range.contains(milliseconds) else { return nil }
    let (days, time) = (Int(milliseconds) + Self.daysUntil1970 * Self.millisecondsOfDay)
      .quotientAndRemainder(dividingBy: Self.millisecondsOfDay)
    let (era, day) = days.quotientAndRemainder(dividingBy: Self.daysOf400Years)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    var text: [UInt8] = []
    text.reserveCapacity(23)
    func append(_ number: Int, digits: Int, _ end: UInt8?) {
      var divisor = digits == 4 ? 1000 : digits == 3 ? 100 : 10
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
      if let end { text.append(end) }
    }
    append(400 * era + year + (month < 10 ? 0 : 1), digits: 4, UInt8(ascii: "-"))
    append(month < 10 ? month + 3 : month - 9, digits: 2, UInt8(ascii: "-"))
    append(dayOfYear - (153 * month + 2) / 5 + 1, digits: 2, UInt8(ascii: separator))
    append(time / 3_600_000, digits: 2, UInt8(ascii: ":"))
    append(time / 60_000 % 60, digits: 2, UInt8(ascii: ":"))
    append(time / 1000 % 60, digits: 2, UInt8(ascii: "."))
    append(time % 1000, digits: 3, nil)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads what ``utcText(separator:)`` returns; `nil` for any other text.
  package init?(utcText text: String, separator: Unicode.Scalar) {
    guard text.utf8.count == 23 else { return nil }
    // The numbers between the separators. The comparison at the end checks everything else.
    var numbers: [Int] = []
    numbers.reserveCapacity(7)
    var number = 0
    for byte in text.utf8 {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        // No number has more digits than the year.
        guard number < 1000 else { return nil }
        number = number * 10 + Int(digit)
      } else {
        numbers.append(number)
        number = 0
      }
    }
    numbers.append(number)
    guard numbers.count == 7 else { return nil }
    let month = (numbers[1] + 9) % 12
    let (era, year) = (month < 10 ? numbers[0] : numbers[0] - 1)
      .quotientAndRemainder(dividingBy: 400)
    let days =
      Self.daysOf400Years * era + 365 * year + year / 4 - year / 100
      + (153 * month + 2) / 5 + numbers[2] - 1 - Self.daysUntil1970
    let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
    self.init(timeIntervalSince1970: Double(seconds * 1000 + numbers[6]) / 1000)
    guard utcText(separator: separator) == text else { return nil }
  }
}
