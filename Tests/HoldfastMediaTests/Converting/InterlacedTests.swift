import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Interlaced pictures", .temporaryFolder, .notInSample)
struct InterlacedTests {
  private static let moving = "testsrc2=s=320x240:r=50:d=1,scroll=h=0.02"
  private static let woven = [
    "-c:v", "libx264", "-crf", "10", "-flags", "+ildct+ilme", "-pix_fmt", "yuv420p",
  ]

  /// How many combed pictures ffmpeg's `idet` finds.
  private func combed(_ path: String) async throws -> Int {
    let log = try await Command.output(
      of: "ffmpeg", ["-i", path, "-vf", "idet", "-f", "null", "-"]
    ).errorOutput
    let line = try #require(
      log.split(separator: "\n").last { $0.contains("Multi frame detection") })
    let counts = line.split(separator: " ").compactMap { Int($0) }
    try #require(counts.count >= 4)
    return counts[0] + counts[1]
  }

  /// When each picture is shown, in seconds.
  private func times(_ path: String) async throws -> [Double] {
    try await FFprobe.packets(path).filter { !$0.flags.contains("D") }
      .compactMap(\.presentationTime).sorted()
  }

  @Test("become one whole picture each, at their times", arguments: ["tff", "bff"])
  func deinterlaced(_ order: String) async throws {
    let scan = order == "tff" ? "interleave_top" : "interleave_bottom"
    let source = try await make(
      "woven.mov",
      [
        "-f", "lavfi", "-i", Self.moving, "-vf", "tinterlace=\(scan),fieldorder=\(order)",
        "-x264opts", order,
      ] + Self.woven)
    #expect(try await combed(source) > 15)
    let made = try await convert(source, policy: .h264)
    try await made.check()
    #expect(try await combed(made.path) == 0)
    let before = try await times(source)
    let after = try await times(made.path)
    #expect(before.count == 25)
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) { #expect(abs(old - before[0] - new) < 0.0001) }
    let reference = "bwdif=mode=send_frame:deint=interlaced"
    #expect(try await likeness(made.path, to: source, reference) > 0.95)
  }

  @Test("leave no combs in a thumbnail")
  func thumbnails() async throws {
    let source = try await make(
      "woven.mov",
      ["-f", "lavfi", "-i", Self.moving, "-vf", "tinterlace=interleave_top"] + Self.woven)
    let picture = try await thumbnail(source, ThumbnailJob(quality: 95)).path
    // One field, and both: the thumbnail matches the first, the woven picture does not.
    let field = "scale=in_color_matrix=bt601,field,scale=320:240,format=yuv420p"
    let ours = try await likeness(ofThumbnail: picture, to: source, field)
    let both = try await likeness(
      source, "trim=end_frame=1", to: source, "trim=end_frame=1,\(field)")
    #expect(ours > both + 0.05)
    #expect(ours > 0.9)
  }

  @Test("Moving pictures that are not interlaced are left alone")
  func progressive() async throws {
    let source = try await make(
      "whole.mov",
      ["-f", "lavfi", "-i", Self.moving, "-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p"])
    let made = try await convert(source, policy: .h264)
    let same = "scale=in_color_matrix=bt601:out_color_matrix=bt709"
    let untouched = try await likeness(made.path, to: source, same)
    let touched = try await likeness(made.path, to: source, "\(same),bwdif=mode=send_frame")
    #expect(untouched > 0.97)
    #expect(untouched > touched)
  }

  @Test("among whole ones are deinterlaced, and no picture is lost or made up")
  func mixed() async throws {
    let whole = ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p", "-f", "mpegts"]
    var parts: [String] = []
    for (index, isWoven) in [false, true, false, true, false].enumerated() {
      let source = "testsrc2=s=320x240:r=50:d=0.4,scroll=h=0.02"
      parts.append(
        try await make(
          "part\(index).ts",
          isWoven
            ? ["-f", "lavfi", "-i", source, "-vf", "tinterlace=interleave_top"] + Self.woven
              + ["-f", "mpegts"]
            : ["-f", "lavfi", "-i", source, "-vf", "fps=25"] + whole))
    }
    let joined = try await make(
      "joined.ts", ["-i", "concat:" + parts.joined(separator: "|"), "-c", "copy"])
    let made = try await convert(joined, policy: .h264)
    try await made.check()
    #expect(try await combed(made.path) == 0)
    let before = try await times(joined)
    let after = try await times(made.path)
    #expect(before.count == 50)
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) { #expect(abs(old - before[0] - new) < 0.0001) }
  }

  @Test("in high dynamic range are deinterlaced and tone-mapped")
  func highDynamicRange() async throws {
    let source = try await make(
      "woven.mkv",
      [
        "-f", "lavfi", "-i", Self.moving + ",hue=s=\(Zimg.saturation)", "-vf",
        "tinterlace=interleave_top,format=yuv420p10le,setfield=tff,setparams=color_primaries=bt2020"
          + ":color_trc=arib-std-b67:colorspace=bt2020nc:range=tv", "-c:v", "ffv1", "-field_order",
        "tt", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace",
        "bt2020nc", "-color_range", "tv",
      ])
    let made = try await convert(source, policy: .h264)
    let reference =
      "setfield=tff,bwdif=mode=send_frame,zscale=t=linear:npl=100,format=gbrpf32le,"
      + "zscale=p=bt709,tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    #expect(try await likeness(made.path, to: source, reference) > 0.95)
    #expect(try await combed(made.path) == 0)
  }
}
