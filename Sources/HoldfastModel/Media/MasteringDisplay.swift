/// The display on which a high-dynamic-range picture was mastered, and how bright the picture gets
/// (SMPTE ST 2086, CTA-861.3).
///
/// The figures are the whole numbers of ITU-T H.265, D.2.28 and D.2.35.
public struct MasteringDisplay: Codable, Hashable, Sendable {
  /// The chromaticities of red, green, blue and white, x before y, in 50,000ths, followed by the
  /// minimum and the maximum luminance, in 10,000ths of a candela per square metre. `nil` if they
  /// are not known.
  public let display: [UInt32]?
  /// The brightness of the brightest pixel, and the highest average brightness of a picture, in
  /// candelas per square metre. `nil` if they are not known.
  public let light: [UInt32]?

  /// Makes a description.
  ///
  /// - Returns: `nil` if nothing is known, or if a list does not have the right number of figures.
  public init?(display: [UInt32]?, light: [UInt32]?) {
    guard display?.count ?? 10 == 10, light?.count ?? 2 == 2, display != nil || light != nil else {
      return nil
    }
    self.display = display
    self.light = light
  }

  /// Reads a description.
  ///
  /// - Throws: `DecodingError` if figures are missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let read = MasteringDisplay(
        display: try values.decodeIfPresent([UInt32].self, forKey: .display),
        light: try values.decodeIfPresent([UInt32].self, forKey: .light))
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "Figures are missing."))
    }
    self = read
  }
}
