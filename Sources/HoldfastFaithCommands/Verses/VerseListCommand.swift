internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The verse of a day as the commands print it.
struct MarkedVerse: Encodable {
  var verse: BibleVerseOfTheDay
  var isBookmarked: Bool

  private enum CodingKeys: String, CodingKey { case isBookmarked }

  func encode(to encoder: any Encoder) throws {
    try verse.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isBookmarked, forKey: .isBookmarked)
  }
}

extension FaithJournal {
  /// Returns the verse with whether it is bookmarked.
  func marked(_ verse: BibleVerseOfTheDay) throws -> MarkedVerse {
    MarkedVerse(verse: verse, isBookmarked: try isBookmarked(verse))
  }
}

/// `holdfast faith verse today`
struct VerseTodayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show the verse of today, if there is one.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .reading, .faith).faith
    guard let verse = try faith.verse(of: Day()) else {
      return console.note("Today has no verse.")
    }
    if console.isJSON { return try console.json(faith.marked(verse)) }
    console.result(verse.text.escapedForDisplay)
    console.result(verse.place.escapedForDisplay)
  }
}

/// `holdfast faith verse show`
struct VerseShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about the verse of a day.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .reading, .faith).faith
    let verse = try faith.record(BibleVerseOfTheDay.self, idPrefix: record.id)
    let marked = try faith.marked(verse)
    if console.isJSON { return try console.json(marked) }
    console.details(verse.allDetails + [("bookmarked", marked.isBookmarked ? "yes" : "no")])
  }
}

/// `holdfast faith verse list`
struct VerseListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the verses of days, newest first.")

  @OptionGroup var days: DayOptions
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    let range = days.range
    try common.console.page(page, noun: { $0.noun("verse") }) { limit in
      try faith.verses(from: range.first, through: range.last, limit: limit, offset: page.offset)
        .map { try faith.marked($0) }
    } json: {
      $0
    } table: { verses in
      var table = TextTable([
        .init(heading: "ID"), .init(heading: "DAY"), .init(heading: "MARKED", givesWay: true),
        .init(heading: "VERSE"),
      ])
      for marked in verses {
        let verse = marked.verse
        table.add([
          verse.id.short, verse.date.description, marked.isBookmarked ? "yes" : "", verse.line,
        ])
      }
      return table
    }
  }
}

extension BibleVerseOfTheDay: ShownRecord {
  /// The reference with the translation.
  var place: String {
    [reference, translation.nonBlank.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
  }

  var line: String { "\(place): \(text)" }

  static let heading = "VERSE"
  static let columns: [TextTable.Column] = [.init(heading: "DAY")]
  var cells: [String] { [date.description] }

  var facts: [(name: String, value: String?)] {
    [
      ("day", date.description), ("reference", reference), ("text", text),
      ("translation", translation.nonBlank),
    ]
  }
}
