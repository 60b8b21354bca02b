import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The shape of a picture", .temporaryFolder, .notInSample)
struct ShapeTests {
  private let square = "drawbox=x=40:y=40:w=40:h=40:c=white:t=fill"

  /// A lossless clip of one size, without colour tags.
  private func clip(
    _ size: String, _ filters: String = "null", seconds: Double = 0.3, _ options: [String] = []
  ) async throws -> String {
    try await make(
      "clip.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=\(seconds),\(filters)", "-c:v", "ffv1",
        "-pix_fmt", "yuv420p",
      ] + options)
  }

  private func size(_ path: String) async throws -> PictureSize {
    let stream = try #require(try await FFprobe.streams(path).first)
    #expect([nil, "1:1"].contains(stream.sampleAspectRatio))
    return PictureSize(width: stream.width ?? 0, height: stream.height ?? 0)
  }

  @Test(
    "gets square pixels in encodes and thumbnails",
    arguments: Extent.sample(
      [("4/3", 214, 120), ("2/3", 160, 180), ("12/11", 174, 120), ("8/9", 160, 134)], every: 3))
  func squarePixels(_ aspect: String, _ width: Int, _ height: Int) async throws {
    let source = try await clip("160x120", "setsar=\(aspect)")
    let shown = try #require(try await probe(source).videoStream?.picture?.displaySize)
    #expect(abs(shown.width - width) <= 1 && abs(shown.height - height) <= 1)
    let made = try await convert(source)
    #expect(try await size(made.path) == shown.even)
    let reference = "scale=\(shown.even.width):\(shown.even.height):out_color_matrix=bt709,setsar=1"
    #expect(try await likeness(made.path, to: source, reference) > 0.95)
    let (thumbWidth, thumbHeight) = try await JPEGFile.dimensions(try await thumbnail(source).path)
    #expect(PictureSize(width: thumbWidth, height: thumbHeight) == shown.even)
  }

  @Test(
    "of odd sides loses a line, or gets one, and is not scaled",
    arguments: [
      // The size, the kept part, and the result.
      ("161x121", "160:120", "160,120"), ("1x64", "1:64", "2,64"), ("64x1", "64:1", "64,2"),
      ("1x1", "1:1", "2,2"), ("161x1", "160:1", "160,2"),
    ])
  func odd(_ size: String, _ kept: String, _ encoded: String) async throws {
    let source = try await make(
      "clip.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=322x242:r=10:d=0.3", "-vf",
        "scale=\(size.replacing("x", with: ":")),setsar=1", "-c:v", "ffv1", "-pix_fmt", "yuv444p",
      ])
    let made = try await convert(source)
    try await made.check()
    #expect(try await videoFields("width,height", of: made.path) == encoded)
    let expected = try await samples(source, filters: "format=gbrp,crop=\(kept):0:0")
    let ours = try await samples(
      made.path, filters: "scale=in_color_matrix=bt709,format=gbrp,crop=\(kept):0:0")
    // Chroma has half the columns, and lines of one pixel change with each. From FFmpeg 7 on, the
    // scaler mixes the chroma of both lines, one of them black.
    let isMixed = FFmpegRelease.major >= 7 && kept.hasSuffix(":1")
    #expect(try distance(ours, expected) < (isMixed ? 60 : 14))
    _ = try await thumbnail(source)
  }

  @Test("is at most 4096 wide and high", arguments: [("4400x64", 4096, 60), ("64x4400", 60, 4096)])
  func large(_ size: String, _ width: Int, _ height: Int) async throws {
    let made = try await convert(try await clip(size))
    try await made.check()
    #expect(try await self.size(made.path) == PictureSize(width: width, height: height))
  }

  @Test(
    "is at most as high, as displayed, as requested",
    arguments: [
      // Stored size and turn, the requested height, the result.
      ("320x180", 0, 90, 160, 90), ("320x180", 90, 90, 50, 90), ("320x180", 270, 200, 112, 200),
      ("320x180", 0, 91, 160, 90), ("320x180", 0, 2, 4, 2), ("161x121", 0, 120, 160, 120),
    ])
  func maxHeight(
    _ size: String, _ turn: Int, _ most: Int, _ width: Int, _ height: Int
  ) async throws {
    let source = try await turned(size, by: turn)
    let made = try await convert(source, maxHeight: most)
    try await made.check()
    #expect(made.report.encodedSize == PictureSize(width: width, height: height))
    #expect(try await self.size(made.path) == PictureSize(width: width, height: height))
    #expect(made.report.settings.isEmpty == false)
  }

  @Test(
    "is left as it is if it is not higher",
    arguments: Extent.sample([(0, 180), (0, 4000), (90, 320)], every: 3))
  func lowEnough(_ turn: Int, _ most: Int) async throws {
    let made = try await convert(try await turned("320x180", by: turn), maxHeight: most)
    #expect(made.plan.video?.isCopied == true)
  }

  private func turned(_ size: String, by degrees: Int) async throws -> String {
    let plain = try await make(
      "plain.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=0.3", "-c:v", "libx264", "-pix_fmt",
        size == "161x121" ? "yuv444p" : "yuv420p",
      ])
    guard degrees != 0 else { return plain }
    // ffmpeg counts counter-clockwise.
    let turn = "\(360 - degrees)"
    return try await make(
      "turned.mp4",
      FFmpegRelease.major < 6
        ? ["-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=\(turn)"]
        : ["-display_rotation:v:0", turn, "-i", plain, "-c", "copy"])
  }
}
