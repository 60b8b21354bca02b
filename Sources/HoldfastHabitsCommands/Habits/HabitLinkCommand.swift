internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastHabits
internal import HoldfastModel

/// `holdfast habit link`
struct HabitLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a habit, or one of its days, to a recording.")

  @OptionGroup var name: HabitArgument

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @Option(
    help: ArgumentHelp("Link what was logged on this day instead.", valueName: "date"),
    transform: { try Day($0) })
  var day: Day?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .habits)
    let recording = try library.recording(idPrefix: recording).id
    try library.habits.link(library.habits.habit(name.habit), to: recording, on: day, common)
  }
}

/// `holdfast habit unlink`
struct HabitUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove the link of a habit, or of one of its days.")

  @OptionGroup var name: HabitArgument

  @Option(
    help: ArgumentHelp("Remove the link of this day instead.", valueName: "date"),
    transform: { try Day($0) })
  var day: Day?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .habits)
    try library.habits.link(library.habits.habit(name.habit), to: nil, on: day, common)
  }
}

extension HabitTracker {
  /// Links a habit or a day, or removes the link, and prints it.
  fileprivate func link(
    _ habit: Habit, to recording: RecordingID?, on day: Day?, _ common: CommonOptions
  ) throws {
    let done = recording == nil ? "unlinked" : "linked"
    if let day {
      try common.console.show(link(habit.id, to: recording, on: day), done)
    } else {
      try common.console.show(edit(habit.id) { $0.recordingID = recording }, changing: done)
    }
  }
}
