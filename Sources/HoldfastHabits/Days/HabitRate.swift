public import Foundation
public import Holdfast

/// The share of a habit's due days on which it was done.
public struct HabitRate: Codable, Hashable, Sendable {
  /// The share below which a habit counts as a struggle.
  public static let struggling = 0.5

  /// The habit.
  public let habit: UUID
  /// Its name.
  public let name: String
  /// The number of days that count, on which it was required or done.
  public let due: Int
  /// On how many of these days it was complete.
  public let complete: Int
  /// On how many days something was logged for it.
  public let logged: Int
  /// On how many of the logged days it was complete.
  public let loggedComplete: Int
  /// The share of the days that count on which it was complete; `nil` without such days.
  public let rate: Double?
  /// The share of the logged days on which it was complete; `nil` without logged days.
  ///
  /// It is 1 if only complete days were logged.
  public let loggedRate: Double?

  init(habit: UUID, name: String, due: Int, complete: Int, logged: Int, loggedComplete: Int) {
    self.habit = habit
    self.name = name
    self.due = due
    self.complete = complete
    self.logged = logged
    self.loggedComplete = loggedComplete
    rate = due > 0 ? Double(complete) / Double(due) : nil
    loggedRate = logged > 0 ? Double(loggedComplete) / Double(logged) : nil
  }

  /// Whether its rate is below a share. A habit without a rate is not.
  public func isStruggling(below share: Double = Self.struggling) -> Bool {
    rate.map { $0 < share } ?? false
  }
}

extension HabitHistory {
  /// Returns on how many days up to a day the habit counted, and on how many of them it was
  /// complete.
  ///
  /// The last day is still open: it counts when the habit is complete.
  public func counts(through today: Day) -> (due: Int, complete: Int) {
    var (due, complete) = (0, 0)
    let today = today.number
    forEachDay(from: .min, through: today) { day, marks in
      if marks.contains(.complete) {
        due += 1
        complete += 1
      } else if marks.contains(.required), day < today {
        due += 1
      }
    }
    return (due, complete)
  }
}
