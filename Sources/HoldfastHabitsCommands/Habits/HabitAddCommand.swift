import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a habit.",
    discussion: """
      Without options it is done once a day, from today, or from tomorrow if today is complete \
      already. A day is complete when every habit that is required on it is complete.
      """)

  @Argument(help: "Its name.")
  var name: String

  @OptionGroup var options: HabitOptions

  @Option(day: "The last day, such as 2025-12-31 (default: none).")
  var end: Day?

  @Option(
    help: ArgumentHelp(
      "The recording in which you say why: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var recording: String?

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try habit(now: Date()).validate() } }

  func run() throws {
    let clock = HabitClock()
    var habit = try habit(now: clock.now)
    let library = try common.openLibrary(for: .writing, Habit.self)
    habit.recordingID = try library.recordingID(recording)
    let outcome = try library.habits.add(
      habit, isStartChosen: options.start != nil, clock: clock)
    try common.console.show(outcome, changing: "added")
    if options.start == nil, outcome.habit.startDay > clock.today {
      let start = outcome.habit.startDay.name(on: clock.today)
      common.console.note("note: today is complete already, so it starts \(start)")
    }
  }

  private func habit(now: Date) throws -> Habit {
    var habit = Habit(
      userID: user.user, name: name, startDay: options.start ?? Day(now: now), createdAt: now)
    try options.changes.apply(to: &habit)
    habit.endDay = end
    return habit
  }
}
