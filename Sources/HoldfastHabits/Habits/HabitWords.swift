public import Holdfast

/// Whether a habit is built up or given up.
public enum HabitType: String, Vocabulary {
  /// A habit to build: doing it often enough completes the day.
  case formation
  /// A habit to give up: using it little enough completes the day.
  case breaking

  /// The name for one of the words: "type".
  public static var noun: String { "type" }

  /// The name that people read: "Habit Building" or "Habit Breaking".
  public var label: String {
    switch self {
    case .formation: "Habit Building"
    case .breaking: "Habit Breaking"
    }
  }

  /// Returns whether a count meets a goal: reaches it for a habit to build, stays within it for one
  /// to give up.
  func isMet(_ goal: Int, by count: Int) -> Bool {
    self == .breaking ? count <= goal : count >= goal
  }

  /// Returns whether a goal is harder than another: higher for a habit to build, lower for one to
  /// give up.
  func isHarder(_ goal: Int, than other: Int) -> Bool {
    self == .breaking ? goal < other : goal > other
  }

  /// Returns whether a change of a day's count undoes that it met its goal: an undo, a lower count,
  /// a deletion, or a use over the limit.
  ///
  /// Both counts are judged by the old goal, because a new goal takes nothing back.
  func isTakenBack(_ goal: Int, from old: Int, to new: Int?) -> Bool {
    isMet(goal, by: old) && !(new.map { isMet(goal, by: $0) } ?? false)
  }
}

/// A day of the week.
public enum HabitWeekday: String, Vocabulary, Comparable {
  case sunday, monday, tuesday, wednesday, thursday, friday, saturday

  /// The name for one of the words: "weekday".
  public static var noun: String { "weekday" }

  /// The number of the day: 1 for Sunday to 7 for Saturday.
  public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// Returns the day with this number: 1 is Sunday, and 7 is Saturday.
  ///
  /// - Throws: `RuleError` for a number outside 1 to 7.
  public init(number: Int) throws(RuleError) {
    guard Self.allCases.indices.contains(number - 1) else {
      throw RuleError("weekday \(number): they go from 1, which is Sunday, to 7")
    }
    self = Self.allCases[number - 1]
  }

  /// Compares two days by their numbers.
  public static func < (one: HabitWeekday, other: HabitWeekday) -> Bool {
    one.number < other.number
  }
}

/// The kind of a habit's schedule.
public enum HabitScheduleType: String, Vocabulary {
  case daily, everyNDays, specificWeekdays, frequencyWeekly, frequencyMonthly

  /// The name for one of the words: "schedule".
  public static var noun: String { "schedule" }

  /// The numbers that such a schedule may have; `nil` if it has none.
  public var counts: ClosedRange<Int>? {
    switch self {
    case .daily, .specificWeekdays: nil
    case .everyNDays: 1...365
    case .frequencyWeekly: 1...7
    case .frequencyMonthly: 1...31
    }
  }
}
