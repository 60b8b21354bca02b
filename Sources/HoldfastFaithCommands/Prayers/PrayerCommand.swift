import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct PrayerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prayer", abstract: "Keep prayers, and how they were answered.",
    subcommands: [
      RecordLogCommand<NewPrayer>.self, RecordListCommand<PrayerList>.self,
      RecordShowCommand<PrayerRequest>.self, RecordActionCommand<AnswerPrayer>.self,
      PrayerReopenCommand.self, RecordActionCommand<ArchivePrayer>.self,
      RecordActionCommand<UnarchivePrayer>.self, PrayerAnswersCommand.self,
      RecordEditCommand<PrayerEdit>.self,
      RecordLinkCommand<PrayerRequest>.self, RecordUnlinkCommand<PrayerRequest>.self,
      RecordDeleteCommand<PrayerRequest>.self,
    ])
}

extension PrayerRequest: FaithRecord {
  package var line: String { title }

  /// Its parts besides the text.
  private var parts: String {
    [recordingID.map { _ in "voice" }, isPrivate ? "private" : nil].compactMap(\.self)
      .joined(separator: ", ")
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.localText), .init("STATUS", \.status.rawValue),
      .init("WITH", givesWay: true, \.parts), .init("TITLE", \.title),
    ]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", localText), ("title", title),
      ("details", details.nonBlank), ("status", status.rawValue),
      ("answered", answerDate?.localText(offset: dateOffset)), ("answer", answerNotes),
      ("tags", tags.joined(separator: ", ").nonBlank), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ]
  }
}

struct PrayerList: RecordFilter {
  static let verb = RecordVerb.list("List prayers, newest first.")

  @Option(
    help: ArgumentHelp("Only those of this status: \(PrayerStatus.words).", valueName: "status"),
    completion: .list(PrayerStatus.allCases.map(\.rawValue)),
    transform: { try PrayerStatus(named: $0) })
  var status: PrayerStatus?

  @OptionGroup var days: DayOptions

  @Option(
    unconditional:
      "Only prayers whose title, details, answer or tags contain this, in any case and with or "
      + "without accents.",
    valueName: "text")
  var search: String?

  @Option(unconditional: "Only prayers with this tag, in any case.", valueName: "word")
  var tag: String?

  @Option(help: ArgumentHelp("Only prayers in this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var privacy: PrivateOption

  func records(in library: Library, limit: Int, offset: Int) throws -> [PrayerRequest] {
    let (first, last) = days.range
    return try library.faith.prayers(
      matching: FaithQuery(
        status: status, from: first, through: last, tag: tag, search: search,
        recording: library.recordingID(recording), includesPrivate: privacy.includesPrivate,
        limit: limit, offset: offset))
  }
}

struct AnswerPrayer: RecordAction {
  static let verb = RecordVerb("answer", done: "answered", abstract: "Note a prayer's answer.")

  @OptionGroup var notes: NotesOption
  @OptionGroup var time: TimeOption

  func apply(to prayer: PrayerRequest, in library: Library) throws -> PrayerRequest {
    try library.faith.answer(
      id: prayer.id, at: time.at?.moment, notes: notes.notes, now: time.now)
  }
}

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

struct ArchivePrayer: RecordAction {
  static let verb = RecordVerb(
    "archive", done: "archived", abstract: "Put a prayer away; an answer stays.")

  func apply(to prayer: PrayerRequest, in library: Library) throws -> PrayerRequest {
    try library.faith.archive(id: prayer.id)
  }
}

struct UnarchivePrayer: RecordAction {
  static let verb = RecordVerb(
    "unarchive", done: "unarchived",
    abstract: "Bring a prayer back: answered if it has an answer, else active.")

  func apply(to prayer: PrayerRequest, in library: Library) throws -> PrayerRequest {
    try library.faith.unarchive(id: prayer.id)
  }
}

struct NewPrayer: NewRecord {
  static let verb = RecordVerb.add("Add a prayer.")

  @OptionGroup var title: NewTitleOption

  @Option(
    unconditional: "What it is about, at most 20000 characters; - reads it from standard input.",
    valueName: "text")
  var details: String?

  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @OptionGroup var time: TimeOption

  var changes: [Change<PrayerRequest>?] {
    [.text(\.details, details, limit: 20_000), .moment(time)]
  }

  func record(now: Date) -> PrayerRequest {
    PrayerRequest(
      title: title.title, date: now, isPrivate: isPrivate, tags: tags.tags, createdAt: now)
  }
}

struct PrayerEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a prayer; only what you name changes.",
    "Tags that you give replace all that it has; an empty --tag removes them.")
  static let options = "--title, --details, --answer-notes, --tag, --at, --private or --no-private"

  @OptionGroup var title: TitleOption

  @Option(unconditional: "What it is about; - reads it from standard input.", valueName: "text")
  var details: String?

  @Option(unconditional: "What you write about the answer.", valueName: "text")
  var answerNotes: String?

  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  @OptionGroup var time: TimeOption

  var changes: [Change<PrayerRequest>?] {
    [
      .set(\.title, title.title), .text(\.details, details, limit: 20_000),
      .text(\.answerNotes, answerNotes), .list(\.tags, tags.tags), .set(\.isPrivate, isPrivate),
      .moment(time),
    ]
  }
}
