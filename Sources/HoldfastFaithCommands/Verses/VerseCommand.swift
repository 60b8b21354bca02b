internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
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
