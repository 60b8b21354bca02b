public import Holdfast

/// What the days of a diary come to in a period.
public struct FoodStatistics: Codable, Hashable, Sendable {
  /// The number of days in the period, counting today; `nil` for everything.
  public var days: Int?
  /// On how many days something was logged.
  public var loggedDays: Int
  /// How many entries those days have.
  public var entries: Int
  /// The nutrition of a day on which something was logged, on average; `nil` if there is none.
  public var dayAverage: Nutrition?
  /// How sure it is that the words of an entry were understood, on average, from 0 to 1; `nil` if
  /// there is no entry.
  public var averageConfidence: Double?
}

extension FoodDiary {
  /// Returns what the days of a period come to. A day on which nothing was logged does not count as
  /// one without food.
  ///
  /// - Parameters:
  ///   - period: The period, which ends with today.
  ///   - today: The last day.
  public func statistics(
    of period: StatisticsPeriod, today: Day = Day()
  ) throws -> FoodStatistics {
    let totals = try totals(
      from: period.days.map { today.adding(days: 1 - $0) }, through: today
    ).filter(\.hasEntries)
    let entries = totals.reduce(0) { $0 + $1.entryCount }
    func average(_ sum: KeyPath<FoodDayTotal, Double>) -> Double {
      totals.reduce(0) { $0 + $1[keyPath: sum] } / Double(totals.count)
    }
    let confidence = totals.reduce(0) { $0 + $1.averageConfidence * Double($1.entryCount) }
    return FoodStatistics(
      days: period.days, loggedDays: totals.count, entries: entries,
      dayAverage: totals.isEmpty
        ? nil
        : Nutrition(
          calories: average(\.totalCalories), protein: average(\.totalProtein),
          carbohydrates: average(\.totalCarbohydrates), fat: average(\.totalFat)),
      averageConfidence: entries > 0 ? (confidence / Double(entries)).withoutNoise : nil)
  }
}
