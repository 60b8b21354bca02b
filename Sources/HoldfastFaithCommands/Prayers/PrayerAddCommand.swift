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

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A word to find it by; may be given more than once.", valueName: "word"))
  var tags: [String] = []

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @OptionGroup var time: TimeOption
  @OptionGroup var voice: VoiceOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try prayer(now: time.now).validate() } }

  func run() async throws {
    let now = time.now
    var prayer = prayer(now: now)
    if let details { prayer.details = try TextInput.text(details, limit: 20_000) }
    let added = try await voice.add(prayer, common, now: now)
    common.console.warnIfOld(added.date, now: now)
    try common.console.show(added, "added")
  }

  private func prayer(now: Date) -> PrayerRequest {
    PrayerRequest(
      title: title, details: details ?? "", date: time.at?.moment ?? now,
      dateOffset: time.at?.offset, isPrivate: isPrivate, tags: tags, createdAt: now)
  }
}
