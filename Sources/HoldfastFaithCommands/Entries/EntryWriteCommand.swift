internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

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
