internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer answer`
struct PrayerAnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Take note of a prayer's answer.")

  @OptionGroup var record: RecordArgument<PrayerRequest>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "answered") { library, prayer in
      try library.faith.answer(id: prayer.id, at: time.at?.moment, notes: notes, now: time.now)
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
