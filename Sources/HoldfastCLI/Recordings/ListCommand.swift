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
      """
      Only recordings whose title, notes or original file name contain this, or in which its words \
      were said.
      """, valueName: "text"))
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
    var hits: [RecordingID: [SpokenHit]] = [:]
    var hasFound = false
    try console.page(page, noun: { $0.noun("recording") }) { limit in
      query.limit = limit
      let recordings = try library.recordings(matching: query)
      hasFound = !recordings.isEmpty
      if let search {
        hits = try library.spokenHits(of: search, in: recordings.prefix(page.limit).map(\.id))
      }
      return recordings
    } json: { recording in
      FoundRecording(
        recording: RecordingOutput(recording), hits: search.map { _ in hits[recording.id] ?? [] })
    } table: {
      RecordingTable.make(of: $0, firstWords: try library.shownFirstWords(of: $0), hits: hits)
    }
    if !console.isJSON, hits.values.joined().contains(where: \.isByComputer) {
      console.note(SpokenHit.warning)
    }
    if search != nil, !hasFound, !console.isJSON, let hint = try library.untranscribed() {
      console.note("\(hint).")
    }
    if search != nil, try library.isWordIndexDue() {
      console.note(
        "note: every transcript was read, because the search index must be made again; "
          + "holdfast doctor --reindex does that.")
    }
  }
}

extension Library {
  /// Says how many recordings have no transcript, and so were not searched for words; `nil` for
  /// none.
  func untranscribed() throws -> String? {
    let count = try countToTranscribe()
    guard count > 0 else { return nil }
    return "\(count) \(count.noun("recording has", "recordings have")) no transcript: "
      + "holdfast transcribe writes down what is said"
  }
}

/// A recording as JSON, with the lines in which the words of a search were said.
private struct FoundRecording: Encodable {
  var recording: RecordingOutput
  var hits: [SpokenHit]?

  private enum CodingKeys: String, CodingKey { case hits }

  func encode(to encoder: any Encoder) throws {
    try recording.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(hits, forKey: .hits)
  }
}

extension SpokenHit {
  static let warning = "A computer wrote the words that were said; they may be wrong."

  /// The hit as a line below its recording.
  fileprivate var below: [TextTable.Piece] {
    let time = "          \((Double(startTime) / 1000).clockTime)  "
    let room = Console.resultWidth.map { max($0 - time.count, 20) } ?? Self.longestText
    return [(time, false)] + cut(to: room).pieces.map { ($0.text, $0.isFound) }
  }
}

enum RecordingTable {
  /// - Parameters:
  ///   - firstWords: What is shown in place of a title.
  ///   - hits: Where the words of a search were said. The first line of each is shown.
  static func make(
    of recordings: ArraySlice<Recording>, firstWords: [RecordingID: FirstWords],
    hits: [RecordingID: [SpokenHit]] = [:]
  ) -> TextTable {
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "RECORDED"), .init(heading: "TYPE"),
      .init(heading: "LENGTH", alignment: .right), .init(heading: "PLAYS", alignment: .right),
      .init(heading: "PURPOSE", givesWay: true), .init(heading: "TITLE"),
    ])
    for recording in recordings {
      table.add(
        [
          recording.id.short, recording.recorded.displayDate, recording.type.rawValue,
          recording.duration.clockDuration, "\(recording.playCount)", recording.purpose.rawValue,
          firstWords[recording.id]?.title ?? recording.displayTitle,
        ], below: hits[recording.id]?.first?.below ?? [])
    }
    return table
  }
}
