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
  /// Whether so little was logged that only it is said, without a comparison.
  private var isLittle: Bool { cravings.count < 5 }

  /// The figures about what happened. What was not logged has none.
  var all: [Figure?] {
    let triggers = cravings.byTrigger.map { (name: $0.value.rawValue, count: $0.count) }
    let places = cravings.byLocation.map { (name: $0.value.label, count: $0.count) }
    return [
      intensity, amountsOverTime, tallies("Triggers", triggers, none: "No trigger"),
      tallies("Places", places, none: "No place"), hours, weekdays, change,
    ]
  }

  /// What to log for the figures that are missing, in one sentence; `nil` if there is nothing.
  var hint: String? {
    guard cravings.count > 0 else { return nil }
    switch (cravings.byTrigger.isEmpty, cravings.byLocation.isEmpty) {
    case (true, true):
      return "Name triggers and places when you log a craving, and Progress shows them too."
    case (true, false):
      return "Name the triggers when you log a craving, and Progress shows them too."
    case (false, true): return "Name the place when you log a craving, and Progress shows it too."
    case (false, false): return nil
    }
  }

  // MARK: Over time

  private var intensity: Figure? {
    guard let average = cravings.averageIntensity else { return nil }
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
    let mean = "\(average.short) of 10\(cravings.count > 1 ? " on average" : "")."
    return Figure(
      "Intensity", sentences: [isLittle ? mean : "\(mean) \(statistics.intensityTrend)"],
      picture: .columns([.init(values: values, full: 10, most: "10")], marks: axis.marks),
      table: points.map { point in
        let label = (try? Day(point.day)).map(axis.label) ?? point.day
        return Bar(label: label, value: point.average, text: point.average.oneDecimal)
      }, caption: axis.each)
  }

  private var amountsOverTime: Figure? {
    guard !amounts.byDay.isEmpty else { return nil }
    let axis = TimeAxis(statistics, first: amounts.byDay.first?.day)
    let points =
      switch axis.unit {
      case .day: amounts.byDay
      case .week: amounts.byWeek
      case .month: amounts.byMonth
      }
    // Each method has its own unit, and so its own scale.
    let panels = usage.byMethod.map { method in
      var values = [Double](repeating: 0, count: axis.days.count)
      for point in points where point.method == method.method {
        if let place = axis.place(of: point.day) { values[place] += point.amount }
      }
      let most = values.max() ?? 0
      return Picture.Panel(
        name: "\(method.method.rawValue), in \(method.method.unit(for: 2))", values: values,
        full: most, most: most.short)
    }
    let sums = usage.byMethod.map { use in
      let (name, amount) = (use.method.rawValue, use.method.text(use.amount))
      // "1 joint", not "Joints once (1 joint)".
      guard name.lowercased() == use.method.unit(for: 2) else {
        return "\(name) \(use.count.times) (\(amount))"
      }
      return use.amount == Double(use.count) ? amount : "\(amount) (\(use.count.times))"
    }
    return Figure(
      "Use", sentences: ["\(sums.inWords)."], picture: .columns(panels, marks: axis.marks),
      table: points.map {
        Bar(
          label: axis.label($0.day), series: $0.method.rawValue, value: $0.amount,
          text: $0.method.text($0.amount))
      }, caption: axis.each)
  }

  // MARK: Counts

  /// - Parameter none: What is said to stand out if more than three have the most.
  private func tallies(
    _ title: String, _ counts: [(name: String, count: Int)], none: String
  ) -> Figure? {
    guard let top = counts.first else { return nil }
    let bars = counts.map {
      Bar(
        label: $0.name, series: $0.count < top.count ? "less" : "", value: Double($0.count),
        text: "\($0.count)")
    }
    let tops = counts.filter { $0.count == top.count }.map(\.name)
    let sentence =
      if isLittle {
        "\(counts.map { "\($0.name) \($0.count.times)" }.inWords)."
      } else if tops.count > 3 {
        "\(none) stands out."
      } else if tops.count > 1 {
        "\(tops.inWords) came up most, \(top.count.times) each."
      } else if counts.count == 2 {
        "\(top.name) came up most, \(top.count.times), then \(counts[1].name), "
          + "\(counts[1].count.times)."
      } else {
        "\(top.name) came up most, \(top.count.times)."
      }
    return Figure(
      title, sentences: [sentence],
      picture: .lines(bars),
      table: bars.map { Bar(label: $0.label, value: $0.value, text: $0.text) })
  }

  private var hours: Figure? {
    let counts = (0..<24).map { hour in
      cravings.byHour.first { $0.value == hour }?.count ?? 0
    }
    return columns(
      "Hours of the day", counts: counts, names: (0..<24).map { "\($0):00" },
      marks: [0: "0:00", 6: "6:00", 12: "12:00", 18: "18:00", 23: "23:00"], none: "No hour"
    ) { isLittle ? "Around \($0)." : "Most came around \($0)." }
  }

  private var weekdays: Figure? {
    let counts = Weekday.allCases.map { day in
      cravings.byWeekday.first { $0.value == day }?.count ?? 0
    }
    let names = Weekday.allCases.map(\.rawValue)
    return columns(
      "Weekdays", counts: counts, names: isLittle ? names : names.map { "\($0)s" },
      marks: Dictionary(
        uniqueKeysWithValues: names.map { String($0.prefix(3)) }.enumerated().map { ($0, $1) }),
      none: "No weekday"
    ) { isLittle ? "On \($0)." : "Most came on \($0)." }
  }

  /// - Parameter none: What is said to stand out if more than three have the most.
  private func columns(
    _ title: String, counts: [Int], names: [String], marks: [Int: String], none: String,
    sentence: (String) -> String
  ) -> Figure? {
    guard let most = counts.max(), most > 0, counts.reduce(0, +) > 1 else { return nil }
    let top = zip(names, counts).filter { isLittle ? $1 > 0 : $1 == most }.map(\.0)
    let isEven = !isLittle && top.count > 3
    return Figure(
      title, sentences: [isEven ? "\(none) stands out." : sentence(top.inWords)],
      picture: .columns(
        [
          .init(
            values: counts.map(Double.init), full: Double(most), most: "\(most)", hasPeak: true)
        ], marks: marks),
      table: zip(names, counts).filter { $1 > 0 }.map {
        Bar(label: $0, value: Double($1), text: "\($1)")
      })
  }

  // MARK: The beginning

  /// The change of the amounts since the first period; `nil` if nothing encouraging can be said.
  private var change: Figure? {
    let title = "Since your beginning"
    guard usage.lastUse != nil else { return nil }
    guard let change = AmountChange(statistics) else {
      return Figure(
        title, sentences: ["Choose 7, 30 or 90 days above, to compare them with your first ones."])
    }
    guard let methods = change.methods else {
      return change.hint.map { Figure(title, sentences: [$0]) }
    }
    guard methods.count > 1 else {
      let sentences = methods.map {
        "\($0.method.rawValue): \($0.method.text($0.amount)) now, "
          + "\($0.method.text($0.firstAmount)) in your first \(statistics.days ?? 0) days."
      }
      return Figure(title, sentences: [change.praise].compactMap(\.self) + sentences)
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
      title, sentences: [change.praise, "\(change.heading)."].compactMap(\.self),
      picture: .lines(bars),
      table: bars.map { Bar(label: $0.label, value: $0.value, text: $0.text) })
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
    count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
  }
}
