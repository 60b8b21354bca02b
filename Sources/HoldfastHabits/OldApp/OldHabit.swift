import Foundation
import Holdfast

/// A habit of the old app, with its days. Its dictionaries become records.
struct OldHabit {
  var habit: Habit
  var reminders: [HabitReminder] = []
  var days: [HabitDay] = []
  /// How many days of a habit to give up have no count.
  var uncountedDays = 0
  /// The parts that cannot be kept.
  var leftOut: [Remark] = []
  /// Days whose completion status differs from their count.
  var mismatches: [Remark] = []

  /// A remark about a part of the habit.
  struct Remark {
    var part: String
    var reason: String
  }

  init(_ value: AppValue, user: String, clock: HabitClock) throws(RuleError) {
    guard let name = value["name"].text else { throw RuleError("it has no name") }
    guard let id = value["id"].text.flatMap({ UUID(uuidString: $0) }) else {
      throw RuleError("its id is \(value["id"].shown), not a UUID")
    }
    guard let startDay = value["startDate"].day else {
      throw RuleError("its startDate is \(value["startDate"].shown), not a date")
    }
    let type = try Self.type(value["habitType"])
    let goal = try Self.goal(value)
    habit = Habit(
      id: id, userID: value["userId"].text ?? user, name: name, habitType: type,
      goalCount: goal.count, goalUnit: goal.unit, schedule: goal.schedule, startDay: startDay,
      createdAt: min(value["createdAt"].date ?? clock.now, clock.now))
    habit.habitDescription = value["habitDescription"].text ?? ""
    habit.icon = value["icon"].text ?? ""
    // The app's own data of a colour can be read only by the system that wrote them.
    habit.color = Self.color(value.object ?? [:]) ?? .blue
    if type == .breaking {
      habit.baselineCount =
        (value["baseline"].isNull ? value["baselineCount"] : value["baseline"])
        .integer
      habit.baselineUnit = value["baselineUnit"].text ?? goal.unit
    }
    if !value["endDate"].isNull {
      guard let endDay = value["endDate"].day else {
        throw RuleError("its endDate is \(value["endDate"].shown), not a date")
      }
      habit.endDay = endDay
    }
    try habit.validate()
    readReminders(value["reminders"], clock)
    readDays(value, clock)
  }

  private static func type(_ value: AppValue) throws(RuleError) -> HabitType {
    let text = value.text ?? ""
    if let type = HabitType.allCases.first(where: { $0.label.lowercased() == text.lowercased() }) {
      return type
    }
    return try HabitType(named: text)
  }

  /// The goal is a text. The target, if given, is its number for a habit to give up: the app gives
  /// every other habit one too, which means nothing.
  static func goal(_ value: AppValue) throws(RuleError) -> GoalText {
    let schedule = try value["schedule"].text?.nonBlank.map(GoalText.schedule)
    var goal: GoalText
    if let count = value["goalCount"].integer {
      goal = GoalText(count: count, unit: value["goalUnit"].text ?? "times")
      if let schedule = schedule ?? value["goal"].text.flatMap({ try? GoalText($0) })?.schedule {
        goal.schedule = schedule
      }
    } else if let text = value["goal"].text {
      goal = try GoalText(text, schedule: schedule)
    } else if let target = value["target"].integer {
      goal = GoalText(count: target, unit: value["goalUnit"].text ?? "times")
      if let schedule { goal.schedule = schedule }
    } else {
      throw RuleError("its goal is \(value["goal"].shown), not text")
    }
    if let target = value["target"].integer, try type(value["habitType"]) == .breaking {
      goal.count = target
    }
    return goal
  }

