internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

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

  package static var columns: [TextTable.Column] {
    [.init(heading: "WHEN"), .init(heading: "MOOD")]
  }

  package func cells(in library: Library) -> [String] {
    [date.localText(offset: dateOffset), line]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", date.localText(offset: dateOffset)), ("mood", mood), ("notes", notes),
      ("recording", recordingID?.uuidString),
    ]
  }
}
