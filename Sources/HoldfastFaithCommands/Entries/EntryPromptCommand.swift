internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith entry prompt`
struct EntryPromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Show the prompt to write by next.",
    discussion: "holdfast faith entry write --prompt ID writes by it.")

  @OptionGroup var options: NextPromptOptions
  @OptionGroup var common: CommonOptions

  func run() throws { try options.show(common) }
}
