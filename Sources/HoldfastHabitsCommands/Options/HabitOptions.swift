import ArgumentParser
import HoldfastConsole
import HoldfastHabits
import HoldfastModel

struct HabitOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "How much completes a day: a whole number.")
  var goal: Int?

  @Option(parsing: .unconditional, help: "The unit of the goal, such as pages.")
  var unit: String?

  @Option(
    word: "What it is: \(HabitType.words). Breaking needs --baseline.",
    valueName: "type",
    completion: .list(HabitType.allCases.map(\.rawValue)))
  var type: HabitType?

  @Option(
    unconditional: "For a habit to give up: how much it was on a day before, more than the goal.",
    valueName: "count")
  var baseline: Int?

  @Option(unconditional: "The unit of the baseline (default: that of the goal).", valueName: "unit")
  var baselineUnit: String?

  @OptionGroup(title: "Days (one of these)") var schedule: ScheduleOptions

  @Option(day: "The first day, such as 2025-10-25.")
  var start: Day?

  @Option(parsing: .unconditional, help: "What it is about; at most 2000 characters.")
  var description: String?

  @Option(parsing: .unconditional, help: "An emoji or the name of a symbol.")
  var icon: String?

  @Option(
    help: ArgumentHelp("Its colour, such as #0000FF or #0000FFFF.", valueName: "color"),
    transform: { try HabitColor($0) })
  var color: HabitColor?

  var changes: [Change<Habit>?] {
    [
      .set(\.goalCount, goal), .set(\.goalUnit, unit),
      .set(type) { habit, type in
        habit.habitType = type
        if type == .formation { (habit.baselineCount, habit.baselineUnit) = (nil, nil) }
      },
      .set(baseline) { habit, baseline in
        habit.baselineCount = baseline
        habit.baselineUnit = habit.baselineUnit ?? habit.goalUnit
      },
      .text(\.baselineUnit, baselineUnit), .set(\.schedule, schedule.schedule),
      .set(\.startDay, start), .set(\.habitDescription, description), .set(\.icon, icon),
      .set(\.color, color),
    ]
  }
}

struct ScheduleOptions: ParsableArguments {
  @Flag(help: "Every day, which is the default.")
  var daily = false

  @Option(unconditional: "Every so many days, from the first: 1 to 365.", valueName: "days")
  var every: Int?

  @Option(
    help: ArgumentHelp(
      "A day of the week, such as monday; may be given more than once, or as a list with commas.",
      valueName: "weekday"),
    completion: .list(HabitWeekday.allCases.map(\.rawValue)),
    transform: { text in
      try text.split(separator: ",").map { try HabitWeekday(named: String($0)) }
    })
  var on: [[HabitWeekday]] = []

  @Option(unconditional: "So many days a week, freely chosen: 1 to 7.", valueName: "days")
  var perWeek: Int?

  @Option(unconditional: "So many days a month, freely chosen: 1 to 31.", valueName: "days")
  var perMonth: Int?

  func validate() throws {
    let ways = [daily, every != nil, !on.isEmpty, perWeek != nil, perMonth != nil]
    guard ways.count(where: { $0 }) <= 1 else {
      throw ValidationError("Give only one of --daily, --every, --on, --per-week and --per-month.")
    }
  }

  var schedule: HabitSchedule? {
    if daily { return .daily }
    if let every { return .everyNDays(every) }
    if let perWeek { return .frequencyWeekly(perWeek) }
    if let perMonth { return .frequencyMonthly(perMonth) }
    return on.isEmpty ? nil : .specificWeekdays(Set(on.flatMap(\.self)).sorted())
  }
}
