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
    try common.list(page) {
      try $0.food.ingredients(containing: text, limit: $1, offset: page.offset)
    }
  }
}
