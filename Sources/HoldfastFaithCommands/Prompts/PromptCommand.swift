internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prompt`
struct PromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Keep prompts to write by.",
    subcommands: [
      PromptAddCommand.self, PromptNextCommand.self, PromptUseCommand.self,
      PromptListCommand.self, RecordShowCommand<JournalPrompt>.self, PromptEditCommand.self,
      RecordDeleteCommand<JournalPrompt>.self,
    ])
}

/// `holdfast faith prompt add`
struct PromptAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a prompt.")

  @Argument(help: "The question or thought; at most 2000 characters.")
  var prompt: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A category, in your own words.", valueName: "category"))
  var category = ""

  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try record(now: Date()).validate() } }

  func run() throws {
    try common.add(record(now: Date()))
  }

  private func record(now: Date) -> JournalPrompt {
    JournalPrompt(prompt: prompt, category: category, createdAt: now)
  }
}

/// `holdfast faith prompt edit`
struct PromptEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a prompt; only what you name changes.")

  @OptionGroup var record: RecordArgument<JournalPrompt>

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The question or thought.", valueName: "text"))
  var prompt: String?

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category: String?

  @OptionGroup var common: CommonOptions

  private var changes: [Change<JournalPrompt>?] {
    [.set(\.prompt, prompt), .set(\.category, category)]
  }

  func validate() throws { try requireChange(changes, "--prompt or --category") }
  func run() throws { try common.edit(record) { changes.apply(to: &$0) } }
}

/// The option for the category of prompts.
struct PromptOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only prompts of this category, in any case.", valueName: "category"))
  var category: String?

  /// Prints the next prompt.
  func show(_ common: CommonOptions) throws {
    let library = try common.openLibrary(for: .reading, JournalPrompt.self)
    guard let prompt = try library.faith.nextPrompt(in: category) else {
      let which = category.map { " in the category \"\($0.cut(to: 60).escapedForDisplay)\"" } ?? ""
      throw LibraryError(.noSuchRecord, "there is no prompt\(which)", record: JournalPrompt.kind)
    }
    if common.console.isJSON { return try common.console.json(prompt) }
    common.console.result("\(prompt.id.short)  \(prompt.line.escapedForDisplay)")
  }
}

/// `holdfast faith prompt next`
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

/// `holdfast faith prompt use`
struct PromptUseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Mark a prompt as used now.")

  @OptionGroup var record: RecordArgument<JournalPrompt>

  @Option(
    help: ArgumentHelp(
      "The entry that you wrote by it: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var entry: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, JournalPrompt.self)
    let entry = try entry.map { try JournalEntry.named($0, in: library).id }
    let prompt = try record.record(in: library)
    try common.console.show(library.faith.usePrompt(id: prompt.id, for: entry), "used")
  }
}

/// `holdfast faith prompt list`
struct PromptListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List prompts in the order in which they are next.")

  @OptionGroup var options: PromptOptions
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) {
      try $0.faith.prompts(in: options.category, limit: $1, offset: page.offset)
    }
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
