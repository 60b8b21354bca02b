import Holdfast
import HoldfastConsole
import HoldfastHabits

extension HabitStatistics: JournalStatistics {
  package var lines: [String] {
    let period = days.map { "The last \($0) days" } ?? "Everything so far"
    guard dueDays > 0 else {
      return ["\(period): nothing was due. Add a habit, and its days appear here."]
    }
    let rate = rate.map { ", \($0.percent) of what was due" } ?? ""
    return [
      "\(period): \(completeDays) of \(dueDays.counted("day")) complete\(rate).",
      "Streak: \(streak.currentText); longest: \(streak.longestStreak.counted("day")).",
      "Level \(level.currentLevel), with \(level.totalXP) XP.",
    ]
  }
}
