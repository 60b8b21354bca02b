import ArgumentParser
import HoldfastConsole
import HoldfastFood
import HoldfastModel

struct IngredientServingEdit: IngredientEdit {
  static let verb = RecordVerb(
    "serving", done: "changed",
    abstract: "Set the weight of an ingredient's serving, or remove it.",
    discussion: "A serving of the same amount and unit is replaced.")

  @Option(parsing: .unconditional, help: "The amount, in the unit.")
  var amount = 1.0

  @Option(parsing: .unconditional, help: "The unit, such as slice.")
  var unit: String

  @Option(unconditional: "What it weighs, in g.", valueName: "g")
  var grams: Double?

  @Option(parsing: .unconditional, help: "What it is, in words (default: amount and unit).")
  var description: String?

  @Flag(help: "Remove the serving.")
  var remove = false

  func validate() throws {
    if (grams != nil) == remove { throw ValidationError("Give --grams, or --remove.") }
  }

  var changes: [Change<Ingredient>?] {
    let serving = grams.map { grams in
      ServingVariation(
        amount: amount, unit: unit, description: description ?? "\(amount.quantityText) \(unit)",
        gramsEquivalent: grams)
    }
    let change = Change<Ingredient>.set(amount) { ingredient, amount in
      let place = ingredient.servingSizeVariations.firstIndex {
        $0.amount == amount && $0.unit == unit
      }
      switch (place, serving) {
      case (let place?, let serving?): ingredient.servingSizeVariations[place] = serving
      case (let place?, nil): ingredient.servingSizeVariations.remove(at: place)
      case (nil, let serving?): ingredient.servingSizeVariations.append(serving)
      case (nil, nil):
        throw RuleError(
          "the ingredient has no serving of \(amount.quantityText) \(unit.escapedForDisplay)")
      }
    }
    return [change]
  }
}
