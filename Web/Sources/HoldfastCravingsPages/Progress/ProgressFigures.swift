import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb

/// The figures of a period, in the order of the page.
struct ProgressFigures: Sendable {
  let statistics: Statistics
  let amounts: AmountHistory

  private var cravings: CravingStatistics { statistics.cravings }
  private var usage: UsageStatistics { statistics.usage }

  /// The figures about what happened.
  var all: [Figure] {
    [
      intensity, amountsOverTime,
      tallies(
        "Triggers", cravings.byTrigger.map { ($0.value.rawValue, $0.count) },
        hint: "Name the triggers when you log a craving, and they appear here."),
      tallies(
        "Places", cravings.byLocation.map { ($0.value.label, $0.count) },
        hint: "Name the place when you log a craving, and it appears here."),
      hours, weekdays, methods,
    ] + [change].compactMap(\.self)
  }

  // MARK: Over time

  private var intensity: Figure {
    let title = "Intensity over time"
    guard let average = cravings.averageIntensity else {
      return Figure(title, ["Log a craving when one comes, and its intensity appears here."])
    }
    let first = cravings.intensity.byDay.first.flatMap { try? Day($0.day) }
    let axis = TimeAxis(statistics, first: first)
    let points =
      switch axis.unit {
      case .day: cravings.intensity.byDay
      case .week: cravings.intensity.byWeek
      case .month: cravings.intensity.byMonth
      }
    var values = [Double](repeating: 0, count: axis.days.count)
    for point in points {
      if let day = try? Day(point.day), let place = axis.place(of: day) {
        values[place] = max(values[place], point.average)
      }
    }
    let trend = cravings.count > 1 ? "\(statistics.intensityTrend) " : ""
    return Figure(
      title, ["\(average.oneDecimal) of 10 on average. \(trend)\(axis.each)"],
      [.columns(values, full: 10, most: "10", marks: axis.marks)],
      table: points.map { point in
        let label = (try? Day(point.day)).map(axis.label) ?? point.day
        return Bar(label: label, value: point.average, text: point.average.oneDecimal)
      })
  }

  private var amountsOverTime: Figure {
    let title = "Amounts over time"
    guard !amounts.byDay.isEmpty else {
      return Figure(
        title,
        [
          usage.lastUse == nil
            ? "If you log a use, its amount appears here." : "Nothing was used in this period."
        ])
    }
    let axis = TimeAxis(statistics, first: amounts.byDay.first?.day)
    let points =
      switch axis.unit {
      case .day: amounts.byDay
      case .week: amounts.byWeek
      case .month: amounts.byMonth
      }
    // Each method has its own unit, and so its own picture.
    let pictures = usage.byMethod.map { method in
      var values = [Double](repeating: 0, count: axis.days.count)
      for point in points where point.method == method.method {
        if let place = axis.place(of: point.day) { values[place] += point.amount }
      }
      let most = values.max() ?? 0
      return Picture.columns(
        values, full: most, most: most.short, marks: axis.marks,
        name: "\(method.method.rawValue), in \(method.method.unit(for: 2))")
    }
    let sums = usage.byMethod.map { $0.method.text($0.amount) }
    return Figure(
      title, ["\(sums.inWords) in all. \(axis.each)"], pictures,
      table: points.map {
        Bar(
          label: axis.label($0.day), series: $0.method.rawValue, value: $0.amount,
          text: $0.method.text($0.amount))
      })
  }

  // MARK: Counts

  private func tallies(_ title: String, _ counts: [(name: String, count: Int)], hint: String)
    -> Figure
  {
    guard let top = counts.first else { return Figure(title, [hint]) }
    let bars = counts.map { Bar(label: $0.name, value: Double($0.count), text: "\($0.count)") }
    return Figure(
      title, ["\(top.name) came up most, \(top.count.times)."], [.lines(bars)], table: bars)
  }

