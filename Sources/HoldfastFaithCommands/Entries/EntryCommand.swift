import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct EntryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry", abstract: "Write in the journal, and read in it.",
    subcommands: [
      EntryWriteCommand.self, RecordListCommand<EntryList>.self,
      RecordShowCommand<JournalEntry>.self, RecordEditCommand<EntryEdit>.self,
      RecordEditCommand<EntryTagEdit>.self, EntryTagsCommand.self,
      RecordLinkCommand<JournalEntry>.self, RecordUnlinkCommand<JournalEntry>.self,
      EntryAddPhotoCommand.self, EntryRemovePhotoCommand.self,
      RecordDeleteCommand<JournalEntry>.self, EntryPromptCommand.self,
    ])
}

struct EntryTagEdit: RecordEdit {
  static let verb = RecordVerb(
    "tag", done: "changed", abstract: "Add tags to an entry, or remove them.")
  static let options = "tags"

  @Argument(help: "The tags. \"Faith\" and \"faith\" are the same.")
  var tags: [String]

  @Flag(help: "Remove them.")
  var remove = false

  var changes: [Change<JournalEntry>?] {
    [.set(tags) { if remove { $0.removeTags($1) } else { $0.tags += $1 } }]
  }
}

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

struct EntryPromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Show the prompt to write by next.",
    discussion: "holdfast faith entry write --prompt ID writes by it.")

  @OptionGroup var options: PromptOptions
  @OptionGroup var common: CommonOptions

  func run() throws { try options.show(common) }
}

extension JournalEntry: FaithRecord {
  package var line: String { title }

  /// Its parts besides the text.
  private var parts: String {
    [
      recordingID.map { _ in "voice" }, drawingData.map { _ in "drawing" },
      photoURLs.isEmpty ? nil : "photos", isPrivate ? "private" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  package static var columns: [RecordColumn<Self>] {
    [.init("WHEN", \.localText), .init("WITH", givesWay: true, \.parts), .init("TITLE", \.title)]
  }

  package static var deleteAbstract: String {
    "Delete entries with their photos; their recordings are kept."
  }

  package func details(in library: Library) throws -> [Detail] {
    var details = standardDetails
    let place = details.firstIndex { $0.name == "added" } ?? details.endIndex
    let photos = try library.faith.photos(of: id).map { Detail("photo", $0.line) }
    details.insert(contentsOf: photos, at: place)
    return details
  }

  package func fullOutput(in library: Library) throws -> any Encodable {
    EntryOutput(entry: self, photos: try library.faith.photos(of: id))
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", localText), ("title", title),
      ("content", content.nonBlank), ("tags", tags.joined(separator: ", ").nonBlank),
      ("mood", mood), ("location", location), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ] + photoURLs.map { ("photo", $0) } + [
      ("drawing", drawingData.map { "\($0.count) bytes" })
    ]
  }
}

struct EntryList: RecordFilter {
  static let verb = RecordVerb.list("List entries, newest first.")

  @OptionGroup var days: DayOptions

  @Option(
    unconditional:
      "Only entries whose title, text or tags contain this, in any case and with or without "
      + "accents.",
    valueName: "text")
  var search: String?

  @Option(unconditional: "Only entries with this tag, in any case.", valueName: "word")
  var tag: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only entries with this mood, in any case.", valueName: "mood"),
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Flag(help: "Only entries with a voice note.")
  var voice = false

  @Option(
    help: ArgumentHelp("Only entries whose voice note is this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var privacy: PrivateOption

  func records(in library: Library, limit: Int, offset: Int) throws -> [JournalEntry] {
    let (first, last) = days.range
    return try library.faith.entries(
      matching: FaithQuery(
        from: first, through: last, tag: tag, mood: mood, search: search,
        recording: library.recordingID(recording), hasVoiceNote: voice,
        includesPrivate: privacy.includesPrivate, limit: limit, offset: offset))
  }
}
