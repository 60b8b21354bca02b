import Foundation
public import Holdfast

extension Ingredient {
  /// Returns the nutrition of an amount of this ingredient.
  ///
  /// - Parameters:
  ///   - quantity: The amount, in `unit`.
  ///   - unit: A mass (g, kg, mg) or the unit of a serving, in any case. For an ingredient whose
  ///     figures are those of 100 ml, also a volume (ml, cl, dl, l).
  /// - Throws: `RuleError` if the unit says nothing about the mass.
  public func nutrition(of quantity: Double, _ unit: String) throws(RuleError) -> Nutrition {
    nutrition.times(try grams(of: quantity, unit) / 100)
  }

  /// Returns the mass of an amount of this ingredient, in g.
  ///
  /// - Throws: `RuleError` if the unit says nothing about the mass.
  public func grams(of quantity: Double, _ unit: String) throws(RuleError) -> Double {
    let unit = unit.foldedForSearch.trimmingCharacters(in: .whitespaces)
    if let grams = Self.grams(of: unit) { return quantity * grams }
    if isMeasuredByVolume, let volume = Self.millilitres(of: unit) { return quantity * volume }
    let servings = servingSizeVariations.filter { serving in
      let own = serving.unit.foldedForSearch
      return own == unit || "\(own)s" == unit || own == "\(unit)s"
    }
    if let serving = servings.first(where: { $0.amount == quantity }) ?? servings.first {
      return quantity * serving.gramsEquivalent / serving.amount
    }
    throw RuleError(
      "\(name.escapedForDisplay): it is not known what 1 \(unit.cut(to: 40).escapedForDisplay) "
        + "weighs; give the nutrition, or a serving in grams")
  }

  /// Whether it is a drink or another liquid, whose label has the figures of 100 ml. They count as
  /// those of 100 g.
  public var isMeasuredByVolume: Bool { commonServingUnit.foldedForSearch == "ml" }

  /// The millilitres of one unit of volume; `nil` for any other unit.
  private static func millilitres(of unit: String) -> Double? {
    switch unit {
    case "ml": 1
    case "cl": 10
    case "dl": 100
    case "l": 1000
    default: nil
    }
  }

  /// The grams of one unit of mass; `nil` for any other unit.
  private static func grams(of unit: String) -> Double? {
    switch unit {
    case "g": 1
    case "kg": 1000
    case "mg": 0.001
    default: nil
    }
  }
}
