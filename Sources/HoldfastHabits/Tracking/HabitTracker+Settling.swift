import Foundation
import Holdfast

extension HabitTracker {
  /// Makes a change, and updates the XP of its day and the achievements in the same transaction.
  ///
  /// A change gives the XP that the day lacks. XP are taken back only if progress is.
  ///
  /// - Parameter isTakingBack: Whether a record of the day was complete and no longer is. A changed
  ///   habit does not count.
  func settling(
    for user: String, on day: Day, isTakingBack: Bool = false, at clock: HabitClock,
    _ db: any RecordDatabase, _ change: () throws -> Habit
  ) throws -> HabitOutcome {
    let before = try Self.calendar(of: user, db).state(of: day)
    let levelBefore = try Self.level(of: user, db)
    let habit = try change()
    let progress = try Self.calendar(of: user, db).byProgress
    let xp = try Self.settle(
      day, of: user, isComplete: progress.state(of: day) == .complete, isTakingBack: isTakingBack,
      at: clock, db)
    let calendar = try Self.calendar(of: user, db)
    let after = calendar.state(of: day)
    let streak = calendar.streak(on: clock.today)
    let record = try self.record(of: habit, on: day, db)
    let achievements = try achieved(habit, record, having: streak, at: clock, in: db)
    let level = try Self.level(of: user, db)
    return HabitOutcome(
      habit: habit, day: day, record: record, isChanged: true, removedMoments: 0,
      dayComplete: after == .complete, becameComplete: before != .complete && after == .complete,
      becameIncomplete: before == .complete && after != .complete, xp: xp, progress: level,
      level: level.currentLevel, levelUp: level.currentLevel > levelBefore.currentLevel,
      streak: streak, achievements: achievements)
  }

  func unchanged(
    _ habit: Habit, on day: Day, at clock: HabitClock, _ db: any RecordDatabase
  ) throws -> HabitOutcome {
    let calendar = try Self.calendar(of: habit.userID, db)
    let level = try Self.level(of: habit.userID, db)
    return HabitOutcome(
      habit: habit, day: day, record: try record(of: habit, on: day, db), isChanged: false,
      removedMoments: 0, dayComplete: calendar.state(of: day) == .complete, becameComplete: false,
      becameIncomplete: false, xp: 0, progress: level, level: level.currentLevel, levelUp: false,
      streak: calendar.streak(on: clock.today), achievements: [])
  }

  func record(of habit: Habit, on day: Day, _ db: any RecordDatabase) throws -> HabitDay? {
    try db.records(
      HabitDay.self, clause: "WHERE habitId = ? AND day = ?",
      arguments: [.text(habit.id.uuidString), .text(day.description)]
    ).first
  }

  private func achieved(
    _ habit: Habit, _ record: HabitDay?, having streak: HabitStreak, at clock: HabitClock,
    in db: any RecordDatabase
  ) throws -> [Achievement] {
    try KnownAchievement.allCases.filter { achievement in
      switch achievement {
      case .firstHabit: record?.isComplete(habit.habitType) == true
      case .weekStreak: streak.currentStreak >= KnownAchievement.week
      }
    }.map { $0.unlocked(by: habit.userID, at: clock.now) }
      .filter { try unlock($0, now: clock.now, db) }
  }
}
