import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFaith

/// The options that describe an entry besides its title.
struct EntryOptions: ParsableArguments {
  @Option(
    unconditional: "The text, at most 100000 characters; - reads it from standard input.",
    valueName: "text")
  var content: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Your mood, in your own words: \(MoodSuggestions.words.joined(separator: ", ")), or any "
        + "other.",
      valueName: "mood"),
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(unconditional: "Where you were, as text; at most 200 characters.", valueName: "place")
  var location: String?

  @Option(
    help: ArgumentHelp(
      "A file with a drawing, at most 5 MiB, which is kept byte for byte.", valueName: "file"),
    completion: .file())
  var drawing: String?

  @OptionGroup var time: TimeOption

  var changes: [Change<JournalEntry>?] {
    [
      .text(\.content, content, limit: 100_000),
      .text(\.mood, mood?.trimmingCharacters(in: .whitespacesAndNewlines)),
      .text(\.location, location),
      .bytes(\.drawingData, ofFile: drawing, atMost: 5 << 20), .moment(time),
    ]
  }
}

struct EntryWriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write an entry, with a voice note if you like.")

  @OptionGroup var title: NewTitleOption
  @OptionGroup var options: EntryOptions
  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @Option(
    help: ArgumentHelp(
      "The prompt that you write by, which is then used: its id, or at least four characters of "
        + "its beginning.",
      valueName: "id"))
  var prompt: String?

  @OptionGroup var photos: PhotoOption
  @OptionGroup var voice: VoiceOptions<JournalEntry>
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try validating { try entry(options.changes, now: options.time.now).validate() }
  }

  func run() async throws {
    let now = options.time.now
    let entry = try entry(options.changes.reading(), now: now)
    let prompt = try prompt.map {
      try JournalPrompt.named($0, in: common.openLibrary(for: .reading, JournalPrompt.self)).id
    }
    try await voice.add(
      using: common, done: "written", now: now,
      with: NewFiles(photos.photos) { try $0.insert($2, of: $1.id, now: now) },
      writing: { db, entry in try db.write(entry, promptedBy: prompt, now: now) }
    ) { _ in entry }
  }

  private func entry(_ changes: [Change<JournalEntry>?], now: Date) throws -> JournalEntry {
    var entry = JournalEntry(
      title: title.title, date: now, tags: tags.tags, isPrivate: isPrivate, createdAt: now)
    try changes.apply(to: &entry)
    return entry
  }
}

struct EntryEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change an entry; only what you name changes.",
    """
    An empty --mood, --location or --drawing removes it. holdfast faith entry add-photo and \
    remove-photo change its photos.
    """)
  static let options =
    "--title, --content, --mood, --location, --drawing, --at, --private or --no-private"

  @OptionGroup var title: TitleOption
  @OptionGroup var options: EntryOptions

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  var changes: [Change<JournalEntry>?] {
    [.set(\.title, title.title), .set(\.isPrivate, isPrivate)] + options.changes
  }
}
