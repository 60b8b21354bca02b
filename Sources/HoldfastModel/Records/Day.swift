public import Foundation

/// A day of the calendar, such as `2025-10-25`, on a local clock in any zone.
///
/// Days are counted by the calendar and never in seconds: some have 23 hours, and some 25.
public struct Day: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The day as `yyyy-MM-dd`.
  public let description: String

  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Makes the day of a moment on the clock of a zone that is this many minutes east of Greenwich.
  public init(of moment: Date, offset: Int) {
    let shown = moment.roundedToMillisecond.addingTimeInterval(Double(offset) * 60)
    description = String(JSONFormat.text(shown).prefix(10))
  }

  /// Makes the present day on this machine's clock.
  public init(now: Date = Date()) { self.init(of: now, offset: now.localOffset) }

  /// Reads a day.
  ///
  /// - Throws: ``RuleError`` for a text that is not a day, such as `2025-02-30`.
  public init(_ text: String) throws(RuleError) {
    guard let noon = JSONFormat.date("\(text)T12:00:00Z"), text.utf8.count == 10 else {
      throw RuleError(
        "\"\(text.cut(to: 40).escapedForDisplay)\" is not a day; write it like 2025-10-25")
    }
    self.init(of: noon, offset: 0)
  }

  /// Reads a day from JSON.
  ///
  /// - Throws: ``RuleError`` for a text that is not a day.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the day as `yyyy-MM-dd`.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  /// Noon of the day in UTC.
  private var noon: Date { JSONFormat.date("\(description)T12:00:00Z") ?? .distantPast }

  /// Returns the day this many days later; earlier if negative.
  public func adding(days: Int) -> Day {
    let moment = Self.calendar.date(byAdding: .day, value: days, to: noon) ?? noon
    return Day(of: moment, offset: 0)
  }

  /// The Monday of the day's week.
  public var monday: Day {
    // 1970-01-05 was a Monday.
    guard let first = try? Day("1970-01-05") else { return self }
    let past = days(since: first) % 7
    return adding(days: -(past < 0 ? past + 7 : past))
  }

  /// Returns how many days after another day this one is; negative if it is before it.
  public func days(since other: Day) -> Int {
    Self.calendar.dateComponents([.day], from: other.noon, to: noon).day ?? 0
  }

  /// Compares two days.
  public static func < (one: Day, other: Day) -> Bool { one.description < other.description }
}
