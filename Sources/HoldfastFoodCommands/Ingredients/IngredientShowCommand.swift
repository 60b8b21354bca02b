internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient show`
struct IngredientShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about an ingredient.")

  @Argument(help: "The ingredient's id.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let ingredient = try common.openLibrary(for: .reading, .food).food.ingredient(named: id)
    if console.isJSON { return try console.json(ingredient) }
    console.details(ingredient.details)
  }
}
