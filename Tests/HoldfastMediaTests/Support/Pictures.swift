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

/// How similar two pictures are, from the output of ffmpeg's `ssim` filter.
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
  var (sum, index) = (0, 0)
  left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      while index < left.count {
        sum &+= abs(Int(left[index]) &- Int(right[index]))
        index &+= 1
      }
    }
  }
  return Double(sum) / Double(left.count)
}

/// How similar the pictures of two files are by ffmpeg's `ssim`, picture by picture, after filters.
func likeness(
  _ left: String, _ leftFilters: String = "null", to right: String, _ rightFilters: String = "null"
) async throws -> Double {
  let graph =
    "[0:v]\(leftFilters),settb=1/25,setpts=N[a];[1:v]\(rightFilters),settb=1/25,setpts=N[b];"
    + "[a][b]ssim=shortest=1"
  let result = try await Command.output(
    of: "ffmpeg", ["-i", left, "-i", right, "-lavfi", graph, "-f", "null", "-"])
  return try similarity(result.errorOutput)
}

/// How similar a thumbnail is to a file's first picture after filters.
func likeness(ofThumbnail path: String, to source: String, _ filters: String) async throws -> Double
{
  let (width, height) = try await JPEGFile.dimensions(path)
  // Through RGB, as on a screen: neither keeps colours beyond it.
  return try await likeness(
    path, "scale=in_range=pc:in_color_matrix=bt601,format=gbrp,format=yuv420p",
    to: source,
    "\(filters),scale=\(width):\(height):flags=area:in_color_matrix=bt709,format=gbrp,"
      + "format=yuv420p")
}

/// The values of fields of a file's first video stream, in ffprobe's order.
func videoFields(_ names: String, of path: String) async throws -> String {
  let result = try await Command.output(
    of: "ffprobe",
    [
      "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=\(names)", "-of",
      "csv=p=0", path,
    ])
  return result.output.split(separator: "\n").first.map(String.init) ?? ""
}
