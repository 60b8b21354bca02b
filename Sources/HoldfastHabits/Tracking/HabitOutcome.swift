public import Holdfast

/// The effect of a change on the day, the XP and the streak.
public struct HabitOutcome: Codable, Hashable, Sendable {
  /// The habit that was changed.
  public var habit: Habit
  /// The day that the outcome describes: the changed day, or today.
  public var day: Day
  /// The habit's record of that day; `nil` without one.
  public var record: HabitDay?
  /// Whether anything was changed.
  public var isChanged: Bool
  /// How many moments were removed.
  public var removedMoments: Int
  /// Whether the day is complete, with all of the person's habits.
  public var dayComplete: Bool
  /// Whether the change made it complete.
  public var becameComplete: Bool
  /// Whether the change made it incomplete or neutral.
  public var becameIncomplete: Bool
  /// The XP that the person got; negative if they were taken back.
  public var xp: Int
  /// The person's XP and level.
  public var progress: HabitLevel
  /// The number of the person's level.
  public var level: Int
  /// Whether the change raised the level.
  public var levelUp: Bool
  /// The person's streak.
  public var streak: HabitStreak
  /// The achievements that it unlocked.
  public var achievements: [Achievement]

  private enum CodingKeys: String, CodingKey {
    case habit, day, record
    case isChanged = "changed"
    case removedMoments, dayComplete, becameComplete, becameIncomplete, xp, progress, level
    case levelUp, streak, achievements
  }

  /// Whether the habit itself is complete on the day.
  public var isComplete: Bool { record?.isComplete(habit.habitType) ?? false }

  /// Whether the day keeps its goal, and the habit's new goal starts on the next day.
  public var keepsGoal: Bool { isComplete && record?.goalCount != habit.goalCount }
}
