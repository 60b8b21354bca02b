internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith entry list`
struct EntryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List entries, newest first.")

  @OptionGroup var days: DayOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only entries whose title, text or tags contain this, in any case and with or without accents.",
      valueName: "text"))
  var search: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only entries with this tag, in any case.", valueName: "word"))
  var tag: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only entries with this mood, in any case.", valueName: "mood"),
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Flag(help: "Only entries with a voice note.")
  var voice = false

  @Option(
    help: ArgumentHelp("Only entries whose voice note is this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var privacy: PrivateOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let range = days.range
    try common.list(page) { library, limit in
      try library.faith.entries(
        matching: JournalEntryQuery(
          from: range.first, through: range.last, tag: tag, mood: mood, search: search,
          recording: library.recordingID(recording), hasVoiceNote: voice,
          includesPrivate: privacy.includesPrivate, limit: limit, offset: page.offset))
    }
  }
}
