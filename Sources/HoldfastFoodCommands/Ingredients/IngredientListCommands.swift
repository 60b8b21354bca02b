import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct IngredientList: RecordFilter {
  static let verb = RecordVerb.list("List ingredients, most used first.")

  @Flag(help: "Only ingredients whose figures you have checked.")
  var verified = false

  @Option(
    word: "Only ingredients of this category: \(IngredientCategory.words).", valueName: "category")
  var category: IngredientCategory?

  func records(in library: Library, limit: Int, offset: Int) throws -> [Ingredient] {
    try library.food.ingredients(
      in: category, isVerified: verified, limit: limit, offset: offset)
  }
}

struct IngredientSearch: RecordFilter {
  static let verb = RecordVerb("search", done: "", abstract: "Find ingredients, most used first.")

  @Argument(help: "What a name or an alias contains, in any case and with or without accents.")
  var text: String

  func records(in library: Library, limit: Int, offset: Int) throws -> [Ingredient] {
    try library.food.ingredients(containing: text, limit: limit, offset: offset)
  }
}
