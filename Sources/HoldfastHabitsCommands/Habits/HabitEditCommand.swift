import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a habit; only what you name changes.",
    discussion: """
      A new goal is that of today and later; earlier days keep theirs. If the habit is complete \
      today, a harder goal starts tomorrow. New days, a new first or last day and a new type \
      change what was due in the past as well, and may change the streak, but days that gave their \
      XP stay complete. To keep the past as it is, end the habit and add a new one.
      """)

  @OptionGroup var argument: RecordArgument<Habit>

  @Option(parsing: .unconditional, help: "Its name.")
  var name: String?

  @OptionGroup var options: HabitOptions

  @Option(
    help: ArgumentHelp(
      "The last day, such as 2025-12-31; an empty text removes it.", valueName: "date"),
    transform: { try EndDay($0) })
  var end: EndDay?

  @OptionGroup var common: CommonOptions

  private var changes: [Change<Habit>?] {
    [.set(\.name, name)] + options.changes + [.set(end) { $0.endDay = $1.day }]
  }

  func validate() throws { try requireChange(changes, "") }

  func run() throws {
    let library = try common.openLibrary(for: .writing, Habit.self)
    let before = try argument.record(in: library)
    let outcome = try library.habits.edit(before.id) { try changes.apply(to: &$0) }
    try common.console.show(outcome, changing: "changed")
    if options.goal != nil, outcome.keepsGoal {
      common.console.note("note: it is complete today, so the new goal starts tomorrow")
    }
    if outcome.habit.rewritesPast(of: before) {
      common.console.note(
        "note: this changes what was due in the past, and may change the streak; days that gave "
          + "their XP stay complete; to keep the past, end a habit and add a new one")
    }
  }
}

/// The last day of a habit, or none.
struct EndDay {
  var day: Day?

  init(_ text: String) throws { day = text.isEmpty ? nil : try Day(text) }
}

extension Habit {
  /// Whether this version changes when the habit was due before today.
  fileprivate func rewritesPast(of before: Habit) -> Bool {
    let today = Day()
    func past(_ habit: Habit) -> Day? { habit.endDay.flatMap { $0 < today ? $0 : nil } }
    return min(startDay, before.startDay) < today
      && (schedule != before.schedule || startDay != before.startDay
        || habitType != before.habitType || past(self) != past(before))
  }
}

struct HabitEndCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End a habit; its days are kept.",
    discussion: "Today is its last day unless you give another one.")

  @OptionGroup var name: RecordArgument<Habit>
  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, Habit.self)
    let clock = HabitClock()
    let outcome = try library.habits.edit(name.record(in: library).id, clock: clock) {
      $0.endDay = day.day ?? clock.today
    }
    let end = outcome.habit.endDay.map { ", last day \($0)" } ?? ""
    try common.console.show(outcome, changing: "ended", adding: end)
  }
}
