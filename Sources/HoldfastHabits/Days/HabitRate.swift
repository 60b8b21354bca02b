public import Foundation
public import Holdfast

/// The share of a habit's due days on which it was done.
public struct HabitRate: Codable, Hashable, Sendable {
  /// The share below which a habit counts as a struggle.
  public static let struggling = 0.5

  /// The habit.
  public var habit: UUID
  /// Its name.
  public var name: String
  /// The number of days that count, on which it was required or done.
  public var due: Int
  /// On how many of these days it was complete.
  public var complete: Int
  /// On how many days something was logged for it.
  public var logged: Int
  /// On how many of the logged days it was complete.
  public var loggedComplete: Int

  /// Makes a rate from its figures.
  public init(
    habit: UUID, name: String, due: Int, complete: Int, logged: Int, loggedComplete: Int
  ) {
    self.habit = habit
    self.name = name
    self.due = due
    self.complete = complete
    self.logged = logged
    self.loggedComplete = loggedComplete
  }

  /// The share of the days that count on which it was complete; `nil` without such days.
  public var rate: Double? { due > 0 ? Double(complete) / Double(due) : nil }

  /// The share of the logged days on which it was complete; `nil` without logged days.
  ///
  /// It is 1 if only complete days were logged.
  public var loggedRate: Double? {
    logged > 0 ? Double(loggedComplete) / Double(logged) : nil
  }

  /// Whether its rate is below a share. A habit without a rate is not.
  public func isStruggling(below share: Double = Self.struggling) -> Bool {
    rate.map { $0 < share } ?? false
  }

  private enum CodingKeys: String, CodingKey {
    case habit, name, due, complete, logged, loggedComplete
  }

  private enum RateKeys: String, CodingKey { case rate, loggedRate }

  /// Writes the figures with their rates.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(habit, forKey: .habit)
    try container.encode(name, forKey: .name)
    try container.encode(due, forKey: .due)
    try container.encode(complete, forKey: .complete)
    try container.encode(logged, forKey: .logged)
    try container.encode(loggedComplete, forKey: .loggedComplete)
    var rates = encoder.container(keyedBy: RateKeys.self)
    try rates.encodeIfPresent(rate, forKey: .rate)
    try rates.encodeIfPresent(loggedRate, forKey: .loggedRate)
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
