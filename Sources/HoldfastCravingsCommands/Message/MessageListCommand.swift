public import ArgumentParser
import Holdfast
import HoldfastConsole
public import HoldfastCravings

struct MessageListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the messages that may be shown.",
    discussion: """
      They are in the order of their categories. In a category, the lowest priority comes first, \
      then the least shown.
      """)

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory?

  @Flag(help: "Only messages of your own.")
  var custom = false

  @Flag(help: "Only the messages that you hid, instead of those that may be shown.")
  var hidden = false

  @Option(
    help: """
      The order: by category and priority, or the least shown of all first, as message next \
      chooses.
      """)
  var sort: MessageQuery.Sort = .priority

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let messages = try library.messages(
      matching: MessageQuery(
        category: category, isCustom: custom ? true : nil, isActive: !hidden, sort: sort))
    if console.isJSON { return try console.json(messages) }
    if !messages.isEmpty {
      let table = try Message.table(of: messages[...], in: library)
      // A message is meant to be read in full, so it is wrapped by the terminal and not cut.
      console.result(table.lines(fitting: nil).joined(separator: "\n"))
    }
    console.note("\(messages.count.counted("message")).")
  }
}

extension MessageQuery.Sort: ExpressibleByArgument {}
