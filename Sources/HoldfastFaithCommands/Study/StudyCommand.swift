internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
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

  @OptionGroup var notes: NotesOption

  var changes: [Change<BibleStudyTopic>?] {
    [.set(\.details, description), .list(\.verses, verses), .text(\.notes, notes.notes)]
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
    options.changes.apply(to: &topic)
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

  private var changes: [Change<BibleStudyTopic>?] { [.set(\.title, title)] + options.changes }

  func validate() throws {
    try requireChange(changes, "--title, --description, --verse or --notes")
  }

  func run() throws { try common.edit(record) { changes.apply(to: &$0) } }
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

  package static var columns: [RecordColumn<Self>] {
    [.init("VERSES", alignment: .right, \.verses.count.description), .init("TITLE", \.title)]
  }

  package var facts: [(name: String, value: String?)] {
    [("title", title), ("description", details.nonBlank)]
      + verses.enumerated().map { ($0 == 0 ? "verses" : "", $1) } + [("notes", notes)]
  }
}
