import HoldfastConsole
import HoldfastCravings
import HoldfastModel

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
      lines: BarChart(bars: bars, full: 10).lines + [statistics.intensityTrend])
  }
}
