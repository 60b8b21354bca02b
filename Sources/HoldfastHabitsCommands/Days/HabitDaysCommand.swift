import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitDaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "days", abstract: "List the days on which something was logged, newest first.")

  @Argument(
    help: ArgumentHelp(
      "Only days of this habit: its name, or at least four characters of its id.",
      valueName: "habit"))
  var habit: String?

  @Option(help: ArgumentHelp("Only days with this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, .habits)
    let recording = try library.recordingID(recording)
    let habit = try habit.map { try library.habits.habit($0).id }
    let names = Dictionary(
      try library.habits.habits(of: nil).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    try common.console.page(page, noun: { $0.noun("day") }) { limit in
      try library.habits.days(of: habit, recording: recording, limit: limit, offset: page.offset)
    } json: {
      $0
    } table: { days in
      var table = TextTable([
        .init(heading: "ID"), .init(heading: "DAY"), .init(heading: "COUNT", alignment: .right),
        .init(heading: "GOAL", alignment: .right),
        .init(heading: "DIFFICULTY", alignment: .right, givesWay: true), .init(heading: "HABIT"),
      ])
      for day in days {
        table.add([
          day.id.short, day.day.description, "\(day.progressCount)", "\(day.goalCount)",
          day.difficulty.map { "\($0)" } ?? "", names[day.habitID]?.name ?? "",
        ])
      }
      return table
    }
  }
}

struct HabitTodayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show today's habits, and what is done.",
    discussion: """
      A habit that may be done on another day of the week or the month is not due until no other \
      day is left.
      """)

  @OptionGroup var day: HabitDayOption
  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let overview = try habits.overview(of: user.user, on: day.day ?? Day())
    if console.isJSON { return try console.json(overview) }
    let figures = overview.figures
    guard !overview.habits.isEmpty else {
      return console.note("No habit appears on \(figures.day).")
    }
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "STATE"), .init(heading: "DONE"),
      .init(heading: "HABIT"),
    ])
    for item in overview.habits {
      let goal = item.record?.goalCount ?? item.habit.goalCount
      table.add([
        item.habit.id.short, item.isComplete ? "complete" : item.isRequired ? "due" : "free",
        item.record.map { "\($0.progressCount)/\(goal)" } ?? "-/\(goal)", item.habit.line,
      ])
    }
    console.result(table)
    let rate = figures.rate.map { " (\($0.percent))" } ?? ""
    let logged = overview.loggedRate.map { "; \($0.percent) of what was logged" } ?? ""
    console.note(
      "\(figures.complete) of \(figures.due) complete\(rate)\(logged).")
  }
}

struct HabitWeekCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "week", abstract: "Show a week, from Monday to Sunday.",
    discussion: """
      A rate is the share of what was due that is complete. Habits that were done without being \
      due count as well.
      """)

  @Option(day: "A day of the week, such as 2025-10-25 (default: today).")
  var of: Day?

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let last = Day().adding(days: 366).description
    if let of, !(Habit.firstDay...last).contains(of.description) {
      throw ValidationError("--of \(of): give a day from \(Habit.firstDay) to \(last).")
    }
  }

  func run() throws {
    let console = common.console
    let today = Day()
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let week = try habits.week(of: user.user, with: of ?? today)
    if console.isJSON { return try console.json(week) }
    var table = TextTable([
      .init(heading: "DAY"), .init(heading: "WEEKDAY"), .init(heading: "STATE"),
      .init(heading: "REQUIRED", alignment: .right), .init(heading: "DUE", alignment: .right),
      .init(heading: "COMPLETE", alignment: .right), .init(heading: "RATE", alignment: .right),
      .init(heading: "LOGGED", alignment: .right),
    ])
    for day in week {
      let figures = day.figures
      table.add([
        figures.day.description, figures.day.weekday.rawValue, day.stateText(on: today),
        "\(figures.required)", "\(figures.due)", "\(figures.complete)",
        day.isAhead ? "-" : figures.rate?.percent ?? "-", "\(day.loggedComplete)/\(day.logged)",
      ])
    }
    console.result(table)
  }
}

extension LoggedDayFigures {
  /// The state of the day, which may not be over yet.
  fileprivate func stateText(on today: Day) -> String {
    switch figures.state {
    case _ where isAhead: "ahead"
    case .complete: "complete"
    case .incomplete: figures.day == today ? "open" : "incomplete"
    case .neutral: "free"
    }
  }
}
