internal import Foundation
internal import HoldfastModel

/// Statistics in words and bars, for a person who may be having a hard time.
///
/// What became less is named as the person's own doing; what became more is a number and no more.
/// A figure that has nothing to show yet says what would make it appear.
struct StatsText {
  let statistics: Statistics

  init(_ statistics: Statistics) { self.statistics = statistics }

  /// The text, line by line; none is wider than ``BarChart/width``.
  var lines: [String] {
    summary.wrapped(to: BarChart.width) + sections.flatMap { ["", $0.heading] + $0.lines }
  }

  struct Section {
    var heading: String
    var lines: [String]
  }

  /// What helps comes before what happened.
  private var sections: [Section] {
    [
      timeWithout,
      recordings(
        "Recordings that helped", statistics.cravings.helpedBy,
        hint: "Link a craving to the recording that helped, and it appears here."),
    ] + cravings + usage + [
      recordings(
        "Most played recordings", statistics.mostPlayed,
        hint: "Play a recording, and it appears here.")
    ] + files
  }

  /// How sure one can be that all recordings are still what they were.
  private var files: [Section] {
    let state = statistics.verification
    guard statistics.recordings > 0 else { return [] }
    var lines: [String] = []
    if state.faulty > 0 {
      lines.append(
        "\(state.faulty.counted("recording")) missing or damaged; holdfast verify says which.")
    }
    if state.unverified > 0 {
      lines.append(
        """
        \(state.unverified) of \(statistics.recordings.counted("recording")) not read since they \
        came in; holdfast verify --deep does.
        """)
    } else if let oldest = state.oldest {
      let days = max(1, Int((statistics.until.timeIntervalSince(oldest) / 86_400).rounded(.up)))
      lines.append("Every byte verified within \(days.counted("day")).")
    }
    return [Section(heading: "The recordings' files", lines: lines)]
  }

  private var summary: String {
    let logged =
      "\(statistics.cravings.count.counted("craving")) and "
      + "\(statistics.usage.count.counted("usage entry", "usage entries")) logged"
    return """
      \(statistics.days.map { "The last \($0) days" } ?? "Everything so far"): \(logged), \
      \(statistics.recordings.counted("recording")) kept.
      """
  }

  private func recordings(
    _ heading: String, _ tallies: [RecordingTally], hint: String
  ) -> Section {
    guard !tallies.isEmpty else { return Section(heading: heading, lines: [hint]) }
    let full = Double(tallies.map(\.count).max() ?? 0)
    let countWidth = tallies.map { "\($0.count)".count }.max() ?? 0
    return Section(
      heading: heading,
      lines: tallies.map { tally in
        let bar = BarChart.blocks(Double(tally.count), of: full, width: 16).padded(to: 16)
        let count = String(repeating: " ", count: countWidth - "\(tally.count)".count)
        // The title comes last: it may be long, or run from right to left.
        let line =
          "\(tally.id.uuidString.prefix(8))  \(count)\(tally.count)  \(bar)  "
          + tally.displayTitle.escapedForDisplay
        return line.cut(toDisplayWidth: BarChart.width)
      })
  }
}

extension StatsText {
  /// A breakdown as a chart, or what would make it appear.
  func chart<Value>(
    _ heading: String, _ tallies: [Tally<Value>], hint: String, label: (Value) -> String
  ) -> Section {
    let bars = tallies.map {
      BarChart.Bar(label: label($0.value), value: Double($0.count), text: "\($0.count)")
    }
    return Section(heading: heading, lines: bars.isEmpty ? [hint] : BarChart(bars: bars).lines)
  }
}

extension Int {
  /// The number and what it counts.
  func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}

extension Double {

  /// So many days.
  var inDays: String { self == 1 ? "1.0 day" : "\(tenths) days" }
}
