import Foundation
public import Holdfast

/// Where a person was: one of a few kinds of place, or coordinates.
public enum Location: Hashable, Sendable, Codable {
  /// A kind of place.
  case place(Place)
  /// Degrees north and east, rounded to six decimals (about 11 cm).
  case coordinates(latitude: Double, longitude: Double)

  /// The kinds of place.
  public enum Place: String, Vocabulary {
    /// At home.
    case home = "Home"
    /// At work.
    case work = "Work"
    /// Among people.
    case social = "Social"
    /// Outdoors.
    case outside = "Outside"
    /// In a car.
    case car = "Car"

    /// The name for one of the words: "location".
    public static var noun: String { "location" }
  }

  /// Reads a place's name in any case, or "latitude,longitude" in decimal degrees.
  ///
  /// - Throws: `RuleError` for any other text. For coordinates out of range, it names the allowed
  ///   range.
  public init(_ text: String) throws(RuleError) {
    guard text.contains(",") else {
      do throws(RuleError) {
        self = .place(try Place(named: text))
      } catch {
        throw RuleError("\(error.description), or write latitude,longitude")
      }
      return
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else {
      throw RuleError(
        "location \"\(text.escapedForDisplay)\": write latitude,longitude in decimal degrees, "
          + "such as 52.52,13.405")
    }
    self = .coordinates(latitude: latitude, longitude: longitude)
    try validate(as: text)
  }

  /// Refuses coordinates outside their range.
  ///
  /// - Parameter shown: The text that a person wrote; by default the text that would be stored.
  func validate(as shown: String? = nil) throws(RuleError) {
    guard case .coordinates(let latitude, let longitude) = self else { return }
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw RuleError(
        "location \"\((shown ?? text).escapedForDisplay)\": a latitude goes from -90 to 90, and a "
          + "longitude from -180 to 180")
    }
  }

  /// Accepts only digits with a sign and a point, not the other texts that `Double` reads: `inf`,
  /// `nan`, `0x1p3`, `1e9`.
  private static func degrees(_ text: String) -> Double? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1, !digits.isEmpty,
      digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), digits.first != ".",
      digits.last != "."
    else { return nil }
    return Double(text).map { ($0 * 1e6).rounded() / 1e6 + 0 }
  }

  /// The location as it is stored.
  public var text: String {
    switch self {
    case .place(let place): place.rawValue
    case .coordinates(let latitude, let longitude):
      "\(Self.text(latitude)),\(Self.text(longitude))"
    }
  }

  /// The location for lists and summaries, which another person may see: coordinates are only
  /// "Current Location".
  public var label: String {
    switch self {
    case .place(let place): place.rawValue
    case .coordinates: Self.coordinatesLabel
    }
  }

  /// The word for coordinates where they are hidden.
  static let coordinatesLabel = "Current Location"

  /// The word for a location that was not given.
  public static let unknownLabel = "Unknown"

  private static func text(_ degrees: Double) -> String {
    // Swift writes small numbers with an exponent, so use a format.
    let text = String(format: "%.6f", degrees)
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }

  /// Reads a location from its text.
  ///
  /// - Throws: `RuleError` for a text that is not a location.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the location as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
