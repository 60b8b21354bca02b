import Foundation
import HoldfastConsole
package import HoldfastCravings
import HoldfastModel

/// Statistics as text and bars, for a user who may be having a hard time.
///
/// An amount that fell is credited to the user. An amount that rose is only a number. A figure with
/// nothing to show says what would make it appear, but never asks for a craving or a use.
///
/// Praise that the user could not believe is left out: on the day of a use, no stretch is praised
/// for its length, and cravings do not get lighter (``isFirstDay``).
package struct StatsText {
  let statistics: Statistics
  private let isOffline: Bool
  private let faults: String?

  /// - Parameters:
  ///   - isOffline: Whether all the recordings' files are missing.
  ///   - faults: What is known to be missing or damaged, as a clause.
  package init(_ statistics: Statistics, isOffline: Bool = false, faults: String? = nil) {
    (self.statistics, self.isOffline, self.faults) = (statistics, isOffline, faults)
  }

  /// The text, line by line. No line is wider than ``BarChart/width``.
  package var lines: [String] {
    summary.wrapped(to: BarChart.width) + sections.flatMap { ["", $0.heading] + $0.lines }
  }

  /// Whether the last use was less than a day ago. The user may just have slipped.
  var isFirstDay: Bool { TimeWithoutUse(statistics).isFirstDay }

  struct Section {
    var heading: String
    var lines: [String]
  }

  /// The sections: first those on help, then those on what happened.
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

  /// The section on how many recordings were verified, and on missing or damaged files.
  private var files: [Section] {
    let state = statistics.verification
    guard statistics.recordings > 0 || faults != nil else { return [] }
    var lines: [String] = []
    if isOffline {
      let line = "None of them can be read now. They may be on a disk that is not connected."
      return [Section(heading: "The recordings' files", lines: [line])]
    }
    if let faults {
      lines += "\(faults); holdfast verify shows which.".wrapped(to: BarChart.width)
    }
    if state.unverified > 0 {
      lines.append(
        """
        \(state.unverified) of \(statistics.recordings.counted("recording")) not read since \
        import; holdfast verify --deep reads them.
        """)
    } else if let oldest = state.oldest {
      let days = max(1, Int((statistics.until.timeIntervalSince(oldest) / 86_400).rounded(.up)))
      let what = faults == nil ? "Every byte" : "Every byte of the others"
      lines.append("\(what) was verified within the last \(days.counted("day")).")
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
        // The title comes last, because it may be long or run from right to left.
        let line =
          "\(tally.id.short)  \(count)\(tally.count)  \(bar)  "
          + tally.displayTitle.escapedForDisplay
        return line.cut(toDisplayWidth: BarChart.width)
      })
  }
}

extension StatsText {
  /// Returns a chart of the tallies, or the hint if there are none.
  func chart<Value>(
    _ heading: String, _ tallies: [Tally<Value>], hint: String, label: (Value) -> String
  ) -> Section {
    let bars = tallies.map {
      BarChart.Bar(label: label($0.value), value: Double($0.count), text: "\($0.count)")
    }
    return Section(heading: heading, lines: bars.isEmpty ? [hint] : BarChart(bars: bars).lines)
  }
}
