/// A person's experience points (XP), and the level that follows from them.
public struct HabitLevel: Codable, Hashable, Sendable {
  /// The factor of the formula: level L begins at 300 · (L − 1)² XP.
  static let factor = 300

  /// The sum of all XP.
  public let totalXP: Int
  /// The level, from 1.
  public let currentLevel: Int
  /// The XP earned within the level.
  public let xpForCurrentLevel: Int
  /// The XP of the whole level.
  public let xpForNextLevel: Int

  /// The largest sum. A Double still tells its square root from the others.
  private static let largest = 1 << 50

  /// Computes the level of a sum of XP. A negative sum counts as 0.
  public init(totalXP: Int) {
    let total = min(max(totalXP, 0), Self.largest)
    var steps = Int((Double(total) / Double(Self.factor)).squareRoot())
    // The root was rounded.
    while Self.start(steps) > total { steps -= 1 }
    while Self.start(steps + 1) <= total { steps += 1 }
    self.totalXP = total
    currentLevel = steps + 1
    xpForCurrentLevel = total - Self.start(steps)
    xpForNextLevel = Self.factor * (2 * steps + 1)
  }

  /// Returns the XP at which a level begins, from the number of levels before it.
  private static func start(_ steps: Int) -> Int { factor * steps * steps }
}
