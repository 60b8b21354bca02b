import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Pictures that no phone makes", .temporaryFolder, .notInSample)
struct OddPictureTests {
  /// A way in which pictures are stored.
  struct Storage: Sendable, CustomTestStringConvertible {
    var name: String
    var options: [String]
    var testDescription: String { "\(name) \(options.joined(separator: " "))" }
  }

  private static let palette =
    "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none:alpha_threshold=64"
  private static let formats = [
    Storage(name: "a.mp4", options: ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv422p"]),
    Storage(name: "a.mp4", options: ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv444p"]),
    Storage(name: "a.mp4", options: ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv422p10le"]),
    Storage(name: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "yuv411p"]),
    Storage(name: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "gray"]),
    Storage(name: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "gbrp10le"]),
    Storage(name: "a.avi", options: ["-c:v", "rawvideo", "-pix_fmt", "bgr24"]),
    Storage(name: "a.mov", options: ["-c:v", "qtrle", "-pix_fmt", "rgb24"]),
    Storage(name: "a.mov", options: ["-c:v", "png", "-pix_fmt", "rgb48be"]),
    Storage(name: "a.mov", options: ["-vf", palette, "-c:v", "png", "-pix_fmt", "pal8"]),
    Storage(name: "a.avi", options: ["-vf", palette, "-c:v", "rawvideo", "-pix_fmt", "pal8"]),
  ]

  private let pattern = "testsrc2=s=320x180:r=10:d=0.3,hue=s=0.6"

  @Test(
    "look like their source, encoded and in thumbnails",
    arguments: Extent.sample(formats, every: 10)
  )
  func likeSource(_ kind: Storage) async throws {
    let source = try await make(kind.name, ["-f", "lavfi", "-i", pattern] + kind.options)
    let made = try await convert(source, policy: .h264)
    try await made.check()
    #expect(made.report.pictures == 3)
    // Untagged YUV pictures are BT.601.
    let toRGB = "scale=in_color_matrix=bt601:flags=full_chroma_inp,format=gbrp"
    let reference = "\(toRGB),scale=out_color_matrix=bt709:flags=full_chroma_inp,format=yuv420p"
    #expect(try await likeness(made.path, to: source, reference) > 0.96)
    let picture = try await thumbnail(source, ThumbnailJob(quality: 95, seconds: 0)).path
    let alike = try await likeness(ofThumbnail: picture, to: source, reference)
    #expect(alike > 0.95, "\(alike)")
    let (ours, theirs) = (
      try await samples(made.path, filters: "scale=in_color_matrix=bt709"),
      try await samples(source, filters: toRGB)
    )
    #expect(try distance(ours, theirs) < 6)
  }

  @Test(
    "of full range become video range",
    arguments: Extent.sample(["yuv420p", "yuv422p", "yuv420p10le", "yuv444p"], every: 3))
  func fullRange(_ format: String) async throws {
    let source = try await make(
      "full.mkv",
      [
        "-f", "lavfi", "-i", pattern, "-vf",
        "scale=out_range=pc:out_color_matrix=bt709,format=\(format)", "-c:v", "ffv1",
        "-color_range", "pc", "-colorspace", "bt709",
      ])
    let made = try await convert(source)
    let theirs = try await samples(source, filters: "scale=in_range=pc:in_color_matrix=bt709")
    let ours = try await samples(made.path, filters: "scale=in_range=tv:in_color_matrix=bt709")
    #expect(try distance(ours, theirs) < 4)
    let thumbnail = try await thumbnail(source, ThumbnailJob(quality: 95, seconds: 0)).path
    #expect(try distance(try await samples(thumbnail), theirs) < 5)
  }

