import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb

/// The places of a chart over time: days, weeks or months, without a gap.
struct TimeAxis: Sendable {
  enum Unit: Sendable { case day, week, month }

  /// More months would be too narrow to be told apart.
  private static let mostMonths = 36

  let unit: Unit
  /// The first day of each place.
  let days: [Day]

  /// - Parameter first: The first day with figures; `nil` without any.
  init(_ statistics: Statistics, first: Day?) {
    let last = Day(of: statistics.until, offset: statistics.until.localOffset)
    // A library of a few weeks has no months to show.
    let span = first.map { last.days(since: $0) + 1 } ?? 0
    switch statistics.days ?? (span <= 182 ? max(span, 7) : nil) {
    case .some(let count) where count <= 31:
      unit = .day
      days = (0..<count).map { last.adding(days: $0 - count + 1) }
    case .some(let count):
      unit = .week
      let monday = last.monday
      let weeks = (count + 6) / 7
      days = (0...weeks).map { monday.adding(days: 7 * ($0 - weeks)) }
    case nil:
      unit = .month
      var months = [last.firstOfMonth]
      while let month = months.last, let first, month > first.firstOfMonth,
        months.count < Self.mostMonths
      { months.append(month.adding(days: -1).firstOfMonth) }
      days = months.reversed()
    }
  }

  /// The place of a day, week or month; `nil` if the axis does not have it. The period begins
  /// within the day before the first place, so that day belongs to the first place.
  func place(of day: Day) -> Int? {
    guard let first = days.first else { return nil }
    if unit == .day, day == first.adding(days: -1) { return 0 }
    return days.firstIndex(of: day)
  }

  var marks: [Int: String] {
    let places = days.count < 6 ? [0, days.count - 1] : [0, days.count / 2, days.count - 1]
    return Dictionary(
      places.map { ($0, unit == .month ? label(days[$0]) : days[$0].shortWords) }
    ) { first, _ in first }
  }

  func label(_ day: Day) -> String {
    switch unit {
    case .day: day.words
    case .week: "Week of \(day.shortWords)"
    case .month: day.monthWords
    }
  }

  var each: String {
    switch unit {
    case .day: "Each column is a day."
    case .week: "Each column is a week, from its Monday."
    case .month: "Each column is a month."
    }
  }
}

extension Day {
  fileprivate var firstOfMonth: Day { (try? Day(description.prefix(7) + "-01")) ?? self }
}
