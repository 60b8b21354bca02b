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

  /// The width in stored pixels.
  public var width: Int
  /// The height in stored pixels.
  public var height: Int
  /// The width of a pixel in relation to ``pixelAspectHeight``.
  public var pixelAspectWidth: Int
  /// The height of a pixel in relation to ``pixelAspectWidth``.
  public var pixelAspectHeight: Int
  /// How a viewer sees the stored picture.
  public var orientation: Orientation
  /// The average number of pictures per second; `nil` if unknown.
  public var frameRate: Double?
  /// The pixel format as FFmpeg names it, such as `yuv420p10le`; `nil` if unknown.
  public var pixelFormat: String?
  /// The bits per sample; `nil` if unknown.
  public var bitDepth: Int?
  /// Whether the dynamic range is standard or high, and which kind of high.
  public var dynamicRange: DynamicRange
  /// Whether the colours reach beyond those of a standard screen (BT.709), such as Display P3 or
  /// BT.2020.
  public var isWideGamut: Bool
  /// The source's description of the display on which the picture was mastered; `nil` for none.
  public var mastering: MasteringDisplay?

  /// Makes a format. A pixel aspect that is not positive is replaced by square pixels.
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

  /// Returns a format with the larger value of the two in each respect. It keeps the pixel shape
  /// and the orientation of this one.
  public func union(_ other: PictureFormat) -> PictureFormat {
    var union = self
    union.width = max(width, other.width)
    union.height = max(height, other.height)
    union.bitDepth = [bitDepth, other.bitDepth].compactMap(\.self).max()
    if dynamicRange == .sdr { union.dynamicRange = other.dynamicRange }
    union.isWideGamut = isWideGamut || other.isWideGamut
    return union
  }

  /// The stored picture's size in square pixels, before any turn. It is never smaller than the
  /// stored size.
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

  /// The size at which a viewer sees the picture, upright and in square pixels.
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

  /// Returns the size after a turn. A quarter turn swaps width and height.
  public func turned(by orientation: Orientation) -> PictureSize {
    orientation.swapsSides ? PictureSize(width: height, height: width) : self
  }

  /// Nearly the same shape with even sides of at least 2 pixels, as 4:2:0 requires.
  public var even: PictureSize {
    PictureSize(width: max(2, width / 2 * 2), height: max(2, height / 2 * 2))
  }

  /// Returns the same shape, at most `height` pixels high. It is never scaled up.
  public func fitted(height most: Int) -> PictureSize { reduced(by: Double(most) / Double(height)) }

  /// Returns the same shape, with a longer side of at most `longSide` pixels. It is never scaled
  /// up.
  public func fitted(longSide: Int) -> PictureSize {
    reduced(by: Double(longSide) / Double(max(width, height)))
  }

  private func reduced(by scale: Double) -> PictureSize {
    guard scale < 1 else { return self }
    return PictureSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }
}

/// How to show a stored picture: mirrored or not, then turned clockwise.
public struct Orientation: Codable, Hashable, Sendable {
  /// The clockwise turn in degrees: 0, 90, 180 or 270.
  public var clockwise: Int
  /// Whether the stored picture is mirrored, left to right, before the turn.
  public var isMirrored: Bool

  /// Makes an orientation. `clockwise` is rounded to a right angle and taken modulo 360.
  public init(clockwise: Int, isMirrored: Bool = false) {
    let quarters = Int((Double(clockwise) / 90).rounded())
    self.clockwise = ((quarters % 4) + 4) % 4 * 90
    self.isMirrored = isMirrored
  }

  /// Shown as it is stored.
  public static let upright = Orientation(clockwise: 0)

  /// Whether the turn swaps width and height.
  public var swapsSides: Bool { clockwise == 90 || clockwise == 270 }
}
