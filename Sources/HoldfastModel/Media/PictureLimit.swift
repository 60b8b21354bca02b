/// The largest picture that is decoded (DESIGN §5).
package enum PictureLimit {
  /// The longest side, in pixels.
  package static let side = 8192
  /// The most pixels.
  package static let pixels = 40_000_000

  /// Whether a picture of that size is decoded.
  package static func allows(width: Int, height: Int) -> Bool {
    width <= side && height <= side && width * height <= pixels
  }

  /// Refuses a picture that is not decoded.
  package static func check(width: Int, height: Int) throws(MediaError) {
    guard allows(width: width, height: height) else {
      throw MediaError(
        .tooLarge,
        "its picture is \(width) × \(height); at most \(side) × \(side) and "
          + "\(pixels / 1_000_000) million pixels are taken")
    }
  }
}
