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

  @OptionGroup var record: RecordArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(PrayerRequest.self, idPrefix: record.id)
    let prayer = try faith.answer(
      id: before.id, at: time.at?.moment, notes: notes, now: time.now)
    try common.console.show(prayer, "answered")
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
    let answers = try common.openLibrary(for: .reading, .faith).faith.answers(
      from: range.first, through: range.last, includingPrivate: privacy.includesPrivate)
    if console.isJSON { return try console.json(answers) }
    console.details([
      ("answered", answers.count.counted("prayer")),
      ("after", answers.averageDays.map { "\($0.oneDecimal) days on average" } ?? "no figure yet"),
    ])
  }
}
