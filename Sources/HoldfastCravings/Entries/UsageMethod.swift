import Foundation
public import Holdfast

/// The form in which something was used.
public enum UsageMethod: String, Vocabulary {
  /// Pipes and bongs.
  case bowls = "Bowls"
  /// Rolled in paper.
  case joints = "Joints"
  /// Rolled in tobacco leaf.
  case blunts = "Blunts"
  /// Vaporised.
  case vape = "Vape"
  /// Concentrates.
  case dab = "Dab"
  /// Eaten.
  case edible = "Edible"

  /// The name for one of the words: "method".
  public static var noun: String { "method" }

  /// The smallest and the largest amount of one entry, in the unit that ``unit(for:)`` names.
  public var range: ClosedRange<Double> {
    switch self {
    case .bowls, .joints, .blunts: 0.5...5
    case .vape: 1...10
    case .dab: 1...5
    case .edible: 5...100
    }
  }

  /// The step between amounts. Every amount is a multiple of it.
  public var step: Double {
    switch self {
    case .bowls, .joints, .blunts: 0.5
    case .vape, .dab: 1
    case .edible: 5
    }
  }

  /// The amounts that a person can choose from, smallest first, in the unit that ``unit(for:)``
  /// names. No other amount is accepted.
  public var amounts: [Double] {
    // Halves and whole numbers are exact, and so are their sums.
    Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
  }

  /// Returns the unit of an amount.
  ///
  /// - Parameter amount: The amount, which decides between singular (1) and plural.
  public func unit(for amount: Double) -> String {
    switch self {
    case .bowls: amount == 1 ? "bowl" : "bowls"
    case .joints: amount == 1 ? "joint" : "joints"
    case .blunts: amount == 1 ? "blunt" : "blunts"
    case .vape: amount == 1 ? "pull" : "pulls"
    case .dab: amount == 1 ? "dab" : "dabs"
    case .edible: "mg"
    }
  }

  /// Returns an amount with its unit, such as "1.5 bowls".
  public func text(_ amount: Double) -> String { "\(Self.number(amount)) \(unit(for: amount))" }

  /// Returns an amount without its unit, such as "1.5".
  package static func number(_ amount: Double) -> String {
    amount == amount.rounded() && abs(amount) < 1e15 ? String(Int(amount)) : amount.oneDecimal
  }

  /// Refuses an amount that is not one of ``amounts``.
  ///
  /// - Throws: `RuleError` with the range and the steps.
  public func validate(_ amount: Double) throws(RuleError) {
    guard amounts.contains(amount) else {
      let steps =
        switch step {
        case 0.5: "in halves"
        case 5: "in fives"
        default: "in whole numbers"
        }
      throw RuleError(
        "amount \(amount): \(rawValue) goes from \(text(range.lowerBound)) to "
          + "\(text(range.upperBound)), \(steps)")
    }
  }
}
