internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast message next`
struct MessageNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show the message for this moment, and count the showing.",
    discussion: """
      Anxious, Bored and Social have messages of their own; any other trigger is an urge. Without a \
      trigger, --context decides. The least shown message comes first. It is shown at once, and \
      counted afterwards; while another command is writing for longer than five seconds it is not \
      counted.
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
    // Opened for reading, so that the message is shown at once even if another command is writing.
    let message = try common.openLibrary(for: .reading)
      .nextMessage(for: MessageCategory(triggers: triggers, context: context))
    if console.isJSON {
      try console.json(message)
    } else {
      console.result(message.content.escapedForDisplay)
    }
    _ = try common.writeBriefly(orElse: "the showing was not counted") {
      try $0.countShowing(id: message.id)
    }
  }
}
