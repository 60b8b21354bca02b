import Foundation
public import Holdfast

// A streak checks each day of years for each habit. Numbers make that quick.

extension Day {
  /// The number of days from 1970-01-01 to the day; negative before it.
  var number: Int { Day.number(of: description.utf8) }

  /// Returns the number of a day that is written as `yyyy-MM-dd`.
  ///
  /// - SeeAlso: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  static func number(of text: some Sequence<UInt8>) -> Int {
    // This runs for each day of years, so it makes no array.
    var (year, month, part) = (0, 0, 0)
    for byte in text {
      if byte == UInt8(ascii: "-") {
        (year, month, part) = (month, part, 0)
      } else {
        part = part * 10 + Int(byte &- UInt8(ascii: "0"))
      }
    }
    return number(year: year, month: month, day: part)
  }

  static func number(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that the leap day is the last.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the numbers of the days in the month of the day with this number.
  static func monthNumbers(of number: Int) -> ClosedRange<Int> {
    let parts = Day(number: number).description.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return number...number }
    let (year, month) = (parts[0], parts[1])
    let next = Day.number(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    return Day.number(year: year, month: month, day: 1)...next - 1
  }

  init(number: Int) {
    self.init(of: Date(timeIntervalSince1970: Double(number) * 86_400 + 43_200), offset: 0)
  }
}

extension HabitWeekday {
  init(ofDayNumber number: Int) {
    // 1970-01-01 was a Thursday.
    let index = (number + HabitWeekday.thursday.number - 1) % 7
    self = Self.allCases[index < 0 ? index + 7 : index]
  }
}

extension Day {
  /// The day of the week.
  public var weekday: HabitWeekday { HabitWeekday(ofDayNumber: number) }

  /// Returns the name of a later day for people: `tomorrow`, or `on 2025-10-25`.
  public func name(on today: Day) -> String {
    self == today.adding(days: 1) ? "tomorrow" : "on \(self)"
  }

  /// The days of this day's week, from Monday to Sunday.
  public var week: [Day] {
    let monday = number - Day.daysAfterMonday(number)
    return (monday..<monday + 7).map(Day.init(number:))
  }

  /// How many days after a Monday the day with this number is.
  static func daysAfterMonday(_ number: Int) -> Int {
    (HabitWeekday(ofDayNumber: number).number + 5) % 7
  }
}
