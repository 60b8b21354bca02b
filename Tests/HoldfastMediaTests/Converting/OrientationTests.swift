import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A picture that is turned", .temporaryFolder)
struct OrientationTests {
  /// A display matrix, and the filters that store a picture so that the matrix shows it upright.
  struct Turn: Sendable, CustomTestStringConvertible {
    var name: String
    var matrix: [Double]
    var storing: String
    var testDescription: String { name }
  }

  /// The matrix's first column says where the stored picture's right goes, the second its bottom
  /// (ISO/IEC 14496-12, 8.3.2); the filters undo that.
  private static let rightAngles = [
    Turn(name: "upright", matrix: [1, 0, 0, 1], storing: "null"),
    Turn(name: "90°", matrix: [0, 1, -1, 0], storing: "transpose=cclock"),
    Turn(name: "180°", matrix: [-1, 0, 0, -1], storing: "hflip,vflip"),
    Turn(name: "270°", matrix: [0, -1, 1, 0], storing: "transpose=clock"),
    Turn(name: "mirrored", matrix: [-1, 0, 0, 1], storing: "hflip"),
    Turn(name: "mirrored 180°", matrix: [1, 0, 0, -1], storing: "vflip"),
    Turn(name: "transposed", matrix: [0, 1, 1, 0], storing: "transpose=cclock_flip"),
    Turn(name: "transposed 180°", matrix: [0, -1, -1, 0], storing: "transpose=clock_flip"),
  ]

  /// A moving picture of 160 by 90, stored by `filters`, with a display matrix in its header.
  private func clip(_ name: String, _ filters: String, _ matrix: [Int32]) async throws -> String {
    let path = try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=0.5,drawbox=w=40:h=22:c=white:t=fill",
        "-vf", filters, "-c:v", "libx264", "-crf", "8", "-pix_fmt", "yuv420p",
      ])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = try #require(bytes.range(of: Data("tkhd".utf8)))
    let place = header.upperBound + 40
    bytes.replaceSubrange(
      place..<place + 36,
      with: matrix.flatMap { value in
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
      })
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  private func matrix(_ linear: [Double]) -> [Int32] {
    let fixed = linear.map { Int32(($0 * 65_536).rounded()) }
    return [fixed[0], fixed[1], 0, fixed[2], fixed[3], 0, 0, 0, 1 << 30]
  }

  @Test(
    "is upright as a copy, as an encode and in its thumbnail",
    arguments: Extent.sample(rightAngles, every: 3))
  func upright(_ turn: Turn) async throws {
    let plain = try await clip("plain.mov", "null", matrix([1, 0, 0, 1]))
    let turned = try await clip("turned.mov", turn.storing, matrix(turn.matrix))
    try await expectAlike(turned, plain)
    // Players, and ffmpeg, turn a copy.
    let copy = try await convert(turned)
    #expect(copy.plan.video?.isCopied == true)
    try await copy.check()
    #expect(try await likeness(copy.path, to: plain) > 0.98)
    let picture = try await thumbnail(copy.path).path
    #expect(try await likeness(picture, to: try await thumbnail(plain).path) > 0.98)
  }

  @Test(
    "by another angle than a right one is turned by the nearest right one",
    arguments: Extent.sample(
      [
        (30.0, "null"), (44.6, "null"), (46, "transpose=cclock"), (100, "transpose=cclock"),
        (-80, "transpose=clock"), (170, "hflip,vflip"), (359, "null"),
      ], every: 6))
  func nearest(_ degrees: Double, _ storing: String) async throws {
    let (a, b) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let plain = try await clip("plain.mov", "null", matrix([1, 0, 0, 1]))
    let turned = try await clip("turned.mov", storing, matrix([a, b, -b, a]))
    try await expectAlike(turned, plain)
  }

  @Test(
    "by a matrix that shows nothing is not turned",
    arguments: Extent.sample(
      [
        [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1 << 30],
        [0, 1 << 16, 0, 0, 0, 0, 0, 0, 1 << 30], [0, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30],
        [0, 1 << 16, 0, 0, 1 << 16, 0, 0, 0, 1 << 30],
      ] as [[Int32]], every: 6))
  func degenerate(_ matrix: [Int32]) async throws {
    let plain = try await clip("plain.mov", "null", self.matrix([1, 0, 0, 1]))
    let source = try await clip("source.mov", "null", matrix)
    let expected = try await thumbnail(plain).path
    #expect(try await likeness(try await thumbnail(source).path, to: expected) > 0.98)
    let made = try await convert(source, policy: .h264)
    try await made.check()
    #expect(try await likeness(made.path, to: plain) > 0.95)
    let copy = try await convert(source)
    try await copy.check()
    #expect(try await FFprobe.streams(copy.path).first?.displayMatrix == nil)
  }

  private func expectAlike(_ turned: String, _ plain: String) async throws {
    let expected = try await thumbnail(plain).path
    #expect(try await likeness(try await thumbnail(turned).path, to: expected) > 0.98)
    let made = try await convert(turned, policy: .h264)
    try await made.check()
    #expect(try await FFprobe.streams(made.path).first?.displayMatrix == nil)
    let reference = try await convert(plain, policy: .h264)
    #expect(try await likeness(made.path, to: reference.path) > 0.98)
  }
}
