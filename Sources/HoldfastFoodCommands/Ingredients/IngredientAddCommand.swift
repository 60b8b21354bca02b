import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFood

struct NewIngredient: NewRecord {
  static let verb = RecordVerb.add(
    "Add an ingredient.",
    """
    Give at least --name, --calories, --protein, --carbohydrates, --fat and --category. The \
    serving is 100 g unless you give another, and the source custom.
    """)

  @Argument(help: "A new id of your choice: letters, digits, and . _ : -")
  var id: String

  @OptionGroup var options: IngredientOptions

  @Option(
    name: .customLong("alias"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Another name; may be given more than once.", valueName: "name"))
  var aliases: [String] = []

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A word about it; may be given more than once.", valueName: "word"))
  var tags: [String] = []

  var changes: [Change<Ingredient>?] { options.changes }

  func record(now: Date) throws -> Ingredient {
    guard let name = options.name, let nutrition = options.figures.nutrition,
      let category = options.category
    else {
      throw ValidationError(
        "Give --name, --calories, --protein, --carbohydrates, --fat and --category.")
    }
    var ingredient = Ingredient(
      id: id, name: name, nutrition: nutrition, commonServingSize: 100, commonServingUnit: "g",
      category: category, source: .custom, createdAt: now)
    for alias in aliases { ingredient.addAlias(alias) }
    for tag in tags { ingredient.addTag(tag) }
    return ingredient
  }

  static func write(_ ingredient: Ingredient, to db: any RecordDatabase, now: Date) throws {
    try db.add(ingredient)
  }
}
