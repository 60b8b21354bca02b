internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith devotional`
struct DevotionalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devotional", abstract: "Keep devotionals, and which you completed.",
    subcommands: [
      DevotionalAddCommand.self, DevotionalListCommand.self, RecordShowCommand<Devotional>.self,
      DevotionalDoneCommand.self, DevotionalUndoCommand.self, DevotionalEditCommand.self,
      RecordLinkCommand<Devotional>.self, RecordUnlinkCommand<Devotional>.self,
      RecordDeleteCommand<Devotional>.self,
    ])
}

/// The options that describe a devotional besides its title.
struct DevotionalOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The passage, such as \"Psalm 23\".", valueName: "reference"))
  var scripture: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The text, at most 100000 characters; - reads it from standard input.", valueName: "text"))
  var content: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Who wrote it.", valueName: "name"))
  var author: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A category, in your own words.", valueName: "category"))
  var category: String?

  @Option(
    help: ArgumentHelp("The day that it is for, such as 2025-10-25.", valueName: "date"),
    transform: { try Day($0) })
  var day: Day?

  /// - Parameter content: The text as it was given, or as it was read.
  func changes(content: String?) -> [Change<Devotional>?] {
    [
      .set(\.scripture, scripture), .set(\.content, content), .set(\.author, author),
      .set(\.category, category), .set(\.date, day),
    ]
  }
}

/// `holdfast faith devotional add`
struct DevotionalAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a devotional; without --day it is for today.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

  @OptionGroup var options: DevotionalOptions
  @OptionGroup var voice: VoiceOptions<Devotional>
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try validating { try devotional(content: options.content, now: Date()).validate() }
  }

  func run() async throws {
    let now = Date()
    let content = try options.content.map { try TextInput.text($0, limit: 100_000) }
    try await voice.add(common, now: now) { _ in devotional(content: content, now: now) }
  }

  private func devotional(content: String?, now: Date) -> Devotional {
    var devotional = Devotional(title: title, date: Day(now: now), createdAt: now)
    options.changes(content: content).apply(to: &devotional)
    return devotional
  }
}

/// `holdfast faith devotional edit`
struct DevotionalEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a devotional; only what you name changes.")

  @OptionGroup var record: RecordArgument<Devotional>

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @OptionGroup var options: DevotionalOptions
  @OptionGroup var common: CommonOptions

  private func changes(content: String?) -> [Change<Devotional>?] {
    [.set(\.title, title)] + options.changes(content: content)
  }

  func validate() throws {
    try requireChange(
      changes(content: options.content),
      "--title, --scripture, --content, --author, --category or --day")
  }

  func run() throws {
    try common.update(record, "changed") { library, before in
      let content = try options.content.map { try TextInput.text($0, limit: 100_000) }
      return try library.edit(Devotional.self, id: before.id) {
        changes(content: content).apply(to: &$0)
      }
    }
  }
}

/// `holdfast faith devotional list`
struct DevotionalListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List devotionals, newest day first.")

  @Flag(help: "Only those that you have not completed.")
  var open = false

  @Option(help: ArgumentHelp("Only those of this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) { library, limit in
      try library.faith.devotionals(
        open: open, recording: library.recordingID(recording), limit: limit, offset: page.offset)
    }
  }
}

/// `holdfast faith devotional done`
struct DevotionalDoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark a devotional as completed.")

  @OptionGroup var record: RecordArgument<Devotional>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "done") { try $0.faith.complete(devotional: $1.id) }
  }
}

/// `holdfast faith devotional undo`
struct DevotionalUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Mark a devotional as not completed.")

  @OptionGroup var record: RecordArgument<Devotional>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "changed") { try $0.faith.complete(devotional: $1.id, false) }
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
