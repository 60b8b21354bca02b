internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastHabits
internal import HoldfastModel

/// `holdfast habit achievements`
struct HabitAchievementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "achievements", abstract: "Show what you achieved.",
    subcommands: [
      AchievementListCommand.self, AchievementLinkCommand.self, AchievementUnlinkCommand.self,
    ], defaultSubcommand: AchievementListCommand.self)
}

/// `holdfast habit achievements list`
struct AchievementListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what you achieved, newest first.")

  @Option(help: ArgumentHelp("Only achievements with this recording, of anybody.", valueName: "id"))
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
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "WHEN"), .init(heading: "XP", alignment: .right),
      .init(heading: "ACHIEVEMENT"),
    ])
    for achievement in achievements {
      table.add([
        achievement.id.short, achievement.unlockedAt.localText, "\(achievement.xpAwarded)",
        "\(achievement.title): \(achievement.text)",
      ])
    }
    console.result(table)
  }
}

/// `holdfast habit achievements link`
struct AchievementLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link an achievement to a recording of it.")

  @Argument(help: "The achievement's id, or at least four characters of its beginning.")
  var id: String

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .habits)
    let recording = try library.recording(idPrefix: recording).id
    try common.link(id, to: recording, in: library)
  }
}

/// `holdfast habit achievements unlink`
struct AchievementUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove an achievement's link to a recording.")

  @Argument(help: "The achievement's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws { try common.link(id, to: nil, in: openLibrary()) }

  private func openLibrary() throws -> Library {
    try common.openLibrary(for: .writing, .habits)
  }
}

extension CommonOptions {
  /// Links an achievement, or removes its link, and prints it.
  fileprivate func link(_ id: String, to recording: RecordingID?, in library: Library) throws {
    let known = try library.record(Achievement.self, idPrefix: id)
    let achievement = try library.edit(Achievement.self, id: known.id) {
      $0.recordingID = recording
    }
    if console.isJSON { return try console.json(achievement) }
    let done = console.colored(recording == nil ? "unlinked" : "linked", .green)
    console.result("\(done)  \(achievement.id.short)  \(achievement.title.escapedForDisplay)")
  }
}
