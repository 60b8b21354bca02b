internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast usage delete`
struct UsageDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete usage.")

  @Argument(help: "The entries' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading)
    let usage = try ids.map { try known.record(Usage.self, idPrefix: $0) }
    if !yes { try console.confirmDeleting(usage, name: \.line) }
    let library = try common.openLibraryToWrite()
    try console.deleting(usage, from: library, name: \.line) {
      try library.delete(Usage.self, id: $0.id)
      return []
    }
  }
}
