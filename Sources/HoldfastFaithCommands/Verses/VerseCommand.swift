import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct VerseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verse", abstract: "Keep a verse for each day, and bookmark verses.",
    subcommands: [
      RecordAddCommand<NewVerse>.self, VerseImportCommand.self, VerseTodayCommand.self,
      RecordListCommand<VerseList>.self, RecordShowCommand<BibleVerseOfTheDay>.self,
      RecordEditCommand<VerseEdit>.self, RecordActionCommand<BookmarkVerse>.self,
      VerseUnbookmarkCommand.self,
      RecordDeleteCommand<BibleVerseOfTheDay>.self,
    ])
}

struct VerseOptions: ParsableArguments {
  @Option(unconditional: "Where it stands, such as \"Psalm 23:1\".", valueName: "reference")
  var reference: String?

  @Option(unconditional: "Its words, at most 5000 characters.", valueName: "text")
  var text: String?

  @Option(unconditional: "The translation, such as KJV.", valueName: "name")
  var translation: String?

  /// The changes of a verse, whose parts these key paths name.
  func changes<Verse>(
    _ reference: WritableKeyPath<Verse, String>, text: WritableKeyPath<Verse, String>,
    translation: WritableKeyPath<Verse, String>
  ) -> [Change<Verse>?] {
    [.set(reference, self.reference), .set(text, self.text), .set(translation, self.translation)]
  }

  /// The reference and the text. A new verse needs both.
  func whole() throws -> (reference: String, text: String) {
    guard let reference, let text else { throw ValidationError("Give --reference and --text.") }
    return (reference, text)
  }
}

struct NewVerse: NewRecord {
  static let verb = RecordVerb.add("Add the verse of a day.")

  @OptionGroup var options: VerseOptions

  @Option(day: "The day, such as 2025-10-25 (default: today).")
  var day: Day?

  func record(now: Date) throws -> BibleVerseOfTheDay {
    let (reference, text) = try options.whole()
    return BibleVerseOfTheDay(
      reference: reference, text: text, translation: options.translation ?? "",
      date: day ?? Day(now: now), createdAt: now)
  }
}

struct VerseEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change the verse of a day; only what you name changes.")
  static let options = "--reference, --text or --translation"

  @OptionGroup var options: VerseOptions

  var changes: [Change<BibleVerseOfTheDay>?] {
    options.changes(\.reference, text: \.text, translation: \.translation)
  }
}

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

struct VerseList: RecordFilter {
  static let verb = RecordVerb.list("List the verses of days, newest first.")

  @OptionGroup var days: DayOptions

  func records(in library: Library, limit: Int, offset: Int) throws -> [BibleVerseOfTheDay] {
    let (first, last) = days.range
    return try library.faith.verses(from: first, through: last, limit: limit, offset: offset)
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

  package static var columns: [RecordColumn<Self>] {
    [
      .init("DAY", \.date.description),
      .init(.init(heading: "MARKED", givesWay: true)) {
        try $1.faith.isBookmarked($0).yes ?? ""
      },
      .init("VERSE", \.line),
    ]
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

struct VerseImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add verses of days from a file.",
    discussion: """
      The file is JSON: a list of objects with the texts date, reference and text, and translation \
      if you like. A day that has a verse keeps it. One refusal does not stop the others.
      """)

  @Argument(help: "The file, at most 64 MiB.", completion: .file())
  var file: String

  @OptionGroup var common: CommonOptions

  private struct Item: Decodable {
    var date: Day
    var reference: String
    var text: String
    var translation: String?
  }

  /// A verse of the file, or why it cannot be read.
  private struct Element: Decodable {
    var item: Result<Item, any Error>

    init(from decoder: any Decoder) throws { item = Result { try Item(from: decoder) } }
  }

  /// The most bytes of the file.
  private static let largest = 64 << 20

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing, BibleVerseOfTheDay.self)
    let data = try TextInput.bytes(ofFile: file, atMost: Self.largest)
    guard data.count <= Self.largest else {
      throw RuleError("\(file.escapedForDisplay) has more than \(Self.largest) bytes; split it")
    }
    guard let elements = try? JSONFormat.decoder.decode([Element].self, from: data) else {
      throw RuleError("\(file.escapedForDisplay) is not a JSON list of verses; see --help")
    }
    var (added, hasRefused) = (0, false)
    for (index, element) in elements.enumerated() {
      do {
        let item = try element.item.get()
        let verse = BibleVerseOfTheDay(
          reference: item.reference, text: item.text, translation: item.translation ?? "",
          date: item.date, createdAt: Date())
        try library.add(verse)
        if console.isJSON { try console.json(verse) }
        added += 1
      } catch {
        hasRefused = true
        let reason =
          error is DecodingError
          ? "it lacks the text date, reference or text" : "\(HoldfastError.explained(error))"
        console.error("\(console.colored("refused", .red))  verse \(index + 1): \(reason)")
      }
    }
    if !console.isJSON { console.result("\(added.counted("verse")) added") }
    if hasRefused { throw ExitCode.someFailed }
  }
}
