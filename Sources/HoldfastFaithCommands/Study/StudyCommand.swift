import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "Keep topics of study, with their verses.",
    subcommands: [
      RecordAddCommand<NewTopic>.self, RecordListCommand<TopicList>.self,
      RecordShowCommand<BibleStudyTopic>.self, RecordEditCommand<TopicEdit>.self,
      RecordDeleteCommand<BibleStudyTopic>.self,
    ])
}

struct StudyOptions: ParsableArguments {
  @Option(unconditional: "What it is about, at most 20000 characters.", valueName: "text")
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

struct NewTopic: NewRecord {
  static let verb = RecordVerb.add("Add a topic of study.")

  @OptionGroup var title: NewTitleOption
  @OptionGroup var options: StudyOptions

  var changes: [Change<BibleStudyTopic>?] { options.changes }

  func record(now: Date) -> BibleStudyTopic { BibleStudyTopic(title: title.title, createdAt: now) }
}

struct TopicEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a topic; only what you name changes.",
    "Verses that you give replace all that it has; an empty --verse removes them.")
  static let options = "--title, --description, --verse or --notes"

  @OptionGroup var title: TitleOption
  @OptionGroup var options: StudyOptions

  var changes: [Change<BibleStudyTopic>?] { [.set(\.title, title.title)] + options.changes }
}

struct TopicList: RecordFilter {
  static let verb = RecordVerb.list("List topics of study, newest first.")

  func records(in library: Library, limit: Int, offset: Int) throws -> [BibleStudyTopic] {
    try library.faith.studyTopics(limit: limit, offset: offset)
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
