internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastHabits
internal import HoldfastModel

/// `holdfast habit list`
struct HabitListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List habits, the oldest first.")

  @Option(
    help: ArgumentHelp(
      "Only habits that appear on this day, such as 2025-10-25.", valueName: "date"),
    transform: { try Day($0) })
  var day: Day?

  @Option(help: ArgumentHelp("Only habits with this recording, of anybody.", valueName: "id"))
  var recording: String?

  @OptionGroup var user: UserOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) { library, limit in
      try library.habits.habits(
        of: recording == nil ? user.user : nil, on: day,
        recording: library.recordingID(recording), limit: limit, offset: page.offset)
    }
  }
}
