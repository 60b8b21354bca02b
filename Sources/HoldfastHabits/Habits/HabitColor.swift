public import Holdfast

/// A colour, as `#RRGGBBAA` in upper case.
public struct HabitColor: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The colour as `#RRGGBBAA`.
  public let description: String

  /// The default colour of a habit.
  public static let blue = HabitColor(verbatim: "#0000FFFF")

  private init(verbatim text: String) { description = text }

  /// Reads a colour: `#RRGGBB` or `#RRGGBBAA`, in any case.
  ///
  /// - Throws: `RuleError` for any other text.
  public init(_ text: String) throws(RuleError) {
    let digits = text.dropFirst().uppercased()
    guard text.hasPrefix("#"), [6, 8].contains(digits.utf8.count),
      digits.utf8.allSatisfy({ "0123456789ABCDEF".utf8.contains($0) })
    else {
      throw RuleError(
        "\"\(text.cut(to: 40).escapedForDisplay)\" is not a colour; write it like #0000FF or "
          + "#0000FFFF")
    }
    description = "#" + digits + (digits.utf8.count == 6 ? "FF" : "")
  }

  /// Makes a colour from its parts, each from 0 to 1.
  ///
  /// - Throws: `RuleError` for a number outside 0 to 1.
  public init(red: Double, green: Double, blue: Double, alpha: Double) throws(RuleError) {
    var text = "#"
    for part in [red, green, blue, alpha] {
      guard (0...1).contains(part) else {
        throw RuleError("a part of a colour is \(part); it goes from 0 to 1")
      }
      let digits = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
      text += digits.count == 1 ? "0\(digits)" : digits
    }
    description = text
  }

  /// Reads a colour from JSON.
  ///
  /// - Throws: `RuleError` for a text that is not a colour.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the colour as `#RRGGBBAA`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
