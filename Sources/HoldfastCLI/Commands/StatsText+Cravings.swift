internal import Foundation
internal import HoldfastConsole
internal import HoldfastModel

extension StatsText {
  /// The sections on cravings: how strong they were, what triggered them, and where and when they
  /// came.
  var cravings: [Section] {
    let cravings = statistics.cravings
    guard cravings.count > 0 else {
      return [
        Section(
          heading: "Cravings",
          lines: [
            "None in this period. If one comes, log it: this page then shows how strong it",
            "was, what brought it on, and where and when it came.",
          ])
      ]
    }
    return [
      intensity,
      chart(
        "Cravings by trigger", cravings.byTrigger,
        hint: "Name the triggers when you log a craving, and they appear here.", label: \.rawValue),
      places,
      chart(
        "Cravings by weekday",
        Weekday.allCases.map { day in
          Tally(value: day, count: cravings.byWeekday.first { $0.value == day }?.count ?? 0)
        }, hint: "", label: \.rawValue),
      chart(
        "Cravings by hour",
        (0..<24).map { hour in
          Tally(value: hour, count: cravings.byHour.first { $0.value == hour }?.count ?? 0)
        }, hint: "", label: { "\($0 < 10 ? "0" : "")\($0):00" }),
    ]
  }

  /// The section on places. Cravings without a place come last.
  private var places: Section {
    let cravings = statistics.cravings
    let unknown = cravings.count - cravings.byLocation.reduce(0) { $0 + $1.count }
    let places = cravings.byLocation.map { Tally(value: $0.value.label, count: $0.count) }
    var section = chart(
      "Cravings by place",
      places + (unknown > 0 ? [Tally(value: Location.unknownLabel, count: unknown)] : []),
      hint: "", label: \.self)
    if places.isEmpty {
      section.lines.append("Name the place when you log a craving, and it appears here.")
    }
    return section
  }

  private var intensity: Section {
    let history = statistics.cravings.intensity
    let (unit, points, length): (String, [IntensityPoint], Int) =
      switch statistics.days {
      case .some(...30): ("day", history.byDay, 10)
      case .some: ("week, from its Monday", history.byWeek, 10)
      // More than two years of months would make the chart too long to be seen at once.
      case nil:
        (
          history.byMonth.count > 24 ? "month, the last 24 of them" : "month",
          history.byMonth.suffix(24), 7
        )
      }
    let average = statistics.cravings.averageIntensity.map { " \($0.oneDecimal) of 10 on average;" }
    let bars = points.map {
      BarChart.Bar(
        label: String($0.day.prefix(length)), value: $0.average, text: $0.average.oneDecimal)
    }
    return Section(
      heading: "Intensity:\(average ?? "") by \(unit)",
      lines: BarChart(bars: bars, full: 10).lines + [trend])
  }

  /// The trend as text: per week, or over all days if they span less than a week.
  private var trend: String {
    let days = statistics.cravings.intensity.byDay
    guard let perWeek = statistics.cravings.intensity.trendPerWeek, let first = days.first,
      let last = days.last, let span = Self.days(from: first.day, to: last.day)
    else { return "A trend needs cravings on more than one day." }
    let change = perWeek / 7 * Double(min(span, 7))
    let time = span < 7 ? "over \(span + 1) days" : "a week"
    guard abs(change) >= 0.05 else { return "Trend: even." }
    guard change < 0 else { return "Trend: \(change.oneDecimal) higher \(time)." }
    // After a day that was harder than most, nobody would believe it.
    let isLighter =
      !isFirstDay && last.average <= days.reduce(0) { $0 + $1.average } / Double(days.count)
    return "Trend: \((-change).oneDecimal) lower \(time)."
      + (isLighter ? " It is getting lighter." : "")
  }

  private static func days(from first: String, to last: String) -> Int? {
    let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    guard let first = try? style.parse(first), let last = try? style.parse(last) else { return nil }
    return Int((last.timeIntervalSince(first) / 86_400).rounded())
  }
}
