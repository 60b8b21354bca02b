import HoldfastConsole
import HoldfastFaith
import HoldfastModel

extension FaithStatistics: JournalStatistics {
  package var lines: [String] {
    let period = days.map { "The last \($0) days" } ?? "Everything so far"
    guard entries + prayers + answers.count + moods.count > 0 else {
      return ["\(period): nothing is written. What you write and pray appears here."]
    }
    let notes = voiceNotes > 0 ? ", \(voiceNotes) with a voice note" : ""
    var lines = [
      "\(period): \(entries.counted("entry", "entries"))\(notes); \(prayers.counted("prayer"))."
    ]
    if let days = answers.averageDays {
      lines.append(
        "\(answers.count.counted("prayer")) answered, after \(days.oneDecimal) days on average.")
    }
    guard !moods.isEmpty else { return lines }
    let bars = moods.prefix(10).map {
      BarChart.Bar(
        label: $0.mood.escapedForDisplay.cut(toDisplayWidth: 30), value: Double($0.count),
        text: "\($0.count)")
    }
    return lines + ["", "Moods"] + BarChart(bars: Array(bars)).lines
  }
}
