internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer add`
struct PrayerAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a prayer.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What it is about, at most 20000 characters; - reads it from standard input.",
      valueName: "text"))
  var details: String?

  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @OptionGroup var time: TimeOption
  @OptionGroup var voice: VoiceOptions<PrayerRequest>
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try prayer(now: time.now).validate() } }

  func run() async throws {
    let now = time.now
    var prayer = prayer(now: now)
    if let details { prayer.details = try TextInput.text(details, limit: 20_000) }
    try await voice.add(common, now: now, at: \.date) { [prayer] _ in prayer }
  }

  private func prayer(now: Date) -> PrayerRequest {
    PrayerRequest(
      title: title, details: details ?? "", date: time.at?.moment ?? now,
      dateOffset: time.at?.offset, isPrivate: isPrivate, tags: tags.tags, createdAt: now)
  }
}

/// `holdfast faith prayer edit`
struct PrayerEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a prayer; only what you name changes.",
    discussion: "Tags that you give replace all that it has; an empty --tag removes them.")

  @OptionGroup var record: RecordArgument<PrayerRequest>

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

  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  private func changes(details: String?) -> [Change<PrayerRequest>?] {
    [
      .set(\.title, title), .set(\.details, details), .text(\.answerNotes, answerNotes),
      .list(\.tags, tags.tags), .set(\.isPrivate, isPrivate),
      .set(\.date, time.at?.moment.roundedToMillisecond), .set(\.dateOffset, time.at?.offset),
    ]
  }

  func validate() throws {
    try requireChange(
      changes(details: details),
      "--title, --details, --answer-notes, --tag, --at, --private or --no-private")
  }

  func run() throws {
    try common.update(record, "changed") { library, before in
      let details = try details.map { try TextInput.text($0, limit: 20_000) }
      let prayer = try library.edit(PrayerRequest.self, id: before.id, now: time.now) {
        changes(details: details).apply(to: &$0)
      }
      if time.at != nil { common.console.warnIfOld(prayer.date, now: time.now) }
      return prayer
    }
  }
}
