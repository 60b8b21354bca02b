internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith mood`
struct MoodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mood", abstract: "Log your mood, in your own words.",
    subcommands: [
      MoodLogCommand.self, MoodListCommand.self, MoodCountCommand.self,
      RecordShowCommand<MoodEntry>.self, MoodEditCommand.self,
      RecordLinkCommand<MoodEntry>.self, RecordUnlinkCommand<MoodEntry>.self,
      RecordDeleteCommand<MoodEntry>.self,
    ])
}

/// `holdfast faith mood log`
struct MoodLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Log your mood.",
    discussion: "For example \(MoodSuggestions.words.joined(separator: ", ")), or any other word.")

  @Argument(
    help: "The mood; at most 40 characters.", completion: .list(MoodSuggestions.words))
  var mood: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  @OptionGroup var time: TimeOption
  @OptionGroup var voice: VoiceOptions<MoodEntry>
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try entry(now: time.now).validate() } }

  func run() async throws {
    let now = time.now
    try await voice.add(common, "logged", now: now, at: \.date) { _ in entry(now: now) }
  }

  private func entry(now: Date) -> MoodEntry {
    MoodEntry(
      mood: mood, date: time.at?.moment ?? now, dateOffset: time.at?.offset, notes: notes,
      createdAt: now)
  }
}

/// `holdfast faith mood edit`
struct MoodEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a logged mood; only what you name changes.")

  @OptionGroup var record: RecordArgument<MoodEntry>

  @Option(
    parsing: .unconditional, help: "The mood.", completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it; an empty text removes it.", valueName: "text"))
  var notes: String?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(mood != nil || notes != nil || time.at != nil, "--mood, --notes or --at")
  }

  func run() throws {
    try common.edit(record, time: time, of: \.date) { entry in
      if let mood { entry.mood = mood.trimmingCharacters(in: .whitespacesAndNewlines) }
      if let notes { entry.notes = notes.nonBlank }
      if let at = time.at {
        entry.date = at.moment.roundedToMillisecond
        entry.dateOffset = at.offset
      }
    }
  }
}
