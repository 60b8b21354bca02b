internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food delete`
struct FoodDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete entries; their days and the recordings that you spoke them in are kept.")

  @Argument(help: "The entries' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading, .food)
    let entries = try ids.map { try known.food.entry(idPrefix: $0) }
    if !yes { try console.confirmDeleting(entries, name: \.line) }
    let library = try common.openLibrary(for: .writing, .food)
    try console.deleting(entries, from: library, name: \.line) {
      try library.food.delete(id: $0.id)
      return []
    }
  }
}
