import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Camcorders store H.264 in MPEG-TS, and all of it was encoded again.
@Suite("H.264 and HEVC in a transport stream", .temporaryFolder)
struct StartCodeTests {
  private static let moving = "testsrc2=size=160x120:rate=25:duration=3"
  private static let sources = [
    ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25"],
    ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-bsf:v", "h264_metadata=aud=insert"],
    ["-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "log-level=none:keyint=25"],
    ["-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none:keyint=25"],
    // Interlaced, each picture with both fields.
    [
      "-vf", "tinterlace=interleave_top,setfield=tff", "-c:v", "libx264", "-flags", "+ildct+ilme",
      "-x264opts", "tff", "-pix_fmt", "yuv420p",
    ],
  ]

  private func stream(_ name: String, _ options: [String]) async throws -> String {
    try await make(
      name,
      ["-f", "lavfi", "-i", Self.moving, "-f", "lavfi", "-i", "sine=duration=3"] + options
        + ["-c:a", "aac", "-f", "mpegts"])
  }

  /// The hashes of the decoded pictures, by ffmpeg.
  private func pictures(_ path: String) async throws -> [Substring] {
    let text = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]
    ).output
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
  }

  @Test("is copied, and the copy decodes to the same pictures", arguments: sources)
  func copied(_ options: [String]) async throws {
    let source = try await stream("whole.ts", options)
    let made = try await convert(source)
    #expect(made.plan.video?.isCopied == true && made.plan.audio?.isCopied == true)
    let check = try await made.check()
    #expect(check.packetsCompared > 100 && check.codecs?.video != nil)
    let found = try await pictures(made.path)
    #expect(found.count > 30)
    #expect(try await found == pictures(source))
    // In an MP4 each unit follows its length, so no start code begins a packet.
    let trace = try await Command.output(
      of: "ffprobe", ["-v", "error", "-show_entries", "stream=is_avc,field_order", made.path]
    ).output
    if options.contains("libx264") { #expect(trace.contains("is_avc=true")) }
    #expect(options.contains("+ildct+ilme") == trace.contains("field_order=tt"))
    if options.contains("+ildct+ilme") {
      let scan = try await Command.output(
        of: "mediainfo", ["--Inform=Video;%ScanType% %ScanOrder%", made.path])
      #expect(scan.output.contains("MBAFF TFF") || scan.output.contains("Interlaced TFF"))
    }
  }

  @Test("is encoded if its parameter sets change, or it is damaged or cut at its start")
  func obstacles() async throws {
    let whole = try await stream("whole.ts", Self.sources[0])
    let bytes = try Data(contentsOf: URL(filePath: whole))
    let other = try await stream("other.ts", ["-s", "192x108"] + Self.sources[0])
    let joined = try await make("joined.ts", ["-i", "concat:\(whole)|\(other)", "-c", "copy"])
    for (bytes, reason) in [
      (try Data(contentsOf: URL(filePath: joined)), "parameter sets change"),
      (bytes.dropFirst(188 * 90), "keyframe"),
      (bytes[..<(188 * 150)] + bytes[(188 * 160)...], "breaks"),
    ] {
      let path = newPath("ts")
      try Data(bytes).write(to: URL(filePath: path))
      let made = try await convert(path)
      try #require(made.plan.video?.isCopied == false)
      #expect(made.info.videoStream?.copyObstacle?.contains(reason) == true)
      try await made.check()
    }
  }

  @Test(
    "from a camcorder keeps its fields", .enabled(if: Cases.path("00001.MTS") != nil))
  func camcorder() async throws {
    let source = try #require(Cases.path("00001.MTS"))
    let made = try await convert(source)
    #expect(made.plan.video?.isCopied == true)
    try await made.check()
    #expect(try await pictures(made.path) == pictures(source))
  }
}
