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

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A word to find it by; may be given more than once.", valueName: "word"))
  var tags: [String] = []

  @Flag(
    name: .customLong("private"),
    help: "Leave it out of lists, searches and statistics. It is not encrypted.")
  var isPrivate = false

  @Option(
    help: ArgumentHelp(
      "The prompt that you write by, which is then used: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var prompt: String?

  @OptionGroup var voice: VoiceOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try entry(now: options.time.now).validate() } }

  func run() async throws {
    let now = options.time.now
    var entry = entry(now: now)
    try options.read(into: &entry)
    let prompt = try prompt.map {
      try common.openLibrary(for: .reading, .faith).faith.record(JournalPrompt.self, idPrefix: $0)
        .id
    }
    let written = try await voice.adding(entry, common) { faith, entry, source in
      guard let source else {
        try faith.write(entry, promptedBy: prompt, now: now)
        return nil
      }
      return try await faith.write(
        entry, spokenIn: source.file, promptedBy: prompt, options: source.options, now: now)
    }
    common.console.warnIfOld(written.date, now: now)
    try common.console.show(written, "written")
  }

  private func entry(now: Date) -> JournalEntry {
    var entry = JournalEntry(
      title: title, date: now, tags: tags, isPrivate: isPrivate, createdAt: now)
    options.change(&entry)
    return entry
  }
}
