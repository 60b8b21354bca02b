/// The limits on the size of a picture that is decoded.
package enum PictureLimit {
  /// The longest allowed side, in pixels.
  package static let side = 8192
  /// The largest allowed number of pixels.
  package static let pixels = 40_000_000

  package static func check(width: Int, height: Int) throws(HoldfastError) {
    guard width <= side, height <= side, width * height <= pixels else {
      throw HoldfastError(
        .tooLarge,
        "its picture is \(width) × \(height); at most \(side) × \(side) and "
          + "\(pixels / 1_000_000) million pixels are accepted")
    }
  }
}
