internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith study`
struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "Keep topics of study, with their verses.",
    subcommands: [
      StudyAddCommand.self, StudyListCommand.self, RecordShowCommand<BibleStudyTopic>.self,
      StudyEditCommand.self, RecordDeleteCommand<BibleStudyTopic>.self,
    ])
}

/// The options that describe a topic besides its title.
struct StudyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it is about, at most 20000 characters.", valueName: "text"))
  var description: String?

  @Option(
    name: .customLong("verse"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A verse's reference, such as \"Psalm 23:1\"; may be given more than once.",
      valueName: "reference"))
  var verses: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  /// Whether any of them was given.
  var isGiven: Bool { description != nil || !verses.isEmpty || notes != nil }

  /// Replaces what was given.
  func change(_ topic: inout BibleStudyTopic) {
    if let description { topic.details = description }
    if !verses.isEmpty { topic.verses = verses.filter { !$0.isEmpty } }
    if let notes { topic.notes = notes.nonBlank }
  }
}

/// `holdfast faith study add`
struct StudyAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a topic of study.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

  @OptionGroup var options: StudyOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try topic(now: Date()).validate() } }

  func run() throws {
    try common.add(topic(now: Date()))
  }

  private func topic(now: Date) -> BibleStudyTopic {
    var topic = BibleStudyTopic(title: title, createdAt: now)
    options.change(&topic)
    return topic
  }
}

/// `holdfast faith study edit`
struct StudyEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a topic; only what you name changes.",
    discussion: "Verses that you give replace all that it has; an empty --verse removes them.")

  @OptionGroup var record: RecordArgument<BibleStudyTopic>

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @OptionGroup var options: StudyOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      title != nil || options.isGiven, "--title, --description, --verse or --notes")
  }

  func run() throws {
    try common.edit(record) { topic in
      if let title { topic.title = title }
      options.change(&topic)
    }
  }
}

/// `holdfast faith study list`
struct StudyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List topics of study, newest first.")

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) { try $0.faith.studyTopics(limit: $1, offset: page.offset) }
  }
}

extension BibleStudyTopic: FaithRecord {
  package var line: String { title }

  package static var columns: [TextTable.Column] {
    [.init(heading: "VERSES", alignment: .right), .init(heading: "TITLE")]
  }

  package func cells(in library: Library) -> [String] { ["\(verses.count)", line] }

  package var facts: [(name: String, value: String?)] {
    [("title", title), ("description", details.nonBlank)]
      + verses.enumerated().map { ($0 == 0 ? "verses" : "", $1) } + [("notes", notes)]
  }
}
