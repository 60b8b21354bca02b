import ArgumentParser
package import Holdfast
package import HoldfastConsole
package import HoldfastHabits

struct HabitAchievementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "achievements", abstract: "Show what you achieved.",
    subcommands: [
      AchievementListCommand.self, RecordLinkCommand<Achievement>.self,
      RecordUnlinkCommand<Achievement>.self,
    ], defaultSubcommand: AchievementListCommand.self)
}

struct AchievementListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what you achieved, newest first.")

  @Option(
    help: ArgumentHelp("Only achievements with this recording, of any user.", valueName: "id"))
  var recording: String?

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading, .habits)
    let recording = try recording.map { try library.recording(idPrefix: $0).id }
    let achievements = try library.habits.achievements(
      of: recording == nil ? user.user : nil, recording: recording)
    if console.isJSON { return try console.json(achievements) }
    guard !achievements.isEmpty else { return console.note("Nothing is here yet.") }
    console.result(try Achievement.table(of: achievements[...], in: library))
  }
}

extension Achievement: ShownRecord {
  package static var journal: Journal? { .habits }
  package static var linkAbstract: String { "Link an achievement to a recording of it." }
  package var line: String { title }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.unlockedAt.localText),
      .init("XP", alignment: .right, \.xpAwarded.description),
      .init("ACHIEVEMENT") { "\($0.title): \($0.text)" },
    ]
  }
}
