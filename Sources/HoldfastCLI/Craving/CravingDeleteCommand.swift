internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast craving delete`
struct CravingDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete cravings; the recordings that helped stay.")

  @Argument(help: "The cravings' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibraryToWrite(.changing)
    let cravings = try ids.map { try library.craving(named: $0) }
    try common.console.deleting(cravings, from: library, name: \.line) {
      try library.deleteCraving(id: $0.id)
      return []
    }
  }
}
