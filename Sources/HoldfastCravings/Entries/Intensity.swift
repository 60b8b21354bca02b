public import Holdfast

/// How strong a craving is, from 1 to 10.
public struct Intensity: Hashable, Comparable, Sendable, Codable {
  /// The allowed values of an intensity.
  public static let range = 1...10

  /// The intensity as a number.
  public let value: Int

  /// Makes an intensity from a number from 1 to 10.
  ///
  /// - Throws: `RuleError` for any other number.
  public init(_ value: Int) throws(RuleError) {
    guard Self.range.contains(value) else {
      throw RuleError("intensity \(value): an intensity goes from 1 to 10")
    }
    self.value = value
  }

  /// Reads a number from 1 to 10.
  ///
  /// - Throws: `RuleError` for any other number.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(Int.self))
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  /// Returns whether the left intensity is weaker than the right one.
  public static func < (left: Intensity, right: Intensity) -> Bool { left.value < right.value }

  /// The category of this intensity.
  public var category: IntensityCategory {
    switch value {
    case ...3: .mild
    case ...6: .moderate
    case ...9: .strong
    default: .overwhelming
    }
  }
}

/// The meaning of an intensity to the person who has it.
public enum IntensityCategory: String, Codable, Hashable, Sendable, CaseIterable {
  /// 1 to 3.
  case mild
  /// 4 to 6.
  case moderate
  /// 7 to 9.
  case strong
  /// 10.
  case overwhelming

  /// The category's name for a person to read.
  public var label: String {
    switch self {
    case .mild: "Mild (manageable)"
    case .moderate: "Moderate (uncomfortable)"
    case .strong: "Strong (urgent)"
    case .overwhelming: "Overwhelming (crisis)"
    }
  }
}
