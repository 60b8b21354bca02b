internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastHabits
internal import HoldfastModel

/// `holdfast habit delete`
struct HabitDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete habits with their days and reminders; recordings and XP are kept.",
    discussion: """
      Days that gave their XP stay complete. To keep what was logged, end the habit with holdfast \
      habit end.
      """)

  @Argument(
    help: ArgumentHelp(
      "The habits: their names, or at least four characters of the id of each.",
      valueName: "habit"))
  var habits: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading, .habits)
    let habits = try habits.map { try known.habits.habit($0) }
    if !yes { try console.confirmDeleting(habits, name: \.line) }
    let library = try common.openLibrary(for: .writing, .habits)
    try console.deleting(habits, from: library, name: \.line) {
      try library.habits.delete($0.id)
      return []
    }
  }
}
