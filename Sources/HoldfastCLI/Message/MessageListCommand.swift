internal import ArgumentParser
internal import HoldfastModel

/// `holdfast message list`
struct MessageListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the messages by category and priority.")

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let messages = try common.openLibrary(for: .reading).messages(category: category)
    if console.isJSON { return try console.json(messages) }
    if !messages.isEmpty {
      let table = TextTable(
        ["ID", "CATEGORY", ">PRIORITY", ">SHOWN", "", "MESSAGE"],
        messages.map { message in
          [
            message.id.short, message.category.rawValue, "\(message.priority)",
            "\(message.timesShown)",
            message.isActive ? (message.isCustom ? "own" : "") : "hidden", message.content,
          ]
        })
      console.result(table)
    }
    console.note("\(messages.count) \(messages.count == 1 ? "message" : "messages").")
  }
}
