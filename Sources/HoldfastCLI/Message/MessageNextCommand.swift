internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast message next`
struct MessageNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show the message for this moment, and count the showing.",
    discussion: """
      Anxious, Bored and Social have messages of their own; any other trigger is an urge. Without a \
      trigger, --context decides. The least shown message comes first.
      """)

  @Option(
    name: .customLong("trigger"),
    help: ArgumentHelp(
      "What you feel; can be given several times: \(Trigger.words).", valueName: "trigger"),
    transform: { try Trigger(named: $0) })
  var triggers: [Trigger] = []

  @Option(
    help: ArgumentHelp("Without a trigger: \(MessageCategory.words).", valueName: "category"),
    transform: { try MessageCategory(named: $0) })
  var context: MessageCategory = .urge

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibraryToWrite()
    let message = try library.nextMessage(
      for: MessageCategory(triggers: triggers, context: context))
    if console.isJSON { return try console.json(message) }
    console.result(message.content.escapedForDisplay)
  }
}
