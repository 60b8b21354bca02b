import Foundation

/// The library behind the FFmpeg filters that compare pictures.
enum Zimg {
  /// Whether its AVX-512 code runs here, which cuts colours outside BT.709 before tone mapping.
  /// Elsewhere they are cut afterwards, as in Holdfast.
  static let cutsColours =
    (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains(" avx512f") ?? false

  /// The most colour with which a pattern is tone-mapped alike everywhere.
  static let saturation = cutsColours ? "0.05" : "0.6"
}
