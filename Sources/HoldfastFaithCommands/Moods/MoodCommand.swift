internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
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

  @OptionGroup var notes: NotesOption
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
      mood: mood, date: time.at?.moment ?? now, dateOffset: time.at?.offset, notes: notes.notes,
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

  private var changes: [Change<MoodEntry>?] {
    [
      .set(\.mood, mood?.trimmingCharacters(in: .whitespacesAndNewlines)), .text(\.notes, notes),
      .set(\.date, time.at?.moment.roundedToMillisecond), .set(\.dateOffset, time.at?.offset),
    ]
  }

  func validate() throws { try requireChange(changes, "--mood, --notes or --at") }

  func run() throws {
    try common.edit(record, time: time, of: \.date) { changes.apply(to: &$0) }
  }
}

/// `holdfast faith mood list`
struct MoodListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List logged moods, newest first.")

  @OptionGroup var days: DayOptions

  @Option(
    parsing: .unconditional, help: "Only this mood, in any case.",
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(help: ArgumentHelp("Only moods in this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let range = days.range
    try common.list(page) { library, limit in
      try library.faith.moods(
        matching: MoodQuery(
          from: range.first, through: range.last, mood: mood,
          recording: library.recordingID(recording), limit: limit, offset: page.offset))
    }
  }
}

/// `holdfast faith mood count`
struct MoodCountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count each mood in the last 7, 30 and 90 days, also those of entries.")

  @OptionGroup var privacy: PrivateOption
  @OptionGroup var common: CommonOptions

  /// The periods, in days.
  private static let periods = [7, 30, 90]

  func run() throws {
    let faith = try common.openLibrary(for: .reading, MoodEntry.self).faith
    let today = Day()
    let counts = try Self.periods.map { days in
      MoodPeriod(
        days: days,
        moods: try faith.moodCounts(
          from: today.adding(days: 1 - days), through: today,
          includingPrivate: privacy.includesPrivate))
    }
    let console = common.console
    if console.isJSON { return try console.json(counts) }
    guard let all = counts.last?.moods, !all.isEmpty else {
      return console.note("No mood was logged in the last 90 days.")
    }
    var table = TextTable(
      Self.periods.map { .init(heading: "\($0) DAYS", alignment: .right) }
        + [.init(heading: "MOOD")])
    for mood in all {
      let cells = counts.map { period in
        let count = period.moods.first { $0.mood.foldedCase == mood.mood.foldedCase }?.count ?? 0
        return "\(count)"
      }
      table.add(cells + [mood.mood])
    }
    console.result(table)
  }
}

/// The moods of a period, as JSON.
private struct MoodPeriod: Encodable {
  var days: Int
  var moods: [MoodCount]
}

extension MoodEntry: FaithRecord {
  package var line: String { [mood, notes].compactMap(\.self).joined(separator: ": ") }

  /// When it was, on the clock of its zone.
  private var when: String { date.localText(offset: dateOffset) }

  package static var columns: [RecordColumn<Self>] {
    [.init("WHEN", \.when), .init("MOOD", \.line)]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", when), ("mood", mood), ("notes", notes),
      ("recording", recordingID?.uuidString),
    ]
  }
}
