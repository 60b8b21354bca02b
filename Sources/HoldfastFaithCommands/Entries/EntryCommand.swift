internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith entry`
struct EntryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry", abstract: "Write in the journal, and read in it.",
    subcommands: [
      EntryWriteCommand.self, EntryListCommand.self, RecordShowCommand<JournalEntry>.self,
      EntryEditCommand.self, EntryTagCommand.self, EntryTagsCommand.self,
      RecordLinkCommand<JournalEntry>.self, RecordUnlinkCommand<JournalEntry>.self,
      RecordDeleteCommand<JournalEntry>.self, EntryPromptCommand.self,
    ])
}

/// `holdfast faith entry tag`
struct EntryTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Add tags to an entry, or remove them.")

  @OptionGroup var record: RecordArgument<JournalEntry>

  @Argument(help: "The tags. \"Faith\" and \"faith\" are the same.")
  var tags: [String]

  @Flag(help: "Remove them.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.edit(record) { entry in
      if remove { entry.removeTags(tags) } else { entry.tags += tags }
    }
  }
}

/// `holdfast faith entry tags`
struct EntryTagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of entries, most used first.")

  @OptionGroup var privacy: PrivateOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, JournalEntry.self)
    let tags = try library.faith.tags(includingPrivate: privacy.includesPrivate)
    try common.console.page(page, noun: { $0.noun("tag") }) { limit in
      Array(tags.dropFirst(page.offset).prefix(limit))
    } json: {
      $0
    } table: { tags in
      var table = TextTable([
        .init(heading: "ENTRIES", alignment: .right), .init(heading: "TAG"),
      ])
      for tag in tags { table.add(["\(tag.count)", tag.tag]) }
      return table
    }
  }
}

/// `holdfast faith entry prompt`
struct EntryPromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Show the prompt to write by next.",
    discussion: "holdfast faith entry write --prompt ID writes by it.")

  @OptionGroup var options: NextPromptOptions
  @OptionGroup var common: CommonOptions

  func run() throws { try options.show(common) }
}

extension JournalEntry: FaithRecord {
  package var line: String { title }

  package static var columns: [TextTable.Column] {
    [.init(heading: "WHEN"), .init(heading: "WITH", givesWay: true), .init(heading: "TITLE")]
  }

  package func cells(in library: Library) -> [String] {
    let parts = [
      recordingID.map { _ in "voice" }, drawingData.map { _ in "drawing" },
      photoURLs.isEmpty ? nil : "photos", isPrivate ? "private" : nil,
    ]
    return [
      date.localText(offset: dateOffset), parts.compactMap(\.self).joined(separator: ", "), line,
    ]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", date.localText(offset: dateOffset)), ("title", title),
      ("content", content.nonBlank), ("tags", tags.joined(separator: ", ").nonBlank),
      ("mood", mood), ("location", location), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ] + photoURLs.map { ("photo", $0) } + [
      ("drawing", drawingData.map { "\($0.count) bytes" })
    ]
  }
}
