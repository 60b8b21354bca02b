import Foundation
import HoldfastTestSupport
import Testing

/// A corner of a picture; the fixtures have a white box over their stored top left one.
enum Corner: String, Hashable, Sendable, CaseIterable {
  case topLeft, topRight, bottomLeft, bottomRight

  /// The corners of a picture that are white.
  static func marked(in picture: JPEGFile.Picture) -> Set<Corner> {
    Set(
      allCases.filter { corner in
        let x = [.topLeft, .bottomLeft].contains(corner) ? 6 : picture.width - 7
        let y = [.topLeft, .topRight].contains(corner) ? 6 : picture.height - 7
        return picture.pixel(x: x, y: y).allSatisfy { $0 > 225 }
      })
  }
}

/// How alike two pictures are by ffmpeg's `ssim` filter, from what it printed.
func similarity(_ log: String) throws -> Double {
  let text = try #require(log.components(separatedBy: "All:").last)
  return try #require(Double(text.prefix { "0123456789.".contains($0) }))
}

/// The samples of a file's first picture in RGB, as ffmpeg decodes it.
func samples(_ path: String, filters: String = "null") async throws -> [UInt8] {
  try await Command.output(
    of: "ffmpeg",
    [
      "-v", "error", "-i", path, "-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-pix_fmt",
      "rgb24", "-",
    ]
  ).outputBytes
}

/// The average distance of two pictures' samples, from 0 to 255.
func distance(_ left: [UInt8], _ right: [UInt8]) throws -> Double {
  try #require(left.count == right.count && !left.isEmpty)
  let sum = zip(left, right).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  return Double(sum) / Double(left.count)
}
