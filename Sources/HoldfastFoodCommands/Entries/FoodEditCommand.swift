import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change an entry; only what you name changes.",
    """
    The sums of its day follow. A new time moves it to its new day. An empty --ingredient or \
    --said removes it.
    """)
  static let options =
    "--name, --quantity, --unit, --calories, --protein, --carbohydrates, --fat, --ingredient, "
    + "--compute, --said, --confidence or --at"

  @Option(parsing: .unconditional, help: "What it was.")
  var name: String?

  @Option(parsing: .unconditional, help: "How much, in the unit.")
  var quantity: Double?

  @Option(parsing: .unconditional, help: "The unit, such as g or slice.")
  var unit: String?

  @OptionGroup var figures: FigureOptions

  @Option(help: ArgumentHelp("The ingredient that it was.", valueName: "id"))
  var ingredient: String?

  @Flag(help: "Compute the nutrition from the amount and the ingredient.")
  var compute = false

  @OptionGroup var spoken: SpokenOptions

  var changes: [Change<FoodEntry>?] {
    [.set(\.foodName, name), .set(\.quantity, quantity), .set(\.unit, unit)]
      + figures.changes(\.nutrition) + [
        .set(\.rawDescription, spoken.said), .set(\.confidence, spoken.confidence),
        .moment(spoken.time),
      ]
  }

  func validate() throws {
    if compute, figures.isGiven {
      throw ValidationError("--compute contradicts the figures that you give.")
    }
    if ingredient == nil, !compute { try requireChange(changes, Self.options) }
  }

  func edit(
    _ id: UUID, in library: Library, now: Date, _ change: (inout FoodEntry) throws -> Void
  ) throws -> FoodEntry {
    let matched = try ingredient ?? library.record(FoodEntry.self, id: id)?.matchedIngredientID
    let ingredient = try matched?.nonBlank.map { try Ingredient.named($0, in: library) }
    return try library.food.edit(id: id, now: now) { entry in
      try change(&entry)
      if self.ingredient != nil { entry.matchedIngredientID = ingredient?.id }
      guard compute else { return }
      guard let ingredient, ingredient.id == entry.matchedIngredientID else {
        throw RuleError("the entry has no ingredient to compute from; give --ingredient")
      }
      entry.nutrition = try ingredient.nutrition(of: entry.quantity, entry.unit)
    }
  }
}
