internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food show`
struct FoodShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about an entry.")

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let entry = try common.openLibrary(for: .reading, .food).food.entry(idPrefix: id)
    if console.isJSON { return try console.json(entry) }
    console.details(entry.details)
  }
}
