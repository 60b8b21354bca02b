internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastHabits
internal import HoldfastModel

/// `holdfast habit show`
struct HabitShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about a habit.")

  @OptionGroup var name: HabitArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let habit = try habits.habit(name.habit)
    let rate = try habits.rates(of: habit.userID).first { $0.habit == habit.id }
    let reminders = try habits.reminders(of: habit.id)
    if console.isJSON {
      return try console.json(ShownHabit(habit: habit, rate: rate, reminders: reminders))
    }
    console.details(
      habit.details + (rate.map { [("done", $0.text)] } ?? [])
        + reminders.map { ("reminder", $0.text) })
  }
}

/// A habit with its rate and its reminders, as JSON.
private struct ShownHabit: Encodable {
  var habit: Habit
  var rate: HabitRate?
  var reminders: [HabitReminder]

  private enum CodingKeys: String, CodingKey { case rate, reminders }

  func encode(to encoder: any Encoder) throws {
    try habit.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(rate, forKey: .rate)
    try container.encode(reminders, forKey: .reminders)
  }
}
