internal import ArgumentParser
internal import Holdfast
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
      var table = TextTable([
        .init(heading: "ID"), .init(heading: "CATEGORY"),
        .init(heading: "PRIORITY", alignment: .right), .init(heading: "SHOWN", alignment: .right),
        .init(heading: ""), .init(heading: "MESSAGE"),
      ])
      for message in messages {
        let state = message.isActive ? message.isCustom ? "own" : "" : "hidden"
        table.add([
          message.id.short, message.category.rawValue, "\(message.priority)",
          "\(message.timesShown)", state, message.content,
        ])
      }
      // A message is meant to be read in full, so it is wrapped by the terminal and not cut.
      console.result(table.lines(fitting: nil).joined(separator: "\n"))
    }
    console.note("\(messages.count.counted("message")).")
  }
}
