import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct DevotionalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devotional", abstract: "Keep devotionals, and mark those that you completed.",
    subcommands: [
      RecordLogCommand<NewDevotional>.self, RecordListCommand<DevotionalList>.self,
      RecordShowCommand<Devotional>.self, RecordActionCommand<CompleteDevotional>.self,
      RecordActionCommand<ReopenDevotional>.self, RecordEditCommand<DevotionalEdit>.self,
      RecordLinkCommand<Devotional>.self, RecordUnlinkCommand<Devotional>.self,
      RecordDeleteCommand<Devotional>.self,
    ])
}

/// The options that describe a devotional besides its title.
struct DevotionalOptions: ParsableArguments {
  @Option(unconditional: "The passage, such as \"Psalm 23\".", valueName: "reference")
  var scripture: String?

  @Option(
    unconditional: "The text, at most 100000 characters; - reads it from standard input.",
    valueName: "text")
  var content: String?

  @Option(unconditional: "Who wrote it.", valueName: "name")
  var author: String?

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category: String?

  @Option(day: "The day that it is for, such as 2025-10-25.")
  var day: Day?

  var changes: [Change<Devotional>?] {
    [
      .set(\.scripture, scripture), .text(\.content, content, limit: 100_000),
      .set(\.author, author), .set(\.category, category), .set(\.date, day),
    ]
  }
}

struct NewDevotional: NewRecord {
  static let verb = RecordVerb.add("Add a devotional; without --day it is for today.")

  @OptionGroup var title: NewTitleOption
  @OptionGroup var options: DevotionalOptions

  var changes: [Change<Devotional>?] { options.changes }

  func record(now: Date) -> Devotional {
    Devotional(title: title.title, date: Day(now: now), createdAt: now)
  }
}

struct DevotionalEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a devotional; only what you name changes.")
  static let options = "--title, --scripture, --content, --author, --category or --day"

  @OptionGroup var title: TitleOption
  @OptionGroup var options: DevotionalOptions

  var changes: [Change<Devotional>?] { [.set(\.title, title.title)] + options.changes }
}

struct DevotionalList: RecordFilter {
  static let verb = RecordVerb.list("List devotionals, newest day first.")

  @Flag(help: "Only those that you have not completed.")
  var open = false

  @Option(help: ArgumentHelp("Only those of this recording.", valueName: "id"))
  var recording: String?

  func records(in library: Library, limit: Int, offset: Int) throws -> [Devotional] {
    try library.faith.devotionals(
      open: open, recording: library.recordingID(recording), limit: limit, offset: offset)
  }
}

struct CompleteDevotional: RecordAction {
  static let verb = RecordVerb("done", done: "done", abstract: "Mark a devotional as completed.")

  func apply(to devotional: Devotional, in library: Library) throws -> Devotional {
    try library.faith.complete(devotional: devotional.id)
  }
}

struct ReopenDevotional: RecordAction {
  static let verb = RecordVerb(
    "undo", done: "changed", abstract: "Mark a devotional as not completed.")

  func apply(to devotional: Devotional, in library: Library) throws -> Devotional {
    try library.faith.complete(devotional: devotional.id, false)
  }
}

extension Devotional: FaithRecord {
  package var line: String { title }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("DAY", \.date.description), .init("DONE", givesWay: true) { $0.isCompleted.yes ?? "" },
      .init("TITLE", \.title),
    ]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("day", date.description), ("title", title), ("scripture", scripture.nonBlank),
      ("content", content.nonBlank), ("author", author.nonBlank),
      ("category", category.nonBlank), ("completed", completedAt?.localText),
      ("recording", recordingID?.uuidString),
    ]
  }
}
