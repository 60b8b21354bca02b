/// The format of a stream's picture.
public struct PictureFormat: Codable, Hashable, Sendable {
  /// How bright the picture can get.
  public enum DynamicRange: String, Codable, Hashable, Sendable {
    /// Standard dynamic range.
    case sdr
    /// Hybrid log-gamma (ARIB STD-B67).
    case hlg
    /// Perceptual quantizer (SMPTE ST 2084).
    case pq
  }

  /// Width in stored pixels.
  public var width: Int
  /// Height in stored pixels.
  public var height: Int
  /// Width of a pixel, as a share of ``pixelAspectHeight``.
  public var pixelAspectWidth: Int
  /// Height of a pixel, as a share of ``pixelAspectWidth``.
  public var pixelAspectHeight: Int
  /// How a viewer sees the stored picture.
  public var orientation: Orientation
  /// Average pictures a second; `nil` if unknown.
  public var frameRate: Double?
  /// The pixel format in FFmpeg's words, such as `yuv420p10le`; `nil` if unknown.
  public var pixelFormat: String?
  /// Bits of a sample; `nil` if unknown.
  public var bitDepth: Int?
  /// Standard or high dynamic range.
  public var dynamicRange: DynamicRange
  /// Whether its colours reach beyond those of a standard screen (BT.709): Display P3, BT.2020.
  public var isWideGamut: Bool
  /// What is said of the display that it was made on; `nil` for nothing.
  public var mastering: MasteringDisplay?

  /// Makes a format; a pixel aspect that is not positive is taken as square.
  public init(
    width: Int, height: Int, pixelAspectWidth: Int = 1, pixelAspectHeight: Int = 1,
    orientation: Orientation = .upright, frameRate: Double? = nil, pixelFormat: String? = nil,
    bitDepth: Int? = nil, dynamicRange: DynamicRange = .sdr, isWideGamut: Bool = false
  ) {
    self.width = width
    self.height = height
    let isSane = pixelAspectWidth > 0 && pixelAspectHeight > 0
    self.pixelAspectWidth = isSane ? pixelAspectWidth : 1
    self.pixelAspectHeight = isSane ? pixelAspectHeight : 1
    self.orientation = orientation
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
    self.bitDepth = bitDepth
    self.dynamicRange = dynamicRange
    self.isWideGamut = isWideGamut
  }

  /// The more of both in each respect, with the pixels' shape and the orientation of this one.
  public func union(_ other: PictureFormat) -> PictureFormat {
    var union = self
    union.width = max(width, other.width)
    union.height = max(height, other.height)
    union.bitDepth = [bitDepth, other.bitDepth].compactMap(\.self).max()
    if dynamicRange == .sdr { union.dynamicRange = other.dynamicRange }
    union.isWideGamut = isWideGamut || other.isWideGamut
    return union
  }

  /// The stored picture's size in square pixels, before any turn; never less than the stored one.
  ///
  /// The shorter direction is stretched, so that no line of the picture is lost.
  public var squarePixelSize: PictureSize {
    if pixelAspectWidth >= pixelAspectHeight {
      let width = Double(width) * Double(pixelAspectWidth) / Double(pixelAspectHeight)
      return PictureSize(width: Int(width.rounded()), height: height)
    }
    let height = Double(height) * Double(pixelAspectHeight) / Double(pixelAspectWidth)
    return PictureSize(width: width, height: Int(height.rounded()))
  }

  /// The size at which a viewer sees the picture: square pixels, upright.
  public var displaySize: PictureSize { squarePixelSize.turned(by: orientation) }
}

/// A picture's size in pixels.
public struct PictureSize: Codable, Hashable, Sendable {
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size after a turn: width and height change places at a quarter turn.
  public func turned(by orientation: Orientation) -> PictureSize {
    orientation.swapsSides ? PictureSize(width: height, height: width) : self
  }

  /// The same shape with even sides of at least 2, as 4:2:0 wants them.
  public var even: PictureSize {
    PictureSize(width: max(2, width / 2 * 2), height: max(2, height / 2 * 2))
  }

  /// The same shape at most `height` high; never scaled up.
  public func fitted(height most: Int) -> PictureSize {
    guard height > most else { return self }
    let scale = Double(most) / Double(height)
    return PictureSize(width: max(1, Int((Double(width) * scale).rounded())), height: most)
  }

  /// The same shape with its longer side at most `longSide`; never scaled up.
  public func fitted(longSide: Int) -> PictureSize {
    let longest = max(width, height)
    guard longest > longSide else { return self }
    let scale = Double(longSide) / Double(longest)
    return PictureSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }
}

/// How a stored picture is to be shown: mirrored or not, then turned clockwise.
public struct Orientation: Codable, Hashable, Sendable {
  /// The clockwise turn in degrees: 0, 90, 180 or 270.
  public var clockwise: Int
  /// Whether the stored picture is mirrored, left to right, before the turn.
  public var isMirrored: Bool

  /// Makes an orientation; `clockwise` is taken modulo 360 and rounded to a right angle.
  public init(clockwise: Int, isMirrored: Bool = false) {
    let quarters = Int((Double(clockwise) / 90).rounded())
    self.clockwise = ((quarters % 4) + 4) % 4 * 90
    self.isMirrored = isMirrored
  }

  /// Shown as it is stored.
  public static let upright = Orientation(clockwise: 0)

  /// Whether width and height change places.
  public var swapsSides: Bool { clockwise == 90 || clockwise == 270 }
}
