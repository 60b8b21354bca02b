internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast list`
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the recordings in the library.")

  @Option(help: "Only recordings of this type.")
  var type: RecordingType?

  @Option(help: "Only recordings kept for this purpose.")
  var purpose: RecordingPurpose?

  @Option(
    help: ArgumentHelp(
      "Only those whose title, notes or original file name contain this.", valueName: "text"))
  var search: String?

  @Option(help: "The order.")
  var sort: RecordingQuery.Sort = .recent

  @Option(help: "How many at most.")
  var limit = 20

  @Option(help: "How many to pass over first.")
  var offset = 0

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if limit < 0 || offset < 0 {
      throw ValidationError("--limit and --offset must not be negative.")
    }
  }

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let query = RecordingQuery(
      type: type, purpose: purpose, search: search, sort: sort, limit: limit, offset: offset)
    let recordings = try library.recordings(matching: query)
    if console.isJSON { return try console.json(recordings.map(RecordingOutput.init)) }
    if !recordings.isEmpty { console.result(RecordingTable.format(recordings)) }
    let count = try library.count(matching: query)
    let noun = count == 1 ? "recording" : "recordings"
    console.note(
      recordings.count == count
        ? "\(count) \(noun)." : "\(recordings.count) of \(count) \(noun).")
  }
}

/// Recordings as a table.
enum RecordingTable {
  private static let headings = ["ID", "RECORDED", "TYPE", "LENGTH", "PLAYS", "PURPOSE", "TITLE"]

  static func format(_ recordings: [Recording]) -> String {
    let rows =
      [headings]
      + recordings.map { recording in
        [
          recording.shortID, recording.recorded.displayDate, recording.type.rawValue,
          recording.duration.clockDuration, "\(recording.playCount)", recording.purpose.rawValue,
          recording.displayTitle.escapedForDisplay,
        ]
      }
    let widths = headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        if column == row.count - 1 { return text }
        return (3...4).contains(column) ? padding + text : text + padding
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
