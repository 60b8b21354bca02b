import HoldfastConsole
import HoldfastCravings
import HoldfastModel

extension StatsText {
  /// The section on the time since the last use, and on the longest stretch without a use.
  var timeWithout: Section {
    Section(
      heading: "Time without",
      lines: TimeWithoutUse(statistics).sentences(
        hint: "If this is a hard moment, holdfast message next has a kind word for you."))
  }

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
    guard let change = AmountChange(statistics) else { return [] }
    if let methods = change.methods {
      let praise = change.praise?.wrapped(to: BarChart.width) ?? []
      return [Section(heading: change.heading, lines: Self.chart(methods) + praise)]
    }
    return change.hint.map { [Section(heading: change.heading, lines: [$0])] } ?? []
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
}

extension String {
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
