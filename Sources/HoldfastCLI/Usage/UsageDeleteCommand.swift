internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast usage delete`
struct UsageDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete usage.")

  @Argument(help: "The entries' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite(.changing)
    let usage = try ids.map { try library.usage(named: $0) }
    try common.console.deleting(usage, from: library, name: \.line) {
      try library.deleteUsage(id: $0.id)
      return []
    }
  }
}
