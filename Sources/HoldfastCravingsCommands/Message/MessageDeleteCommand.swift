internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast message delete`
struct MessageDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete messages of your own.",
    discussion: "The messages that came with the library can be hidden, not deleted.")

  @Argument(help: "The messages' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading)
    let messages = try ids.map { try known.record(Message.self, idPrefix: $0) }
    if !yes { try console.confirmDeleting(messages, name: \.content) }
    let library = try common.openLibraryToWrite()
    try console.deleting(messages, from: library, name: \.content) {
      try library.deleteMessage(id: $0.id)
      return []
    }
  }
}
