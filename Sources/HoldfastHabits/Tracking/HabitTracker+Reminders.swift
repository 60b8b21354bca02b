public import Foundation
import Holdfast

extension HabitTracker {
  /// Adds a reminder. Holdfast only keeps it, for another program to show.
  ///
  /// - Throws: `HoldfastError` when the habit does not exist.
  public func add(_ reminder: HabitReminder, now: Date = Date()) throws {
    try library.write { db in
      _ = try habit(reminder.habitID, db)
      try db.add(reminder, now: now)
    }
  }

  /// Returns the reminders of a habit, or of all habits, by their time.
  public func reminders(of habit: UUID? = nil) throws -> [HabitReminder] {
    guard let habit else {
      return try library.records(HabitReminder.self, clause: "ORDER BY time, id")
    }
    return try library.records(
      HabitReminder.self, clause: "WHERE habitId = ? ORDER BY time, id",
      arguments: [.text(habit.uuidString)])
  }
}
