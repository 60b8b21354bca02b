import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Clips from new phones lost their dynamic range wherever they could not be copied.
@Suite("A picture that is encoded as HEVC", .temporaryFolder, .notInSample)
struct HEVCEncodeTests {
  private struct Stream: Decodable, Equatable {
    var codec: String
    var profile: String
    var tag: String
    var format: String
    var range: String?
    var matrix: String?
    var transfer: String?
    var primaries: String?
    var pictures: String?

    private enum CodingKeys: String, CodingKey {
      case profile
      case codec = "codec_name"
      case tag = "codec_tag_string"
      case format = "pix_fmt"
      case range = "color_range"
      case matrix = "color_space"
      case transfer = "color_transfer"
      case primaries = "color_primaries"
      case pictures = "nb_read_frames"
    }
  }

  private func picture(_ path: String) async throws -> Stream {
    struct Answer: Decodable { var streams: [Stream] }
    let answer = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-count_frames", "-show_streams", "-of", "json",
        path,
      ])
    return try #require(
      try JSONDecoder().decode(Answer.self, from: Data(answer.outputBytes)).streams.first)
  }

  /// Thirty pictures in high dynamic range with visible motion, in a codec that is not copied.
  private func source(_ transfer: String, _ name: String = "source.mov") async throws -> String {
    try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=1", "-vf",
        "zscale=tin=bt709:pin=bt709:min=bt709:t=\(transfer):p=bt2020:m=bt2020nc:npl=200,"
          + "format=yuv422p10le",
        "-c:v", "prores_ks", "-profile:v", "hq", "-color_trc", transfer, "-color_primaries",
        "bt2020",
        "-colorspace", "bt2020nc",
      ])
  }

  @Test(
    "keeps its dynamic range, unless H.264 is requested", arguments: ["arib-std-b67", "smpte2084"])
  func kept(_ transfer: String) async throws {
    let source = try await source(transfer)
    let made = try await convert(source)
    #expect(
      try await picture(made.path)
        == Stream(
          codec: "hevc", profile: "Main 10", tag: "hvc1", format: "yuv420p10le", range: "tv",
          matrix: "bt2020nc", transfer: transfer, primaries: "bt2020", pictures: "30"))
    let check = try await made.check()
    #expect(check.picture?.bitDepth == 10)
    #expect(made.report.warnings == [])
    // As similar as x264's pictures: the best possible result is the source with halved chroma.
    let answer = try await Command.run(
      "ffmpeg",
      [
        "-v", "info", "-nostats", "-i", made.path, "-i", source, "-lavfi",
        "[1:v]scale=flags=bicubic,format=yuv420p10le[s];[0:v][s]ssim", "-f", "null", "-",
      ])
    let found = try #require(answer.errorOutput.firstMatch(of: /SSIM Y:([0-9.]+)/)?.1)
    #expect(try #require(Double(found)) > 0.98)
    let standard = try await picture(try await convert(source, policy: .h264).path)
    #expect(standard.codec == "h264" && standard.format == "yuv420p")
    #expect(standard.transfer == "bt709" && standard.primaries == "bt709")
  }

  @Test("stays within video's range in standard range, however bright the source is")
  func range() async throws {
    let bright = try await make(
      "bright.mov",
      [
        "-f", "lavfi", "-i",
        "gradients=s=640x360:c0=black:c1=white:x0=0:y0=0:x1=640:y1=0:r=10:d=0.5", "-vf",
        "format=yuv422p10le,setparams=color_trc=smpte2084"
          + ":color_primaries=bt2020:colorspace=bt2020nc",
        "-c:v", "prores_ks", "-profile:v", "hq",
      ])
    let made = try await convert(bright, policy: .h264)
    try #require(made.report.decodedPicture?.dynamicRange == .pq)
    let answer = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-f", "lavfi", "movie=\(made.path),signalstats", "-show_entries",
        "frame_tags=lavfi.signalstats.YMIN,lavfi.signalstats.YMAX", "-of", "csv=p=0",
      ])
    let figures = answer.output.split { !$0.isNumber }.compactMap { Int($0) }
    // This allows for the encoder's ringing.
    #expect((225...238).contains(try #require(figures.max())), "\(figures)")
    #expect(try #require(figures.min()) >= 13, "\(figures)")
  }

  @Test("keeps the metadata of its mastering display")
  func mastering() async throws {
    let source = try await make(
      "hdr10.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=1", "-vf",
        "format=yuv420p10le,setparams=color_trc=smpte2084"
          + ":color_primaries=bt2020:colorspace=bt2020nc",
        "-c:v", "libx265", "-tag:v", "hvc1", "-color_trc", "smpte2084", "-color_primaries",
        "bt2020",
        "-colorspace", "bt2020nc", "-x265-params",
        "log-level=none:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
          + "L(10000000,1):max-cll=1000,400",
      ])
    let made = try await convert(source, maxHeight: 90)
    try #require(made.plan.video?.isCopied == false)
    try await made.check()
    for path in [source, made.path] {
      let answer = try await Command.output(
        of: "mediainfo",
        [
          "--Inform=Video;%MasteringDisplay_ColorPrimaries%|%MasteringDisplay_Luminance%|%MaxCLL%|"
            + "%MaxFALL%", path,
        ])
      #expect(
        answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
          == "Display P3|min: 0.0001 cd/m2, max: 1000 cd/m2|1000 cd/m2|400 cd/m2")
    }
    let boxes = try Data(contentsOf: URL(filePath: made.path))
    for box in ["mdcv", "clli"] { #expect(boxes.range(of: Data(box.utf8)) != nil) }
  }

  @Test("in standard range is HEVC only if requested, and stays in that range")
  func standard() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"), policy: .hevc)
    let stream = try await picture(made.path)
    #expect(stream.codec == "hevc" && stream.tag == "hvc1" && stream.transfer == "bt709")
    try await made.check()
    let eight = try await convert(Fixtures.path("prores.mov"))
    #expect(try await picture(eight.path).codec == "h264")
  }

  /// For clips of so few pictures, libx265 read decode times from uninitialised memory.
  @Test("Clips of 1 to 8 pictures become HEVC", arguments: Extent.sample(Array(1...8), every: 6))
  func few(_ count: Int) async throws {
    let whole = try await source("arib-std-b67")
    let source = try await make("few.mov", ["-i", whole, "-c", "copy", "-frames:v", "\(count)"])
    let made = try await convert(source)
    try await made.check()
    #expect(try await picture(made.path).pictures == "\(count)")
    let times = try await HashedPacket.all(made.path, stream: 0).map { try #require($0.dts) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try #require(times.first) > -1)
  }

  @Test("is the same each time")
  func reproducible() async throws {
    let source = try await source("arib-std-b67")
    let files = [try await convert(source).path, try await convert(source).path]
    let bytes = try files.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(bytes[0] == bytes[1])
    // The encoder's options and number of cores are private.
    #expect(bytes[0].range(of: Data("x265".utf8)) == nil)
  }
}
