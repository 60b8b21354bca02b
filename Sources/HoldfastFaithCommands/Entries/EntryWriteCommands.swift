internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The options that describe an entry besides its title.
struct EntryOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The text, at most 100000 characters; - reads it from standard input.", valueName: "text"))
  var content: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Your mood, in your own words: \(MoodSuggestions.words.joined(separator: ", ")), or any other.",
      valueName: "mood"),
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where you were, as text; at most 200 characters.", valueName: "place"))
  var location: String?

  @Option(
    name: .customLong("photo"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A photo's path in a folder of yours, such as 2025/sea.jpg. It is kept as text, and the file is not read. May be given more than once.",
      valueName: "path"))
  var photos: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with a drawing, at most 5 MiB, which is kept byte for byte.", valueName: "file"),
    completion: .file())
  var drawing: String?

  @OptionGroup var time: TimeOption

  /// Whether any of them was given.
  var isGiven: Bool {
    content != nil || mood != nil || location != nil || !photos.isEmpty || drawing != nil
      || time.at != nil
  }

  /// Replaces what was given. Nothing is read.
  func change(_ entry: inout JournalEntry) {
    if let content, content != "-" { entry.content = content }
    if let mood { entry.mood = mood.trimmedForMood }
    if let location { entry.location = location.nonBlank }
    if !photos.isEmpty { entry.photoURLs = photos.filter { !$0.isEmpty } }
    if let at = time.at {
      entry.date = at.moment.roundedToMillisecond
      entry.dateOffset = at.offset
    }
  }

  /// Replaces what standard input and files hold.
  ///
  /// - Throws: `RuleError` if it cannot be read, or is too long.
  func read(into entry: inout JournalEntry) throws {
    if content == "-" { entry.content = try TextInput.text("-", limit: 100_000) }
    if let drawing {
      entry.drawingData =
        drawing.isEmpty ? nil : try TextInput.bytes(ofFile: drawing, atMost: 5 << 20)
    }
  }
}

extension String {
  /// The mood without white space at its ends; `nil` if nothing is left.
  fileprivate var trimmedForMood: String? {
    trimmingCharacters(in: .whitespacesAndNewlines).nonBlank
  }
}

/// `holdfast faith entry write`
struct EntryWriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write an entry, with a voice note if you like.")

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

  @OptionGroup var options: EntryOptions

  @OptionGroup var tags: TagOption

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @Option(
    help: ArgumentHelp(
      "The prompt that you write by, which is then used: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var prompt: String?

  @OptionGroup var voice: VoiceOptions<JournalEntry>
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try entry(now: options.time.now).validate() } }

  func run() async throws {
    let now = options.time.now
    var entry = entry(now: now)
    try options.read(into: &entry)
    let prompt = try prompt.map {
      try JournalPrompt.named($0, in: common.openLibrary(for: .reading, JournalPrompt.self)).id
    }
    try await voice.add(
      common, "written", now: now, at: \.date,
      writing: { db, entry in try db.write(entry, promptedBy: prompt, now: now) }
    ) { [entry] _ in entry }
  }

  private func entry(now: Date) -> JournalEntry {
    var entry = JournalEntry(
      title: title, date: now, tags: tags.tags, isPrivate: isPrivate, createdAt: now)
    options.change(&entry)
    return entry
  }
}

/// `holdfast faith entry edit`
struct EntryEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an entry; only what you name changes.",
    discussion: """
      An empty --mood, --location, --photo or --drawing removes it. Photos that you give replace \
      all that it has.
      """)

  @OptionGroup var record: RecordArgument<JournalEntry>

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @OptionGroup var options: EntryOptions

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      title != nil || isPrivate != nil || options.isGiven,
      "--title, --content, --mood, --location, --photo, --drawing, --at, --private or --no-private")
  }

  func run() throws {
    let now = options.time.now
    try common.update(record, "changed") { library, before in
      // Before the transaction, during which every other command waits.
      var given = before
      try options.read(into: &given)
      let entry = try library.edit(JournalEntry.self, id: given.id, now: now) { entry in
        if let title { entry.title = title }
        if let isPrivate { entry.isPrivate = isPrivate }
        options.change(&entry)
        if options.content == "-" { entry.content = given.content }
        if options.drawing != nil { entry.drawingData = given.drawingData }
      }
      if options.time.at != nil { common.console.warnIfOld(entry.date, now: now) }
      return entry
    }
  }
}
