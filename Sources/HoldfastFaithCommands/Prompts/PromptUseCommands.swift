internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The options of the commands that show the next prompt.
struct NextPromptOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only prompts of this category, in any case.", valueName: "category"))
  var category: String?

  /// Prints the next prompt.
  func show(_ common: CommonOptions) throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    guard let prompt = try faith.nextPrompt(in: category) else {
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

  @OptionGroup var options: NextPromptOptions
  @OptionGroup var common: CommonOptions

  func run() throws { try options.show(common) }
}

/// `holdfast faith prompt use`
struct PromptUseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Mark a prompt as used now.")

  @OptionGroup var record: RecordArgument

  @Option(
    help: ArgumentHelp(
      "The entry that you wrote by it: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var entry: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let entry = try entry.map { try faith.record(JournalEntry.self, idPrefix: $0).id }
    let before = try faith.record(JournalPrompt.self, idPrefix: record.id)
    try common.console.show(faith.usePrompt(id: before.id, for: entry), "used")
  }
}

/// `holdfast faith prompt list`
struct PromptListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List prompts in the order in which they are next.")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only prompts of this category, in any case.", valueName: "category"))
  var category: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    try common.console.page(page) { limit in
      try faith.prompts(in: category, limit: limit, offset: page.offset)
    }
  }
}

extension JournalPrompt: ShownRecord {
  var line: String {
    [category.nonBlank, prompt].compactMap(\.self).joined(separator: ": ")
  }

  static let heading = "PROMPT"
  static let columns: [TextTable.Column] = [.init(heading: "USED")]
  var cells: [String] { [usedDate?.localText ?? "not yet"] }

  var facts: [(name: String, value: String?)] {
    [
      ("prompt", prompt), ("category", category.nonBlank), ("used", usedDate?.localText),
      ("entry", entryID?.uuidString),
    ]
  }
}
