internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast craving delete`
struct CravingDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete cravings; the recordings that helped are kept.")

  @Argument(help: "The cravings' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading)
    let cravings = try ids.map { try known.record(Craving.self, idPrefix: $0) }
    if !yes { try console.confirmDeleting(cravings, name: \.line) }
    let library = try common.openLibraryToWrite()
    try console.deleting(cravings, from: library, name: \.line) {
      try library.delete(Craving.self, id: $0.id)
      return []
    }
  }
}
