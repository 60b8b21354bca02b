internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast message add`
struct MessageAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a message of your own.")

  @Argument(help: "The words; at most \(Message.longestContent) characters.")
  var content: String

  @Option(help: categoryHelp, transform: { try MessageCategory(named: $0) })
  var category: MessageCategory = .urge

  @Option(
    parsing: .unconditional,
    help: """
      Of messages shown equally often, the one with the lowest priority comes first. Those that came \
      with the library have 1 to 3.
      """)
  var priority = 0

  @OptionGroup var common: CommonOptions

  private var message: Message {
    Message(content: content, category: category, priority: priority, createdAt: Date())
  }

  func validate() throws { try validating { try message.validate() } }

  func run() throws { try common.add(message) }
}
