import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A stream that is encoded", .temporaryFolder)
struct EncodeTests {
  /// Fixtures, with the policy that encodes their picture: HDR would become HEVC by default.
  private static let pictures: [(String, VideoPolicy)] =
    accepted.filter { $0.type == "video" }.map {
      ($0.path, $0.treatment == .encode && !$0.path.hasPrefix("hdr") ? .auto : .h264)
    }
  private static let sounds = accepted.filter {
    $0.type == "audio" && $0.treatment == .encode && !$0.path.hasPrefix("len")
  }

  @Test(
    "that is a picture becomes H.264 High, with even sides, square pixels, upright, BT.709",
    arguments: Extent.sample(pictures, every: 6))
  func picture(_ name: String, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(name), policy: policy)
    let stream = try #require(try await FFprobe.streams(made.path).first)
    #expect(stream.codecName == "h264")
    #expect(stream.codecTag == "avc1")
    #expect(stream.profile == "High")
    #expect(stream.pixelFormat == "yuv420p")
    #expect([nil, "1:1"].contains(stream.sampleAspectRatio))
    #expect(stream.displayMatrix == nil)
    let colours = try await videoFields(
      "color_range,color_space,color_transfer,color_primaries", of: made.path)
    #expect(colours == "tv,bt709,bt709,bt709")
    let shown = try #require(made.info.videoStream?.picture).displaySize.even
    #expect(stream.width == shown.width)
    #expect(stream.height == shown.height)
    #expect(made.report.encodedSize == shown)
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-xerror", "-i", made.path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
  }

  @Test("keeps each picture, at its time", arguments: Extent.sample(pictures, every: 6))
  func pictureTimes(_ name: String, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(name), policy: policy)
    let index = try #require(made.plan.video?.index)
    let source = try await HashedPacket.all(made.source, stream: index).filter(\.isShown)
    let output = try await HashedPacket.all(made.path, stream: 0).filter(\.isShown)
    #expect(made.report.pictures == output.count)
    // AVI has no presentation times: its pictures follow one another.
    let times = source.compactMap { $0.pts ?? $0.dts }.sorted()
    let newTimes = output.compactMap(\.pts).sorted()
    #expect(newTimes.count == times.count)
    let (zero, newZero) = (try #require(times.first), try #require(newTimes.first))
    for (old, new) in zip(times, newTimes) {
      #expect(abs((new - newZero) - (old - zero)) <= 0.0011)
    }
  }

  @Test(
    "turns the picture upright",
    arguments: [
      ("portrait.mov", Corner.topRight), ("rotated180.mov", .bottomRight),
      ("portrait270.mov", .bottomLeft), ("mirrored.mov", .topRight), ("silent-video.mp4", .topLeft),
    ])
  func upright(_ name: String, _ corner: Corner) async throws {
    let made = try await convert(Fixtures.path(name), policy: .h264)
    let picture = newPath("jpg")
    _ = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-noautorotate", "-i", made.path, "-frames:v", "1", "-q:v", "1", picture])
    let shown = try await JPEGFile.picture(picture)
    #expect(Corner.marked(in: shown) == [corner])
  }

  @Test(
    "An encode has a keyframe at least every two seconds",
    arguments: [("r=2", VideoPolicy.h264), ("r=30", .h264), ("r=7.3", .h264), ("r=5", .hevc)])
  func keyframes(rate: String, policy: VideoPolicy) async throws {
    let hdr =
      "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=arib-std-b67"
      + ":colorspace=bt2020nc"
    let source = try await make(
      "slow.mkv",
      [
        "-f", "lavfi", "-i",
        "testsrc2=s=160x90:\(rate):d=12" + (policy == .hevc ? ",\(hdr)" : ""), "-c:v", "ffv1",
      ])
    let made = try await convert(source, policy: policy)
    try await made.check()
    let keyframes = try await FFprobe.packets(made.path).filter(\.isKeyframe).compactMap(
      \.presentationTime
    ).sorted()
    #expect(keyframes.count >= 6)
    for (one, next) in zip(keyframes, keyframes.dropFirst()) { #expect(next - one <= 2.001) }
    #expect(12 - (keyframes.last ?? 0) <= 2.001)
  }

  @Test(
    "is similar to its source",
    arguments: Extent.sample(["prores.mov", "odd.webm", "mpegts.ts", "hevc10.mov"], every: 3))
  func likeness(_ name: String) async throws {
    let made = try await convert(Fixtures.path(name), policy: .h264)
    let size = try #require(made.report.encodedSize)
    // The matrices are named: a small file without one is BT.601, the output is BT.709.
    let tags = try await videoFields("color_space", of: made.source)
    let matrix = tags == "bt709" ? "bt709" : "bt601"
    let graph = """
      [0:v]crop=\(size.width):\(size.height):0:0,scale=in_color_matrix=\(matrix),format=gbrp,\
      format=yuv420p,settb=1/25,setpts=N[a];\
      [1:v]scale=in_color_matrix=bt709,format=gbrp,format=yuv420p,settb=1/25,setpts=N[b];[a][b]ssim
      """
    let result = try await Command.output(
      of: "ffmpeg", ["-i", made.source, "-i", made.path, "-lavfi", graph, "-f", "null", "-"])
    #expect(try similarity(result.errorOutput) >= 0.95)
  }

  @Test(
    "that is sound becomes AAC-LC, and one channel stays one",
    arguments: Extent.sample(sounds, every: 6))
  func sound(_ row: ManifestRow) async throws {
    let made = try await convert(Fixtures.path(row.path))
    let streams = try await FFprobe.streams(made.path)
    let stream = try #require(streams.first)
    #expect(streams.count == 1)
    #expect(stream.codecName == "aac")
    #expect(stream.profile == "LC")
    #expect([44_100, 48_000].contains(stream.sampleRate))
    let source = try #require(made.info.audioStream?.sound)
    // Only the first channel of ambisonics is kept, at its own loudness.
    let isAmbisonic = row.path == "ambisonic.ogg"
    #expect(stream.channels == (isAmbisonic ? 1 : min(source.channels, 2)))
    #expect((stream.sampleRate == 44_100) == (44_100 % source.sampleRate == 0))
    let duration = try await FFprobe.presentedDuration(made.path)
    #expect(abs(duration - (try #require(row.duration))) <= (row.path == "cover.mp3" ? 0.15 : 0.05))
    guard !isAmbisonic else { return }
    #expect(try await loudness(made.path) - loudness(made.source) < 3)
    // FFmpeg's AMR decoder gives samples up to 10.7 dB over full scale, which the limiter removes.
    let least = row.path.contains("amr") ? -4.0 : -3
    #expect(try await loudness(made.path) - loudness(made.source) > least)
  }

  @Test("that is sound of six channels becomes stereo")
  func surround() async throws {
    let source = try await make(
      "six.wav", ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-af", "pan=5.1|c0=c0|c1=c0|c2=c0"])
    let made = try await convert(source)
    #expect(try await FFprobe.streams(made.path).first?.channels == 2)
    try await made.check()
  }

  @Test("has its peak reported as ffmpeg measures it")
  func peak() async throws {
    // Its peaks are low: nothing is limited.
    let made = try await convert(Fixtures.path("pcm.mov"))
    let peak = try #require(made.report.encodedPeak)
    let decibels = try await volume("max_volume", of: made.source)
    #expect(abs(20 * log10(peak) - decibels) < 1)
  }

  private func loudness(_ path: String) async throws -> Double {
    try await volume("mean_volume", of: path)
  }

  private func volume(_ figure: String, of path: String) async throws -> Double {
    let result = try await Command.output(
      of: "ffmpeg", ["-i", path, "-map", "0:a:0", "-af", "volumedetect", "-f", "null", "-"])
    let text = try #require(result.errorOutput.components(separatedBy: "\(figure): ").last)
    return try #require(Double(text.prefix { $0 != " " }))
  }
}
