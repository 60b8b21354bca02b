internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith verse`
struct VerseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verse", abstract: "Keep a verse for each day, and bookmark verses.",
    subcommands: [
      VerseAddCommand.self, VerseImportCommand.self, VerseTodayCommand.self,
      VerseListCommand.self, RecordShowCommand<BibleVerseOfTheDay>.self, VerseEditCommand.self,
      VerseBookmarkCommand.self, VerseUnbookmarkCommand.self,
      RecordDeleteCommand<BibleVerseOfTheDay>.self,
    ])
}

/// The options that describe a verse.
struct VerseOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it stands, such as \"Psalm 23:1\".", valueName: "reference"))
  var reference: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Its words, at most 5000 characters.", valueName: "text"))
  var text: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The translation, such as KJV.", valueName: "name"))
  var translation: String?

  /// Whether any of them was given.
  var isGiven: Bool { reference != nil || text != nil || translation != nil }

  /// The reference and the text, both of which a new verse needs.
  func whole() throws -> (reference: String, text: String) {
    guard let reference, let text else { throw ValidationError("Give --reference and --text.") }
    return (reference, text)
  }
}

/// `holdfast faith verse add`
struct VerseAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add the verse of a day.")

  @OptionGroup var options: VerseOptions

  @Option(
    help: ArgumentHelp("The day, such as 2025-10-25 (default: today).", valueName: "date"),
    transform: { try Day($0) })
  var day: Day?

  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try verse(now: Date()).validate() } }

  func run() throws {
    try common.add(verse(now: Date())) { try $0.add($1) }
  }

  private func verse(now: Date) throws -> BibleVerseOfTheDay {
    let (reference, text) = try options.whole()
    return BibleVerseOfTheDay(
      reference: reference, text: text, translation: options.translation ?? "",
      date: day ?? Day(now: now), createdAt: now)
  }
}

/// `holdfast faith verse edit`
struct VerseEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the verse of a day; only what you name changes.")

  @OptionGroup var record: RecordArgument<BibleVerseOfTheDay>
  @OptionGroup var options: VerseOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(options.isGiven, "--reference, --text or --translation")
  }

  func run() throws {
    try common.edit(record) { verse in
      if let reference = options.reference { verse.reference = reference }
      if let text = options.text { verse.text = text }
      if let translation = options.translation { verse.translation = translation }
    }
  }
}

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

/// `holdfast faith verse import`
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

  /// A verse of the file.
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

  /// The largest file, in bytes.
  private static let largest = 64 << 20

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .writing, BibleVerseOfTheDay.self).faith
    let data = try TextInput.bytes(ofFile: file, atMost: Self.largest)
    guard data.count <= Self.largest else {
      throw RuleError("\(file.escapedForDisplay) has more than \(Self.largest) bytes; split it")
    }
    guard let elements = try? JSONFormat.decoder.decode([Element].self, from: data) else {
      throw RuleError("\(file.escapedForDisplay) is no JSON list of verses; see --help")
    }
    var (added, hasRefused) = (0, false)
    for (index, element) in elements.enumerated() {
      do {
        let item = try element.item.get()
        let verse = BibleVerseOfTheDay(
          reference: item.reference, text: item.text, translation: item.translation ?? "",
          date: item.date, createdAt: Date())
        try faith.add(verse)
        if console.isJSON { try console.json(verse) }
        added += 1
      } catch {
        hasRefused = true
        let error = ExplainedError.explaining(error)
        let reason =
          error is DecodingError ? "it lacks the text date, reference or text" : "\(error)"
        console.error("\(console.colored("refused", .red))  verse \(index + 1): \(reason)")
      }
    }
    if !console.isJSON { console.result("\(added.counted("verse")) added") }
    if hasRefused { throw ExitCode.someFailed }
  }
}
