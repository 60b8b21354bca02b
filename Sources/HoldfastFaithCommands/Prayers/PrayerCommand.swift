internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer`
struct PrayerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prayer", abstract: "Keep prayers, and what became of them.",
    subcommands: [
      PrayerAddCommand.self, PrayerListCommand.self, RecordShowCommand<PrayerRequest>.self,
      PrayerAnswerCommand.self, PrayerReopenCommand.self, PrayerArchiveCommand.self,
      PrayerUnarchiveCommand.self, PrayerAnswersCommand.self, PrayerEditCommand.self,
      RecordLinkCommand<PrayerRequest>.self, RecordUnlinkCommand<PrayerRequest>.self,
      RecordDeleteCommand<PrayerRequest>.self,
    ])
}

extension PrayerRequest: FaithRecord {
  package var line: String { title }

  /// When it was, on the clock of its zone.
  private var when: String { date.localText(offset: dateOffset) }

  /// What it has besides its text.
  private var parts: String {
    [recordingID.map { _ in "voice" }, isPrivate ? "private" : nil].compactMap(\.self)
      .joined(separator: ", ")
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.when), .init("STATUS", \.status.rawValue),
      .init("WITH", givesWay: true, \.parts), .init("TITLE", \.title),
    ]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", when), ("title", title),
      ("details", details.nonBlank), ("status", status.rawValue),
      ("answered", answerDate?.localText(offset: dateOffset)), ("answer", answerNotes),
      ("tags", tags.joined(separator: ", ").nonBlank), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ]
  }
}

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

/// `holdfast faith prayer answer`
struct PrayerAnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Take note of a prayer's answer.")

  @OptionGroup var record: RecordArgument<PrayerRequest>
  @OptionGroup var notes: NotesOption
  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "answered") { library, prayer in
      try library.faith.answer(
        id: prayer.id, at: time.at?.moment, notes: notes.notes, now: time.now)
    }
  }
}

/// `holdfast faith prayer answers`
struct PrayerAnswersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answers",
    abstract: "Show how many prayers were answered in a period, and after how many days.")

  @OptionGroup var days: DayOptions
  @OptionGroup var privacy: PrivateOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let range = days.range
    let answers = try common.openLibrary(for: .reading, PrayerRequest.self).faith.answers(
      from: range.first, through: range.last, includingPrivate: privacy.includesPrivate)
    if console.isJSON { return try console.json(answers) }
    console.details([
      ("answered", answers.count.counted("prayer")),
      ("after", answers.averageDays.map { "\($0.oneDecimal) days on average" } ?? "no figure yet"),
    ])
  }
}

/// `holdfast faith prayer reopen`
struct PrayerReopenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Make a prayer active again, without its answer and your notes about it.")

  @OptionGroup var record: RecordArgument<PrayerRequest>

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let before = try record.record(in: common.openLibrary(for: .reading, PrayerRequest.self))
    if !yes, let notes = before.answerNotes {
      common.console.error("\(before.id.short)  \(notes.cut(to: 300).escapedForDisplay)")
      try Question("Remove these notes for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing, PrayerRequest.self)
    try common.console.show(library.faith.reopen(id: before.id), "reopened")
    guard common.console.compact(library) else { throw ExitCode.someFailed }
  }
}

/// `holdfast faith prayer archive`
struct PrayerArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Put a prayer away; an answer stays.")

  @OptionGroup var record: RecordArgument<PrayerRequest>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "archived") { try $0.faith.archive(id: $1.id) }
  }
}

/// `holdfast faith prayer unarchive`
struct PrayerUnarchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unarchive",
    abstract: "Bring a prayer back: answered if it has an answer, else active.")

  @OptionGroup var record: RecordArgument<PrayerRequest>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "unarchived") { try $0.faith.unarchive(id: $1.id) }
  }
}
