internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer list`
struct PrayerListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List prayers, newest first.")

  @Option(
    help: ArgumentHelp("Only those of this status: \(PrayerStatus.words).", valueName: "status"),
    completion: .list(PrayerStatus.allCases.map(\.rawValue)),
    transform: { try PrayerStatus(named: $0) })
  var status: PrayerStatus?

  @OptionGroup var days: DayOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only prayers whose title, details, answer or tags contain this, in any case and with or without accents.",
      valueName: "text"))
  var search: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only prayers with this tag, in any case.", valueName: "word"))
  var tag: String?

  @Option(help: ArgumentHelp("Only prayers in this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var privacy: PrivateOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let range = days.range
    try common.list(page) { library, limit in
      try library.faith.prayers(
        matching: PrayerQuery(
          status: status, from: range.first, through: range.last, tag: tag, search: search,
          recording: library.recordingID(recording), includesPrivate: privacy.includesPrivate,
          limit: limit, offset: page.offset))
    }
  }
}