  /// Returns the colour of a habit; `nil` if it cannot be read.
  static func color(_ habit: [String: AppValue]) -> HabitColor? {
    let value = [habit["color"], habit["colorData"]].compactMap(\.self).first { !$0.isNull }
    guard let value else { return nil }
    if let text = value.text { return try? HabitColor(text) }
    let names = ["red", "green", "blue", "alpha"]
    let parts =
      value.list?.compactMap(\.number) ?? names.compactMap { value[$0].number }
    guard parts.count == 4 else { return nil }
    return try? HabitColor(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }

  private mutating func readReminders(_ value: AppValue, _ clock: HabitClock) {
    for (index, reminder) in (value.list ?? []).enumerated() {
      let time =
        (reminder["time"].text ?? reminder.text).flatMap { try? TimeOfDay($0) }
        ?? reminder["time"].moment.map {
          TimeOfDay(of: $0.date, offset: $0.offset ?? $0.date.localOffset)
        }
      guard let time else {
        leave("reminder \(index + 1)", "its time is \(reminder["time"].shown), not a time of day")
        continue
      }
      let createdAt = min(reminder["createdAt"].date ?? habit.createdAt, clock.now)
      var read = HabitReminder(
        id: reminder["id"].text.flatMap { UUID(uuidString: $0) }
          ?? UUID(named: "reminder", habit.id.uuidString, "\(index)"), habitID: habit.id,
        time: time, isActive: reminder["isActive"].flag ?? true,
        notificationIdentifier: reminder["notificationIdentifier"].text, createdAt: createdAt)
      read.modifiedAt = reminder["updatedAt"].date.flatMap { $0 > createdAt ? $0 : nil }
      reminders.append(read)
    }
  }

  private mutating func readDays(_ value: AppValue, _ clock: HabitClock) {
    let counts =
      value[habit.habitType == .breaking ? "actualUsage" : "completionHistory"].object ?? [:]
    let moments = value["completionTimestamps"].object ?? [:]
    let difficulties = value["difficultyHistory"].object ?? [:]
    let states = value["completionStatus"].object ?? [:]
    let keys = Set(counts.keys).union(moments.keys).union(difficulties.keys)
    for key in keys.sorted() {
      if habit.habitType == .breaking, counts[key]?.isNull != false {
        uncountedDays += 1
        continue
      }
      do throws(RuleError) {
        days.append(
          try day(
            key, count: counts[key] ?? .null, moments: moments[key],
            difficulty: difficulties[key], clock))
      } catch {
        leave("day \(key.cut(to: 40))", error.description)
      }
    }
    let complete = Set(days.filter { $0.isComplete(habit.habitType) }.map(\.day.description))
    for (key, state) in states.sorted(by: { $0.key < $1.key }) {
      guard let state = state.flag, state != complete.contains(key) else { continue }
      mismatches.append(
        Remark(
          part: "day \(key.cut(to: 40))",
          reason: Self.mismatch(state)))
    }
  }

  /// Returns the reason of a day that the app has as complete or not, against its count.
  static func mismatch(_ isComplete: Bool) -> String {
    "the old app has it as \(isComplete ? "complete" : "not complete"), and by its count it "
      + "is\(isComplete ? " not" : "")"
  }

  private mutating func day(
    _ key: String, count: AppValue, moments: AppValue?, difficulty: AppValue?,
    _ clock: HabitClock
  ) throws(RuleError) -> HabitDay {
    var record = HabitDay(
      habitID: habit.id, day: try Day(key), goalCount: habit.goalCount, createdAt: clock.now)
    guard record.day <= clock.today else { throw RuleError("it is in the future") }
    guard let progress = count.isNull ? 0 : count.integer else {
      throw RuleError("its count is \(count.shown), not a whole number")
    }
    // The old app kept a moment for each tap, even after an undo.
    let actions = (moments?.list ?? []).compactMap(\.date).filter { $0 <= clock.now }
      .map { HabitAction($0) }
    record.setProgress(
      progress, actions: Array(actions.prefix(min(max(progress, 0), HabitDay.mostActions))))
    // The app does not say when it made the day's record.
    let moment = record.actions.map(\.timestamp).max() ?? AppValue.text(key).beginning.date
    record.createdAt = min(moment ?? clock.now, clock.now)
    if let difficulty, !difficulty.isNull {
      if let rating = difficulty.integer, (try? HabitDay.validate(difficulty: rating)) != nil {
        record.difficulty = rating
      } else {
        leave(
          "day \(key.cut(to: 40))",
          "its difficulty is \(difficulty.shown), not a whole number from 1 to 5")
      }
    }
    try record.validate()
    return record
  }

  private mutating func leave(_ part: String, _ reason: String) {
    leftOut.append(Remark(part: part, reason: reason))
  }
}
