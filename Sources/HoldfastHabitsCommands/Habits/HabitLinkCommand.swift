import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a habit, or one of its days, to a recording.")

  @OptionGroup var name: RecordArgument<Habit>

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @Option(day: "Link what was logged on this day instead.")
  var day: Day?

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.link(name, to: recording, on: day, "linked")
  }
}

struct HabitUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove the link of a habit, or of one of its days.")

  @OptionGroup var name: RecordArgument<Habit>

  @Option(day: "Remove the link of this day instead.")
  var day: Day?

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.link(name, to: nil, on: day, "unlinked")
  }
}

extension CommonOptions {
  fileprivate func link(
    _ name: RecordArgument<Habit>, to recording: String?, on day: Day?, _ done: String
  ) throws {
    let library = try openLibrary(for: .writing, Habit.self)
    let recording = try library.recordingID(recording)
    let habit = try name.record(in: library).id
    if let day {
      try console.show(library.habits.link(habit, to: recording, on: day), done)
    } else {
      let outcome = try library.habits.edit(habit) { $0.recordingID = recording }
      try console.show(outcome, changing: done)
    }
  }
}
