internal import ArgumentParser
internal import Foundation
internal import HoldfastConsole
internal import HoldfastFaith

/// `holdfast faith prayer add`
struct NewPrayer: NewRecord {
  static let verb = RecordVerb.add("Add a prayer.")

  @OptionGroup var title: NewTitleOption

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

  var changes: [Change<PrayerRequest>?] {
    [.text(\.details, details, limit: 20_000), .moment(time)]
  }

  func record(now: Date) -> PrayerRequest {
    PrayerRequest(
      title: title.title, date: now, isPrivate: isPrivate, tags: tags.tags, createdAt: now)
  }
}

/// `holdfast faith prayer edit`
struct PrayerEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a prayer; only what you name changes.",
    "Tags that you give replace all that it has; an empty --tag removes them.")
  static let options = "--title, --details, --answer-notes, --tag, --at, --private or --no-private"

  @OptionGroup var title: TitleOption

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

  var changes: [Change<PrayerRequest>?] {
    [
      .set(\.title, title.title), .text(\.details, details, limit: 20_000),
      .text(\.answerNotes, answerNotes), .list(\.tags, tags.tags), .set(\.isPrivate, isPrivate),
      .moment(time),
    ]
  }
}
