import Holdfast

/// A craving as JSON, as the command and the web show it: its columns under their names in the
/// catalog, and the category of its intensity.
public struct CravingOutput: Encodable, Sendable {
  private let craving: Craving

  private enum Own: String, CodingKey { case intensityCategory }

  /// Makes the JSON of a craving.
  public init(_ craving: Craving) { self.craving = craving }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws {
    try craving.encode(to: encoder)
    var values = encoder.container(keyedBy: Own.self)
    try values.encode(craving.intensity.category, forKey: .intensityCategory)
  }
}

extension Craving {
  /// The craving with the category of its intensity.
  public var output: any Encodable { CravingOutput(self) }
}
