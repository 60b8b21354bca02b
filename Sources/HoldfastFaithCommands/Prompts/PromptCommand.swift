internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
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
    let record = record(now: Date())
    try common.openLibrary(for: .writing, .faith).faith.add(record)
    try common.console.show(record, "added")
  }

  private func record(now: Date) -> JournalPrompt {
    JournalPrompt(prompt: prompt, category: category, createdAt: now)
  }
}

/// `holdfast faith prompt edit`
struct PromptEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a prompt; only what you name changes.")

  @OptionGroup var record: RecordArgument

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The question or thought.", valueName: "text"))
  var prompt: String?

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if prompt == nil, category == nil {
      throw ValidationError("Name what to change: --prompt or --category.")
    }
  }

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(JournalPrompt.self, idPrefix: record.id)
    let changed = try faith.edit(JournalPrompt.self, id: before.id) { record in
      if let prompt { record.prompt = prompt }
      if let category { record.category = category }
    }
    try common.console.show(changed, "changed")
  }
}
