import Foundation
import Holdfast

extension AppReading {
  /// Adds a habit with its reminders and days.
  ///
  /// - Parameter own: Values of the days' records, by the day.
  mutating func add(_ old: OldHabit, _ own: [String: [String: AppValue]]) {
    func json(_ value: some Encodable) -> [String: AppValue]? {
      guard let data = try? JSONFormat.encoder.encode(value),
        case .object(let values)? = try? JSONDecoder().decode(AppValue.self, from: data)
      else { return nil }
      return values
    }
    if let habit = json(old.habit) { add(habit, as: Habit.declaration.kind) }
    for reminder in old.reminders.compactMap(json) {
      add(reminder, as: HabitReminder.declaration.kind)
    }
    for day in old.days {
      guard var values = json(day) else { continue }
      values.merge(own[day.day.description] ?? [:]) { $1 }
      if values[AppCount.key] == nil, own[day.day.description]?["actions"] == nil {
        values[AppCount.key] = .flag(true)
      }
      add(values, as: HabitDay.declaration.kind)
    }
  }
}
