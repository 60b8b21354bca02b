import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb

extension Double {
  /// The number with all its digits, for a field of a form.
  var fieldText: String { self == rounded() && self < 1e15 ? "\(Int64(self))" : "\(self)" }
}

extension Nutrition {
  /// The figures as one line, without those of 0; `nil` if none is known.
  var text: String? {
    let parts = [
      (calories, "kcal"), (protein, "g protein"), (carbohydrates, "g carbohydrates"),
      (fat, "g fat"),
    ]
    return parts.filter { $0.0 != 0 }.map { "\($0.foodText) \($1)" }.joined(separator: " · ")
      .nonBlank
  }
}

extension Form {
  /// The number in a field; `nil` if it is empty. A text that is not a number throws `RuleError`.
  func number(_ name: String, _ noun: String) throws -> Double? {
    guard let text = self[name] else { return nil }
    let plain = text.trimmingCharacters(in: .whitespaces).replacing(",", with: ".")
    guard let number = Double(plain), number.isFinite else {
      throw RuleError("\(noun) is not a number: write it like 2 or 1.5")
    }
    return number
  }

  /// The four figures that were filled in, or those of `other` where a field is empty.
  func nutrition(else other: Nutrition) throws -> Nutrition {
    Nutrition(
      calories: try number("calories", "the energy") ?? other.calories,
      protein: try number("protein", "the protein") ?? other.protein,
      carbohydrates: try number("carbohydrates", "the carbohydrates") ?? other.carbohydrates,
      fat: try number("fat", "the fat") ?? other.fat)
  }

  var hasAllFigures: Bool {
    ["calories", "protein", "carbohydrates", "fat"].allSatisfy { self[$0] != nil }
  }
}
