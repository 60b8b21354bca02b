public import Holdfast

/// The figures of a diary for a period.
public struct FoodStatistics: Codable, Hashable, Sendable {
  /// The number of days in the period, counting today; `nil` for everything.
  public var days: Int?
  /// The number of days with an entry.
  public var loggedDays: Int
  /// The number of entries of those days.
  public var entries: Int
  /// The average nutrition of a day on which something was logged; `nil` without such a day.
  public var dayAverage: Nutrition?
  /// The average confidence of the entries, from 0 to 1; `nil` without entries.
  public var averageConfidence: Double?
}

extension FoodDiary {
  /// Returns the diary's figures for a period that ends with today. A day on which nothing was
  /// logged does not count.
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
