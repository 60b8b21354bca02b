public import Holdfast

/// The figures of a person's habits for a period.
public struct HabitStatistics: Codable, Hashable, Sendable {
  /// The number of days in the period, counting today; `nil` for everything.
  public var days: Int?
  /// The number of days on which a habit was due or done. Today counts when it is complete.
  public var dueDays: Int
  /// How many of them are complete.
  public var completeDays: Int
  /// The share of the habits due on those days that is complete, from 0 to 1; `nil` if none was
  /// due.
  public var rate: Double?
  /// The streak, whatever the period.
  public var streak: HabitStreak
  /// The XP and the level, whatever the period.
  public var level: HabitLevel
}

extension HabitTracker {
  /// Returns the figures of a person's habits for a period that ends with today.
  public func statistics(
    over period: StatisticsPeriod, of user: String = Habit.defaultUser, today: Day = Day()
  ) throws -> HabitStatistics {
    let calendar = try calendar(of: user)
    let start = calendar.histories.map(\.habit.startDay).min() ?? today
    let first = max(start, period.days.map { today.adding(days: 1 - $0) } ?? start)
    let days = calendar.figures(from: min(first, today), through: today).filter { figures in
      figures.state == .complete || figures.state == .incomplete && figures.day < today
    }
    let due = days.reduce(0) { $0 + $1.due }
    return HabitStatistics(
      days: period.days, dueDays: days.count,
      completeDays: days.count { $0.state == .complete },
      rate: due > 0 ? Double(days.reduce(0) { $0 + $1.complete }) / Double(due) : nil,
      streak: calendar.streak(on: today), level: try level(of: user))
  }
}
