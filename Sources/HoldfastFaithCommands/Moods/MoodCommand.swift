import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct MoodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mood", abstract: "Log your mood, in your own words.",
    subcommands: [
      RecordLogCommand<NewMood>.self, RecordListCommand<MoodList>.self, MoodCountCommand.self,
      RecordShowCommand<MoodEntry>.self, RecordEditCommand<MoodEdit>.self,
      RecordLinkCommand<MoodEntry>.self, RecordUnlinkCommand<MoodEntry>.self,
      RecordDeleteCommand<MoodEntry>.self,
    ])
}

struct NewMood: NewRecord {
  static let verb = RecordVerb(
    "log", done: "logged", abstract: "Log your mood.",
    discussion: "For example \(MoodSuggestions.words.joined(separator: ", ")), or any other word.")

  @Argument(
    help: "The mood; at most 40 characters.", completion: .list(MoodSuggestions.words))
  var mood: String

  @OptionGroup var notes: NotesOption
  @OptionGroup var time: TimeOption

  var changes: [Change<MoodEntry>?] { [.moment(time)] }

  func record(now: Date) -> MoodEntry {
    MoodEntry(mood: mood, date: now, notes: notes.notes, createdAt: now)
  }
}

struct MoodEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a logged mood; only what you name changes.")
  static let options = "--mood, --notes or --at"

  @Option(
    parsing: .unconditional, help: "The mood.", completion: .list(MoodSuggestions.words))
  var mood: String?

  @OptionGroup var notes: OtherNotesOption
  @OptionGroup var time: TimeOption

  var changes: [Change<MoodEntry>?] {
    [
      .set(\.mood, mood?.trimmingCharacters(in: .whitespacesAndNewlines)),
      .text(\.notes, notes.notes), .moment(time),
    ]
  }
}

struct MoodList: RecordFilter {
  static let verb = RecordVerb.list("List logged moods, newest first.")

  @OptionGroup var days: DayOptions

  @Option(
    parsing: .unconditional, help: "Only this mood, in any case.",
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(help: ArgumentHelp("Only moods in this recording.", valueName: "id"))
  var recording: String?

  func records(in library: Library, limit: Int, offset: Int) throws -> [MoodEntry] {
    let (first, last) = days.range
    return try library.faith.moods(
      matching: FaithQuery(
        from: first, through: last, mood: mood, recording: library.recordingID(recording),
        limit: limit, offset: offset))
  }
}

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

private struct MoodPeriod: Encodable {
  var days: Int
  var moods: [MoodCount]
}

extension MoodEntry: FaithRecord {
  package var line: String { [mood, notes].compactMap(\.self).joined(separator: ": ") }

  package static var columns: [RecordColumn<Self>] {
    [.init("WHEN", \.localText), .init("MOOD", \.line)]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", localText), ("mood", mood), ("notes", notes),
      ("recording", recordingID?.uuidString),
    ]
  }
}
