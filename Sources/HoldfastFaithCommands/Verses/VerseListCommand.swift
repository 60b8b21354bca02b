internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith verse today`
struct VerseTodayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show the verse of today, if there is one.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading, BibleVerseOfTheDay.self)
    guard let verse = try library.faith.verse(of: Day()) else {
      return console.note("Today has no verse.")
    }
    if console.isJSON { return try console.showAll(verse, in: library) }
    console.result(verse.text.escapedForDisplay)
    console.result(verse.place.escapedForDisplay)
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
    let (first, last) = days.range
    try common.list(page) {
      try $0.faith.verses(from: first, through: last, limit: $1, offset: page.offset)
    }
  }
}

extension BibleVerseOfTheDay: FaithRecord {
  package static var singular: String { "verse" }
  package static var plural: String { "verses" }
  package static var showAbstract: String { "Show everything about the verse of a day." }
  package static var deleteAbstract: String { "Delete verses of the day." }

  /// The reference with the translation.
  var place: String {
    [reference, translation.nonBlank.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
  }

  package var line: String { "\(place): \(text)" }

  package static var columns: [TextTable.Column] {
    [.init(heading: "DAY"), .init(heading: "MARKED", givesWay: true), .init(heading: "VERSE")]
  }

  package func cells(in library: Library) throws -> [String] {
    [date.description, try library.faith.isBookmarked(self).yes ?? "", line]
  }

  package func listOutput(in library: Library) throws -> any Encodable {
    ExtendedOutput(self, ["isBookmarked": try library.faith.isBookmarked(self)])
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("day", date.description), ("reference", reference), ("text", text),
      ("translation", translation.nonBlank),
    ]
  }

  package func details(in library: Library) throws -> [Detail] {
    standardDetails + [("bookmarked", try library.faith.isBookmarked(self).yes ?? "no")]
  }
}
