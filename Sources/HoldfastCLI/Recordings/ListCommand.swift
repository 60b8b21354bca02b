import ArgumentParser
import Holdfast
import HoldfastConsole

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the recordings in the library.")

  @Option(
    unconditional: "Only recordings made in the last so many days (default: all).",
    valueName: "days")
  var days: Int?

  @Option(help: "Only recordings of this type.")
  var type: RecordingType?

  @Option(help: "Only recordings kept for this purpose.")
  var purpose: RecordingPurpose?

  @Option(
    help: ArgumentHelp(
      "Only recordings whose title, notes or original file name contain this.", valueName: "text"))
  var search: String?

  @Option(help: "The order.")
  var sort: RecordingQuery.Sort = .recent

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try DayCount.validate(days) }

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    var query = RecordingQuery(
      since: DayCount.since(days), type: type, purpose: purpose, search: search,
      sort: sort, offset: page.offset)
    try console.page(page, noun: { $0.noun("recording") }) { limit in
      query.limit = limit
      return try library.recordings(matching: query)
    } json: {
      RecordingOutput($0)
    } table: {
      RecordingTable.make(of: $0)
    }
  }
}

enum RecordingTable {
  static func make(of recordings: ArraySlice<Recording>) -> TextTable {
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "RECORDED"), .init(heading: "TYPE"),
      .init(heading: "LENGTH", alignment: .right), .init(heading: "PLAYS", alignment: .right),
      .init(heading: "PURPOSE", givesWay: true), .init(heading: "TITLE"),
    ])
    for recording in recordings {
      table.add([
        recording.id.short, recording.recorded.displayDate, recording.type.rawValue,
        recording.duration.clockDuration, "\(recording.playCount)", recording.purpose.rawValue,
        recording.displayTitle,
      ])
    }
    return table
  }
}
