/// The limits on a photo that is taken into a library.
public enum PhotoLimit {
  /// The largest file, in bytes.
  public static let bytes = 50_000_000
  /// The most pixels of a JPEG, whose picture data is copied. Pictures in other formats are
  /// decoded, and have the limits of a video's pictures.
  public static let pixels = 100_000_000
  /// The quality of the JPEG that is made of another format, from 1 to 100.
  package static let quality: Int32 = 92
  /// The names that a probe gives to what a photo keeps beside its picture: its orientation and the
  /// meaning of its colours.
  package static let extras: Set = ["orientation", "colour profile", "colour transform"]
  /// The largest file that a photo may become, in bytes.
  package static let mostBytes = 64 << 20
}

/// The photo that was written: a JPEG without metadata.
public struct PhotoReport: Codable, Hashable, Sendable {
  /// The size in pixels, as it is stored.
  public var size: PictureSize
  /// The number of bytes written.
  public var bytes: Int
  /// Whether the picture data was copied from a JPEG.
  public var isCopied: Bool

  /// Makes a report.
  public init(size: PictureSize, bytes: Int, isCopied: Bool) {
    self.size = size
    self.bytes = bytes
    self.isCopied = isCopied
  }
}
