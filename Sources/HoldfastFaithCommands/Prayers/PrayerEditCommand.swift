internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer edit`
struct PrayerEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a prayer; only what you name changes.",
    discussion: "Tags that you give replace all that it has; an empty --tag removes them.")

  @OptionGroup var record: RecordArgument

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it is about; - reads it from standard input.", valueName: "text"))
  var details: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about the answer.", valueName: "text"))
  var answerNotes: String?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A word to find it by; may be given more than once.", valueName: "word"))
  var tags: [String] = []

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if title == nil, details == nil, answerNotes == nil, tags.isEmpty, isPrivate == nil,
      time.at == nil
    {
      throw ValidationError(
        "Name what to change: --title, --details, --answer-notes, --tag, --at, --private or "
          + "--no-private.")
    }
  }

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(PrayerRequest.self, idPrefix: record.id)
    let details = try details.map { try TextInput.text($0, limit: 20_000) }
    let prayer = try faith.edit(PrayerRequest.self, id: before.id, now: time.now) { prayer in
      if let title { prayer.title = title }
      if let details { prayer.details = details }
      if let answerNotes { prayer.answerNotes = answerNotes.nonBlank }
      if !tags.isEmpty { prayer.tags = tags.filter { !$0.isEmpty } }
      if let isPrivate { prayer.isPrivate = isPrivate }
      if let at = time.at {
        prayer.date = at.moment.roundedToMillisecond
        prayer.dateOffset = at.offset
      }
    }
    if time.at != nil { common.console.warnIfOld(prayer.date, now: time.now) }
    try common.console.show(prayer, "changed")
  }
}
