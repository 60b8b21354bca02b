internal import Foundation
internal import HoldfastConsole
internal import HoldfastModel

extension StatsText {
  /// The section on the time since the last use, and on the longest stretch without.
  var timeWithout: Section {
    let lines =
      if let time = timeSinceLastUse {
        isFirstDay ? firstDay(time) : [sinceLastUse, longestStretch].compactMap(\.self)
      } else {
        ["No use is logged. If you log one, the time since then appears here."]
      }
    return Section(heading: "Time without", lines: lines)
  }

  /// The lines on the day of a use: no figure with a zero, no praise for hours, no date on which a
  /// stretch ended. What the user did before still counts.
  private func firstDay(_ time: TimeInterval) -> [String] {
    let hours = Int(time / 3600)
    return [
      "\(hours < 1 ? "Less than an hour" : hours.counted("hour")) since the last use.",
      "If this is a hard moment, holdfast message next has a kind word for you.",
    ] + daysThatCount
  }

  /// A sentence on the longest stretch, if it had a day or more.
  private var daysThatCount: [String] {
    guard let stretch = statistics.usage.longestStretch,
      stretch.until.timeIntervalSince(stretch.since) >= Self.day
    else { return [] }
    let start =
      switch statistics.days {
      case nil: "You once went"
      // It may have begun before the period.
      case .some where stretch.since == statistics.since: "You went at least"
      case .some: "In this period you went"
      }
    return ["\(start) \(stretch.days.inDays) without using. Those days still count."]
  }

  private var sinceLastUse: String? {
    statistics.usage.daysSinceLastUse.map { "\($0.inDays) since the last use." }
  }

  private var longestStretch: String? {
    statistics.usage.longestStretch.map { stretch in
      if stretch.until != statistics.until {
        return "Longest stretch\(inThePeriod): \(stretch.days.inDays), "
          + "from \(day(stretch.since)) to \(day(stretch.until))."
      }
      if let days = statistics.days, stretch.since == statistics.since {
        return "You have used nothing in these \(days) days, and it goes on. Well done."
      }
      return "That is your longest stretch\(inThePeriod), and it goes on. Well done."
    }
  }

  /// Returns the day of a moment where the last use was logged, such as `2025-10-25`.
  private func day(_ moment: Date) -> String {
    String(moment.displayText(offset: statistics.usage.lastUseOffset ?? 0).prefix(10))
  }

  private var inThePeriod: String { statistics.days == nil ? "" : " in this period" }

  /// The sections on the period's methods, and how their amounts compare with the beginning.
  var usage: [Section] {
    let bars = statistics.usage.byMethod.map {
      BarChart.Bar(
        label: $0.method.rawValue, value: Double($0.count),
        text: "\($0.count.counted("time")), \($0.method.text($0.amount))")
    }
    let hint =
      statistics.usage.lastUse == nil
      ? "No use is logged. If you log one, its method and amount appear here."
      : "None in this period."
    let methods = Section(
      heading: "Usage by method", lines: bars.isEmpty ? [hint] : BarChart(bars: bars).lines)
    return [methods] + comparison
  }

  private var comparison: [Section] {
    guard let days = statistics.days else { return [] }
    let heading = "Amounts, now and in your first \(days) days"
    guard let comparison = statistics.usage.comparison else {
      return [
        Section(
          heading: heading, lines: ["They appear here \(2 * days) days after the first logged use."]
        )
      ]
    }
    guard let methods = comparison.methods else {
      // On the day of a use, nobody should be told to come back after more of them.
      if isFirstDay { return [] }
      return [
        Section(
          heading: heading,
          lines: ["They can be compared from \(day(comparison.availableFrom)) on."])
      ]
    }
    return [
      Section(
        heading: "\(heading), from \(day(comparison.firstSince))",
        lines: Self.chart(methods) + Self.less(methods, days: days))
    ]
  }

  /// Returns two bars for each method. Each method has its own scale, because their units differ.
  private static func chart(_ methods: [MethodComparison]) -> [String] {
    let labelWidth = methods.map(\.method.rawValue.count).max() ?? 0
    let bars = methods.flatMap { method -> [BarChart.Bar] in
      let full = max(method.amount, method.firstAmount)
      return [("now", method.amount), ("first", method.firstAmount)].map { name, amount in
        BarChart.Bar(
          label: (name == "now" ? method.method.rawValue : "").padded(to: labelWidth) + "  " + name,
          value: amount / full, text: method.method.text(amount))
      }
    }
    return BarChart(bars: bars, full: 1, isOneColumn: true).lines
  }

  /// Returns a sentence about the methods whose amounts became smaller.
  private static func less(_ methods: [MethodComparison], days: Int) -> [String] {
    let less = methods.filter { $0.amount < $0.firstAmount }
      .map { $0.method.text($0.firstAmount - $0.amount) }
    guard !less.isEmpty else { return [] }
    let list = less.formatted(.list(type: .and).locale(Locale(identifier: "en_US_POSIX")))
    return "\(list) less than in your first \(days) days. You made that happen."
      .wrapped(to: BarChart.width)
  }
}

extension String {
  /// Returns the words in lines of at most this many cells.
  func wrapped(to width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.displayWidth + 1 + String(word).displayWidth <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}
