import Foundation

/// The library behind FFmpeg's filters, with which pictures are compared.
enum Zimg {
  /// Whether it has its code for AVX-512 here, which cuts what BT.709 cannot show before the picture is toned down.
  /// Everywhere else that is cut afterwards, as Holdfast does it.
  static let cutsColours =
    (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains(" avx512f") ?? false

  /// How much colour a pattern may have to be toned down alike everywhere.
  static let saturation = cutsColours ? "0.05" : "0.6"
}
