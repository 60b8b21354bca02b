import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct PromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Keep prompts to write by.",
    subcommands: [
      RecordAddCommand<NewPrompt>.self, PromptNextCommand.self,
      RecordActionCommand<UsePrompt>.self, RecordListCommand<PromptOptions>.self,
      RecordShowCommand<JournalPrompt>.self, RecordEditCommand<PromptEdit>.self,
      RecordDeleteCommand<JournalPrompt>.self,
    ])
}

struct NewPrompt: NewRecord {
  static let verb = RecordVerb.add("Add a prompt.")

  @Argument(help: "The question or thought; at most 2000 characters.")
  var prompt: String

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category = ""

  func record(now: Date) -> JournalPrompt {
    JournalPrompt(prompt: prompt, category: category, createdAt: now)
  }
}

struct PromptEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a prompt; only what you name changes.")
  static let options = "--prompt or --category"

  @Option(unconditional: "The question or thought.", valueName: "text")
  var prompt: String?

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category: String?

  var changes: [Change<JournalPrompt>?] { [.set(\.prompt, prompt), .set(\.category, category)] }
}

/// The option for the category of prompts, and `holdfast faith prompt list`
struct PromptOptions: RecordFilter {
  static let verb = RecordVerb.list("List prompts in the order in which they are next.")

  @Option(unconditional: "Only prompts of this category, in any case.", valueName: "category")
  var category: String?

  func records(in library: Library, limit: Int, offset: Int) throws -> [JournalPrompt] {
    try library.faith.prompts(in: category, limit: limit, offset: offset)
  }

  /// Prints the next prompt.
  func show(_ common: CommonOptions) throws {
    let library = try common.openLibrary(for: .reading, JournalPrompt.self)
    guard let prompt = try library.faith.nextPrompt(in: category) else {
      let which = category.map { " in the category \"\($0.cut(to: 60).escapedForDisplay)\"" } ?? ""
      throw HoldfastError(.noSuchRecord, "there is no prompt\(which)", record: JournalPrompt.kind)
    }
    if common.console.isJSON { return try common.console.json(prompt) }
    common.console.result("\(prompt.id.short)  \(prompt.line.escapedForDisplay)")
  }
}

struct PromptNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show the prompt to write by next.",
    discussion: """
      Prompts that were not used come first, the oldest of them at the beginning. When all were \
      used, it is the one used longest ago.
      """)

  @OptionGroup var options: PromptOptions
  @OptionGroup var common: CommonOptions

  func run() throws { try options.show(common) }
}

struct UsePrompt: RecordAction {
  static let verb = RecordVerb("use", done: "used", abstract: "Mark a prompt as used now.")

  @Option(
    help: ArgumentHelp(
      "The entry that you wrote by it: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var entry: String?

  func apply(to prompt: JournalPrompt, in library: Library) throws -> JournalPrompt {
    try library.faith.usePrompt(
      id: prompt.id, for: entry.map { try JournalEntry.named($0, in: library).id })
  }
}

extension JournalPrompt: FaithRecord {
  package var line: String {
    [category.nonBlank, prompt].compactMap(\.self).joined(separator: ": ")
  }

  package static var columns: [RecordColumn<Self>] {
    [.init("USED") { $0.usedDate?.localText ?? "not yet" }, .init("PROMPT", \.line)]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("prompt", prompt), ("category", category.nonBlank), ("used", usedDate?.localText),
      ("entry", entryID?.uuidString),
    ]
  }
}
