import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A thumbnail's colours", .temporaryFolder, .notInSample)
struct ThumbnailColourTests {
  /// A way in which pictures are stored.
  struct Storage: Sendable, CustomTestStringConvertible {
    var matrix: String
    var range: String
    var size = "640x360"
    var isTagged = true
    var testDescription: String { "\(matrix) \(range) \(size)\(isTagged ? "" : " untagged")" }

    /// Options that make ffmpeg store pictures so.
    var options: [String] {
      let name = matrix == "bt601" ? "smpte170m" : matrix
      let format = range == "pc" ? "yuvj420p" : "yuv420p"
      let tags =
        isTagged
        ? ["-colorspace", name, "-color_primaries", "bt709", "-color_trc", "bt709"]
        : [
          "-bsf:v",
          "h264_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2",
        ]
      return [
        "-vf", "scale=out_color_matrix=\(matrix):out_range=\(range),format=\(format)", "-c:v",
        "libx264", "-crf", "10", "-color_range", range,
      ] + tags
    }
  }

  private static let kinds = [
    Storage(matrix: "bt709", range: "tv"), Storage(matrix: "bt709", range: "pc"),
    Storage(matrix: "bt601", range: "tv"), Storage(matrix: "bt601", range: "pc"),
    // Untagged pictures: players treat large ones as BT.709, small ones as BT.601.
    Storage(matrix: "bt709", range: "tv", size: "1280x720", isTagged: false),
    Storage(matrix: "bt601", range: "tv", isTagged: false),
  ]

  @Test(
    "are those that ffmpeg extracts from the same picture",
    arguments: Extent.sample(kinds, every: 6))
  func colours(_ kind: Storage) async throws {
    let source = try await make(
      "source.mov", ["-f", "lavfi", "-i", "testsrc2=s=\(kind.size):d=0.2"] + kind.options)
    let (report, path) = try await thumbnail(source, ThumbnailJob(quality: 95))
    #expect((report.choice?.time ?? .nan) == 0)
    let toSize = "scale=480:270:flags=area:in_color_matrix=\(kind.matrix):in_range=\(kind.range)"
    let reference = try await make(
      "reference.png",
      ["-i", source, "-frames:v", "1", "-vf", toSize + ":out_range=pc,format=rgb24"])
    #expect(try distance(try await samples(path), try await samples(reference)) < 4)
    let result = try await Command.output(
      of: "ffmpeg",
      [
        "-i", path, "-i", reference, "-lavfi",
        "[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]ssim",
        "-f", "null", "-",
      ])
    #expect(try similarity(result.errorOutput) >= 0.95)
  }

  @Test(
    "are right to within a few steps, flat over the whole picture",
    arguments: Extent.sample(kinds, every: 6),
    ["0xC86432", "0x2040E0", "0x30A050", "white", "black", "gray"])
  func flat(_ kind: Storage, _ colour: String) async throws {
    let source = try await make(
      "flat.mov", ["-f", "lavfi", "-i", "color=\(colour):s=\(kind.size):d=0.2"] + kind.options)
    let original = try await samples(
      try await make(
        "flat.png",
        ["-f", "lavfi", "-i", "color=\(colour):s=480x270", "-frames:v", "1", "-pix_fmt", "rgb24"]))
    let picture = try await JPEGFile.picture(try await thumbnail(source).path)
    #expect(try distance(picture.samples, original) < 3.5)
  }

  @Test("survive ten bits", arguments: ["hevc10.mov", "prores.mov"])
  func tenBits(_ name: String) async throws {
    let path = try await thumbnail(Fixtures.path(name)).path
    let report = try await thumbnail(Fixtures.path(name)).report;
    let seconds = (report.choice?.time ?? .nan)
    let matrix = name == "hevc10.mov" ? "bt709" : "bt601"
    let reference = try await make(
      "reference.png",
      [
        "-ss", "\(seconds)", "-i", Fixtures.path(name), "-frames:v", "1", "-vf",
        "scale=in_color_matrix=\(matrix):in_range=tv:out_range=pc,format=rgb24",
      ])
    #expect(try distance(try await samples(path), try await samples(reference)) < 8)
  }
}