  private static let transparent = [
    Storage(name: "a.mov", options: ["-c:v", "qtrle", "-pix_fmt", "argb"]),
    Storage(name: "a.mov", options: ["-c:v", "png", "-pix_fmt", "rgba"]),
    Storage(name: "a.mov", options: ["-vf", palette, "-c:v", "png", "-pix_fmt", "pal8"]),
    Storage(name: "a.mov", options: ["-c:v", "prores_ks", "-pix_fmt", "yuva444p10le"]),
    Storage(name: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "yuva420p"]),
    Storage(name: "a.avi", options: ["-c:v", "utvideo", "-pix_fmt", "gbrap"]),
    Storage(
      name: "vp9.webm",
      options: ["-c:v", "libvpx-vp9", "-crf", "10", "-b:v", "0", "-pix_fmt", "yuva420p"]),
    Storage(
      name: "vp8.webm",
      options: [
        "-c:v", "libvpx", "-crf", "10", "-b:v", "2M", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p",
      ]),
  ]

  @Test("that are transparent are shown on black", arguments: Extent.sample(transparent, every: 6))
  func transparency(_ kind: Storage) async throws {
    // Opaque on the left, half transparent in the middle, transparent on the right.
    let alpha =
      "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,96),255,if(lt(X,192),128,0))'"
    let source = try await make(
      kind.name,
      ["-f", "lavfi", "-i", "color=0xE0A060:s=288x96:r=10:d=0.3,\(alpha)"] + kind.options)
    let made = try await convert(source)
    try await made.check()
    let still = newPath("jpg")
    _ = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-i", made.path, "-frames:v", "1", "-q:v", "1", still])
    for path in [still, try await thumbnail(source).path] {
      let picture = try await JPEGFile.picture(path)
      expect(picture.pixel(x: 48, y: 48), near: [0xE0, 0xA0, 0x60])
      expect(picture.pixel(x: 240, y: 48), near: [0, 0, 0])
      // ffmpeg's palette has no half-transparent colours.
      if !kind.options.contains("pal8") {
        expect(picture.pixel(x: 144, y: 48), near: [0x70, 0x50, 0x30])
      }
    }
  }

  private func expect(_ pixel: [UInt8], near colour: [Int]) {
    let isNear = zip(pixel, colour).allSatisfy { abs(Int($0) - $1) <= 9 }
    #expect(isNear, "\(pixel) is not \(colour)")
  }

  @Test("of another size or shape in mid-stream get black bars")
  func changes() async throws {
    var parts: [String] = []
    // The same shape, half as large; higher; with wide pixels.
    for (size, aspect) in [("320x180", "1"), ("160x90", "1"), ("160x180", "1"), ("160x180", "2")] {
      parts.append(
        try await make(
          "\(parts.count).ts",
          [
            "-f", "lavfi", "-i", "color=0xE0A060:s=\(size):r=10:d=0.5,setsar=\(aspect)", "-c:v",
            "libx264", "-crf", "10", "-pix_fmt", "yuv420p",
          ]))
    }
    let joined = try await make(
      "joined.ts", ["-i", "concat:" + parts.joined(separator: "|"), "-c", "copy"])
    let made = try await convert(joined)
    try await made.check()
    #expect(made.report.pictures == 20)
    #expect(try await videoFields("width,height", of: made.path) == "320,180")
    let inside = [0xE0, 0xA0, 0x60]
    for (part, left) in [(0, inside), (1, inside), (2, [0, 0, 0]), (3, inside)] {
      let still = newPath("jpg")
      _ = try await Command.output(
        of: "ffmpeg",
        [
          "-v", "error", "-i", made.path, "-vf", "select=eq(n\\,\(part * 5 + 2))", "-frames:v", "1",
          "-q:v", "1", still,
        ])
      let picture = try await JPEGFile.picture(still)
      expect(picture.pixel(x: 160, y: 90), near: inside)
      expect(picture.pixel(x: 40, y: 90), near: left)
      expect(picture.pixel(x: 280, y: 90), near: left)
      expect(picture.pixel(x: 160, y: 4), near: inside)
    }
  }

  @Test(
    "A single picture becomes one picture",
    arguments: Extent.sample(["a.mkv", "a.avi", "a.mov"], every: 3))
  func single(_ name: String) async throws {
    let source = try await make(
      name,
      ["-f", "lavfi", "-i", pattern, "-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv422p"])
    let made = try await convert(source)
    try await made.check()
    #expect(made.report.pictures == 1)
    #expect(try await FFprobe.streams(made.path).first?.packetCount == 1)
  }

  @Test(
    "in every pixel format that a decoder gives are encoded",
    arguments: Extent.sample(["ffv1", "png", "jpeg2000"], every: 3))
  func pixelFormats(_ codec: String) async throws {
    let help = try await Command.output(of: "ffmpeg", ["-v", "error", "-h", "encoder=\(codec)"])
    let list = try #require(help.output.firstMatch(of: /Supported pixel formats: (.*)/)?.1)
    let formats = list.split(separator: " ").map(String.init)
    try #require(formats.count > 5)
    // Standard and high dynamic range go through other filters, and through other encoders.
    for (transfer, policy) in [
      ("bt709", VideoPolicy.auto), ("smpte2084", .h264), ("smpte2084", .hevc),
    ] {
      for format in Extent.sample(formats, every: 12) {
        let source = try await make(
          "\(format).mkv",
          [
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=5:d=0.4", "-vf",
            "format=\(format),setparams=color_primaries=bt2020:color_trc=\(transfer)", "-c:v",
            codec,
            "-strict", "-2", "-color_trc", transfer, "-color_primaries", "bt2020",
          ])
        // FFmpeg 7 encodes these, but no longer decodes them.
        let isLost =
          FFmpegRelease.major >= 7 && codec == "jpeg2000"
          && ["yuv440p10le", "yuv440p12le"].contains(format)
        guard !isLost else {
          await #expect { try await convert(source) } throws: {
            ($0 as? HoldfastError)?.code == .nothingToPlay
          }
          continue
        }
        await #expect(throws: Never.self, "\(format), \(transfer), \(policy)") {
          let made = try await convert(source, policy: policy)
          #expect(made.report.pictures == 2)
          try await made.check()
        }
      }
    }
  }

  @Test("that the scaler cannot read are left out before anything is converted")
  func unreadable() async throws {
    let formats = try await Command.output(of: "ffmpeg", ["-v", "error", "-pix_fmts"]).output
    let isReadable = formats.split(separator: "\n").contains {
      $0.hasPrefix("I") && $0.contains(" uyyvyy411 ")
    }
    let source = try await make(
      "a.avi",
      [
        "-f", "rawvideo", "-pix_fmt", "uyyvyy411", "-s", "64x48", "-r", "10", "-t", "1", "-i",
        "/dev/zero", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "copy", "-c:a", "aac",
      ])
    let made = try await convert(source)
    try await made.check()
    #expect(made.plan.type == (isReadable ? .video : .audio))
    #expect(made.info.warnings.isEmpty == isReadable)
  }
}
