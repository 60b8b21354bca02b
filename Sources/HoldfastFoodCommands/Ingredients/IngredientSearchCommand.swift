internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient search`
struct IngredientSearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find ingredients, most used first.")

  @Argument(help: "What a name or an alias contains, in any case and with or without accents.")
  var text: String

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let food = try common.openLibrary(for: .reading, .food).food
    try common.console.page(page) { limit in
      try food.ingredients(containing: text, limit: limit, offset: page.offset)
    }
  }
}
