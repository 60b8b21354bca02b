import Holdfast

/// The four figures of nutrition: of an amount of food, of 100 g of it, or of a day.
public struct Nutrition: Codable, Hashable, Sendable {
  /// Energy in kcal.
  public var calories: Double
  /// Protein in g.
  public var protein: Double
  /// Carbohydrates in g.
  public var carbohydrates: Double
  /// Fat in g.
  public var fat: Double

  /// The largest number in the diary's columns. SQLite alone would accept infinity.
  static let largest = 1e9

  /// Makes nutrition from its figures, all 0 by default.
  public init(
    calories: Double = 0, protein: Double = 0, carbohydrates: Double = 0, fat: Double = 0
  ) {
    self.calories = calories
    self.protein = protein
    self.carbohydrates = carbohydrates
    self.fat = fat
  }

  var figures: [(name: String, value: Double)] {
    [
      ("calories", calories), ("protein", protein), ("carbohydrates", carbohydrates), ("fat", fat),
    ]
  }

  /// Returns the nutrition of this multiple of the amount.
  public func times(_ factor: Double) -> Nutrition {
    Nutrition(
      calories: calories * factor, protein: protein * factor,
      carbohydrates: carbohydrates * factor, fat: fat * factor)
  }

  /// - Throws: `RuleError` for a figure that is negative or too large.
  func validate() throws(RuleError) {
    for (name, value) in figures { try value.validateNutrient(name) }
  }
}

extension Double {
  func validateNutrient(_ name: String) throws(RuleError) {
    guard (0...Nutrition.largest).contains(self) else {
      throw RuleError("\(name) \(self): it is 0 or more, and at most 1000000000")
    }
  }

  /// - Throws: `RuleError` for an amount that is not more than 0, or too large.
  func validateAmount(_ name: String) throws(RuleError) {
    guard self > 0, self <= Nutrition.largest else {
      throw RuleError("\(name) \(self): it is more than 0, and at most 1000000000")
    }
  }
}
