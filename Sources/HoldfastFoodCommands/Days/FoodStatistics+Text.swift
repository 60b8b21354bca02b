import HoldfastConsole
import HoldfastFood
import HoldfastModel

extension FoodStatistics: JournalStatistics {
  package var lines: [String] {
    let period = days.map { "The last \($0) days" } ?? "Everything so far"
    guard let dayAverage else {
      return ["\(period): nothing is logged. Log what you eat, and the sums of a day appear here."]
    }
    let figures = dayAverage.details.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    return [
      "\(period): \(entries.counted("entry", "entries")) on \(loggedDays.counted("day")).",
      "", "A day on which you logged, on average", figures,
    ]
  }
}
