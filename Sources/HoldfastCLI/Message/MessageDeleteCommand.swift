internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast message delete`
struct MessageDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete messages of your own.",
    discussion: "The messages that came with the library can be hidden, not deleted.")

  @Argument(help: "The messages' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite(.changing)
    let messages = try ids.map { try library.message(named: $0) }
    try common.console.deleting(messages, from: library, name: \.content) {
      try library.deleteMessage(id: $0.id)
      return []
    }
  }
}
