import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitList: RecordFilter {
  static let verb = RecordVerb.list("List habits, the oldest first.")

  @Option(day: "Only habits that appear on this day, such as 2025-10-25.")
  var day: Day?

  @Option(help: ArgumentHelp("Only habits with this recording, of any user.", valueName: "id"))
  var recording: String?

  @OptionGroup var user: UserOption

  func records(in library: Library, limit: Int, offset: Int) throws -> [Habit] {
    try library.habits.habits(
      of: recording == nil ? user.user : nil, on: day,
      recording: library.recordingID(recording), limit: limit, offset: offset)
  }
}
