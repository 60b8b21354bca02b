/// On what display a picture in high dynamic range was made, and how bright it gets (SMPTE ST 2086,
/// CTA-861.3), in the whole numbers of ITU-T H.265, D.2.28 and D.2.35.
public struct MasteringDisplay: Codable, Hashable, Sendable {
  /// The chromaticities of red, green, blue and white, x before y, in 50,000ths; then the least and the
  /// greatest luminance, in 10,000ths of a candela per square metre. `nil` if they are not known.
  public let display: [UInt32]?
  /// The greatest brightness of a pixel, and of a picture on average, in candelas per square metre; `nil`
  /// if they are not known.
  public let light: [UInt32]?

  /// Makes a description.
  ///
  /// - Returns: `nil` if nothing is known, or if the figures are not as many as there must be.
  public init?(display: [UInt32]?, light: [UInt32]?) {
    guard display?.count ?? 10 == 10, light?.count ?? 2 == 2, display != nil || light != nil else {
      return nil
    }
    self.display = display
    self.light = light
  }

  /// Reads a description.
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
