import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct MessageNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show a message for this moment, and count it as shown.",
    discussion: """
      Anxious, Bored and Social have messages of their own; any other trigger is an urge. If you \
      give several, Anxious decides before Bored, Bored before Social, and Social before all \
      others, in whatever order you give them. Without a trigger, --context decides.

      The message that was shown least often comes first. It is shown at once and counted \
      afterwards. If another command writes for longer than five seconds, it is not counted.
      """)

  @Option(
    name: .customLong("trigger"),
    help: triggerHelp("What you feel; may be given more than once."),
    completion: Trigger.completion, transform: { try Trigger(named: $0) })
  var triggers: [Trigger] = []

  @Option(
    help: ArgumentHelp(
      "The kind of moment, if you give no trigger: \(MessageCategory.words).", valueName: "category"
    ),
    transform: { try MessageCategory(named: $0) })
  var context: MessageCategory = .urge

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    // Opened for reading, so that the message is shown at once even if another command is writing.
    let message = try common.openLibrary(for: .reading)
      .nextMessage(for: MessageCategory(triggers: triggers, context: context))
    if console.isJSON {
      try console.json(message)
    } else {
      console.result(message.content.escapedForDisplay)
    }
    _ = try common.writeBriefly(orElse: "the message was not counted as shown") {
      try $0.countShowing(id: message.id)
    }
  }
}
