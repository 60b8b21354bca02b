internal import Foundation

/// In which form something was used.
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

  /// "method"
  public static var noun: String { "method" }

  /// The smallest and the largest amount of one entry, in ``unit(for:)``.
  public var range: ClosedRange<Double> {
    switch self {
    case .bowls, .joints, .blunts: 0.5...5
    case .vape: 1...10
    case .dab: 1...5
    case .edible: 5...100
    }
  }

  /// What an amount must be a multiple of.
  public var step: Double {
    switch self {
    case .bowls, .joints, .blunts: 0.5
    case .vape, .dab: 1
    case .edible: 5
    }
  }

  /// What an amount is counted in.
  ///
  /// - Parameter amount: The amount: 1 is singular.
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

  /// An amount with its unit, such as "1.5 bowls".
  public func text(_ amount: Double) -> String {
    let number =
      amount == amount.rounded() && abs(amount) < 1e15
      ? String(Int(amount)) : String(format: "%.1f", amount)
    return "\(number) \(unit(for: amount))"
  }

  /// Refuses an amount outside the method's range, or between its steps.
  ///
  /// - Throws: ``RuleError`` with the range.
  public func validate(_ amount: Double) throws(RuleError) {
    guard range.contains(amount), (amount / step).rounded() * step == amount else {
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
