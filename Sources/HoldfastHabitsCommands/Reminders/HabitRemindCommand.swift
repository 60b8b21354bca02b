import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitRemindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind", abstract: "Keep the times at which you want to be reminded.",
    discussion: "Holdfast keeps them for another program, and sends no reminders itself.",
    subcommands: [
      RecordActionCommand<AddReminder>.self, ReminderListCommand.self,
      RecordEditCommand<ReminderEdit>.self,
      RecordDeleteCommand<HabitReminder>.self,
    ])
}

struct AddReminder: RecordAction {
  static let verb = RecordVerb.add("Add a reminder to a habit.")

  @Argument(help: "The time of day, such as 19:30.", transform: { try TimeOfDay($0) })
  var time: TimeOfDay

  @Option(parsing: .unconditional, help: "The notifying program's name for it.")
  var identifier: String?

  func apply(to habit: Habit, in library: Library) throws -> HabitReminder {
    let reminder = HabitReminder(
      habitID: habit.id, time: time, notificationIdentifier: identifier, createdAt: Date())
    try library.habits.add(reminder)
    return reminder
  }
}

struct ReminderListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List reminders by their time.")

  @Argument(
    help: ArgumentHelp(
      "Only reminders of this habit: its name, or at least four characters of its id.",
      valueName: "habit"))
  var habit: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let names = Dictionary(
      try habits.habits(of: nil).map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let reminders = try habits.reminders(of: habit.map { try habits.habit($0).id })
    if console.isJSON { return try console.json(reminders) }
    guard !reminders.isEmpty else { return console.note("No reminders.") }
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "TIME"), .init(heading: "STATE"),
      .init(heading: "HABIT"),
    ])
    for reminder in reminders {
      table.add([
        reminder.id.short, reminder.time.description, reminder.isActive ? "on" : "off",
        names[reminder.habitID] ?? "",
      ])
    }
    console.result(table)
  }
}

struct ReminderEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a reminder; only what you name changes.")
  static let options = "--time, --on, --off or --identifier"

  @Option(
    help: ArgumentHelp("The time of day, such as 19:30.", valueName: "time"),
    transform: { try TimeOfDay($0) })
  var time: TimeOfDay?

  @Flag(help: "Switch it on.")
  var on = false

  @Flag(help: "Switch it off.")
  var off = false

  @Option(
    parsing: .unconditional,
    help: "The notifying program's name for it; an empty text removes it.")
  var identifier: String?

  var changes: [Change<HabitReminder>?] {
    [
      .set(\.time, time), .set(\.isActive, on || off ? on : nil),
      .text(\.notificationIdentifier, identifier),
    ]
  }

  func validate() throws {
    if on, off { throw ValidationError("Give only one of --on and --off.") }
    try requireChange(changes, Self.options)
  }
}