  private var hours: Figure {
    let counts = (0..<24).map { hour in
      cravings.byHour.first { $0.value == hour }?.count ?? 0
    }
    return columns(
      "Hours of the day", of: "hour", counts, (0..<24).map { "\($0):00" },
      marks: [0: "0:00", 6: "6:00", 12: "12:00", 18: "18:00", 23: "23:00"],
      hint: "Log a craving, and its hour appears here."
    ) {
      "Most came between \($0):00 and \($0 + 1):00"
    }
  }

  private var weekdays: Figure {
    let counts = Weekday.allCases.map { day in
      cravings.byWeekday.first { $0.value == day }?.count ?? 0
    }
    let names = Weekday.allCases.map(\.rawValue)
    return columns(
      "Weekdays", of: "weekday", counts, names,
      marks: Dictionary(
        uniqueKeysWithValues: names.map { String($0.prefix(3)) }.enumerated().map { ($0, $1) }),
      hint: "Log a craving, and its weekday appears here."
    ) { "Most came on a \(names[$0])" }
  }

  private func columns(
    _ title: String, of noun: String, _ counts: [Int], _ names: [String], marks: [Int: String],
    hint: String,
    _ words: (Int) -> String
  ) -> Figure {
    guard let most = counts.max(), most > 0, let place = counts.firstIndex(of: most) else {
      return Figure(title, [hint])
    }
    let shared = counts.count { $0 == most }
    let text =
      shared > 1
      ? "\(shared.counted(noun)) had the most: \(most.counted("craving")) each."
      : "\(words(place)): \(most.counted("craving"))."
    return Figure(
      title, [text],
      [.columns(counts.map(Double.init), full: Double(most), most: "\(most)", marks: marks)],
      table: zip(names, counts).filter { $1 > 0 }.map {
        Bar(label: $0, value: Double($1), text: "\($1)")
      })
  }

  private var methods: Figure {
    let bars = usage.byMethod.map {
      Bar(
        label: $0.method.rawValue, value: Double($0.count),
        text: "\($0.count) ×, \($0.method.text($0.amount))")
    }
    guard let top = usage.byMethod.first else {
      return Figure(
        "Methods",
        [
          usage.lastUse == nil
            ? "If you log a use, its method appears here." : "Nothing was used in this period."
        ])
    }
    return Figure(
      "Methods",
      [
        "\(top.method.rawValue) came up most, \(top.count.times): "
          + "\(top.method.text(top.amount)) in all."
      ],
      [.lines(bars)], table: bars)
  }

  // MARK: The beginning

  /// The change of the amounts since the first period; `nil` if nothing encouraging can be said.
  private var change: Figure? {
    let title = "Change since your beginning"
    guard let change = AmountChange(statistics) else {
      return Figure(
        title, ["Choose 7, 30 or 90 days above, to compare them with your first ones."])
    }
    guard let methods = change.methods else {
      return change.hint.map { Figure(title, [change.heading + ":", $0]) }
    }
    let bars = methods.flatMap { method in
      let full = max(method.amount, method.firstAmount)
      return [
        Bar(
          label: "\(method.method.rawValue) now", series: "now", value: method.amount,
          text: method.method.text(method.amount), full: full),
        Bar(
          label: "\(method.method.rawValue) then", series: "then", value: method.firstAmount,
          text: method.method.text(method.firstAmount), full: full),
      ]
    }
    return Figure(
      title, ["\(change.heading)."] + [change.praise].compactMap(\.self), [.lines(bars)],
      table: methods.map {
        Bar(
          label: $0.method.rawValue, value: $0.amount,
          text: "\($0.method.text($0.amount)) now, \($0.method.text($0.firstAmount)) then")
      })
  }
}

extension Int {
  var times: String { self == 1 ? "once" : self == 2 ? "twice" : "\(self) times" }
}

extension Double {
  fileprivate var oneDecimal: String { String(format: "%.1f", self) }

  /// The number without a decimal of 0.
  fileprivate var short: String { self == rounded() ? "\(Int(self))" : oneDecimal }
}

extension [String] {
  fileprivate var inWords: String {
    formatted(.list(type: .and).locale(Locale(identifier: "en_US_POSIX")))
  }
}
