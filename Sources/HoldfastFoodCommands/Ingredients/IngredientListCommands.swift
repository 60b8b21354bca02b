internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food ingredient list`
struct IngredientListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List ingredients, most used first.")

  @Flag(help: "Only ingredients whose figures you have checked.")
  var verified = false

  @Option(
    help: ArgumentHelp(
      "Only ingredients of this category: \(IngredientCategory.words).", valueName: "category"),
    transform: { try IngredientCategory(named: $0) })
  var category: IngredientCategory?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) {
      try $0.food.ingredients(in: category, isVerified: verified, limit: $1, offset: page.offset)
    }
  }
}

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
