import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb

/// The fields of an ingredient, with their first values.
struct IngredientFields: Sendable {
  var version: String?
  var name: String
  var categories: [Choice]
  var bases: [Choice]
  var calories: String
  var protein: String
  var carbohydrates: String
  var fat: String
  var serving: String
  var grams: String
  var isVerified: Bool

  init(_ ingredient: Ingredient?) {
    version = ingredient?.version
    name = ingredient?.name ?? ""
    categories = IngredientCategory.allCases.map {
      Choice($0.rawValue, $0.rawValue.capitalized, isChosen: $0 == ingredient?.category)
    }
    let isVolume = ingredient?.isMeasuredByVolume == true
    bases = [
      Choice("g", "100 g", isChosen: !isVolume), Choice("ml", "100 ml", isChosen: isVolume),
    ]
    calories = ingredient?.caloriesPer100g.fieldText ?? ""
    protein = ingredient?.proteinPer100g.fieldText ?? ""
    carbohydrates = ingredient?.carbsPer100g.fieldText ?? ""
    fat = ingredient?.fatPer100g.fieldText ?? ""
    let first = ingredient?.servingSizeVariations.first
    serving = first?.unit ?? ""
    grams = first.map { ($0.gramsEquivalent / $0.amount).fieldText } ?? ""
    isVerified = ingredient?.isVerified ?? false
  }

  /// The template of the fields, inside a form whose values have them as `fields`.
  static let html = #"""
    {{#fields}}{{#version}}<input type="hidden" name="version" value="{{.}}">{{/version}}\#
    <label for="name">Name</label>\#
    <input id="name" name="name" value="{{name}}" maxlength="200" required>
    <label for="category">What it is</label><select id="category" name="category">\#
    \#(Choice.options("categories"))</select>
    <label for="basis">The figures are those of</label><select id="basis" name="basis">\#
    \#(Choice.options("bases"))</select>
    <div class="pair"><p><label for="calories">Energy, kcal</label>\#
    <input type="number" id="calories" name="calories" value="{{calories}}" min="0" step="any" \#
    required></p>
    <p><label for="protein">Protein, g</label>\#
    <input type="number" id="protein" name="protein" value="{{protein}}" min="0" step="any"></p>
    <p><label for="carbohydrates">Carbs, g</label>\#
    <input type="number" id="carbohydrates" name="carbohydrates" value="{{carbohydrates}}" \#
    min="0" step="any"></p>
    <p><label for="fat">Fat, g</label>\#
    <input type="number" id="fat" name="fat" value="{{fat}}" min="0" step="any"></p></div>
    <fieldset><legend>A serving, if there is one</legend>
    <div class="pair"><p><label for="serving">One</label>\#
    <input id="serving" name="serving" value="{{serving}}" maxlength="40" placeholder="slice"></p>
    <p><label for="grams">is, in g or ml</label>\#
    <input type="number" id="grams" name="grams" value="{{grams}}" min="0" step="any"></p></div>\#
    </fieldset>
    <p><label class="check"><input type="checkbox" name="verified" value="1"{{#isVerified}} \#
    checked{{/isVerified}}> I checked these figures</label></p>{{/fields}}
    """#
}

extension Form {
  /// Applies the fields. Other servings than the first stay as they are.
  func fill(_ ingredient: inout Ingredient) throws {
    try expect(ingredient.version)
    let grams = try number("grams", "the weight of a serving")
    let serving = self["serving"]
    guard (serving == nil) == (grams == nil) else {
      throw RuleError("a serving has both a name and a weight in grams; give both, or neither")
    }
    ingredient.name = (self["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    ingredient.category = try IngredientCategory(named: self["category"] ?? "")
    ingredient.nutrition = try nutrition(else: Nutrition())
    let isVolume = self["basis"] == "ml"
    if isVolume != ingredient.isMeasuredByVolume {
      (ingredient.commonServingSize, ingredient.commonServingUnit) = (100, isVolume ? "ml" : "g")
    }
    var servings = Array(ingredient.servingSizeVariations.dropFirst())
    if let serving, let grams {
      let new = ServingVariation(
        amount: 1, unit: serving, description: "1 \(serving)", gramsEquivalent: grams)
      let kept = ingredient.servingSizeVariations.first.flatMap {
        $0.unit == serving && $0.gramsEquivalent / $0.amount == grams ? $0 : nil
      }
      servings.insert(kept ?? new, at: 0)
    }
    ingredient.servingSizeVariations = servings
    if (self["verified"] != nil) != ingredient.isVerified {
      ingredient.verificationStatus = self["verified"] != nil ? .verified : .pending
    }
  }
}
