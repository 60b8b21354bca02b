import Foundation
import HoldfastMedia
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A source that is trimmed", .temporaryFolder)
struct TrimTests {
  @Test(
    "ends as a copy before the first packet, in decode order, that would last beyond 120 s",
    arguments: Extent.sample(["10", "30000/1001", "24"], every: 6))
  func copy(rate: String) async throws {
    let source = try await LongSource.video(seconds: 125, rate: rate)
    let made = try #require(try await convertParts(source, .trim).first)
    #expect(made.plan.isTrimmed && made.plan.video?.isCopied == true)
    let all = try await HashedPacket.all(source, stream: 0)
    let shown = all.compactMap(\.pts).sorted()
    let zero = try #require(shown.first)
    let expected = try all.prefix { packet in
      let time = try #require(packet.pts)
      let end = try #require(shown.first { $0 > time })
      return end - zero <= 120.000_001
    }
    let copied = try await HashedPacket.all(made.path, stream: 0)
    #expect(copied.map(\.hash) == expected.map(\.hash))
    #expect(copied.count > 1000)
    // Nothing refers to the left-out part.
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-xerror", "-i", made.path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
  }

  @Test(
    "ends in sound and picture at the same time",
    arguments: Extent.sample(VideoPolicy.allCases, every: 4))
  func sameEnd(policy: VideoPolicy) async throws {
    let source = try await LongSource.video(seconds: 123, rate: "30000/1001")
    let made = try #require(try await convertParts(source, .trim, policy: policy).first)
    let ends = try await FFprobe.streams(made.path).map { stream in
      try #require(stream.startTime) + (try #require(stream.duration))
    }
    #expect(abs(ends[0] - ends[1]) < 0.001)
    // A copy leaves out at most a group of reordered pictures, an encode less than one picture.
    #expect(ends[0] <= 120.000_1 && ends[0] > (policy == .h264 ? 119.96 : 119.8))
    #expect(abs(try await FFprobe.presentedDuration(made.path) - made.plan.duration) < 0.001)
    #expect(try await soundDifference(made, from: try await sound(source)) < 0.001)
  }

  @Test(
    "lasts 120 s if it is only sound",
    arguments: Extent.sample(
      [
        ("long.m4a", ["-c:a", "aac", "-b:a", "32k"]),
        ("long.ogg", ["-c:a", "libopus", "-b:a", "16k"]),
        ("alac.m4a", ["-c:a", "alac"]), ("long.mp3", ["-c:a", "libmp3lame", "-b:a", "32k"]),
        ("long.wav", ["-c:a", "pcm_s16le"]), ("long.aac", ["-c:a", "aac", "-b:a", "32k"]),
      ], every: 3))
  func soundAlone(name: String, options: [String]) async throws {
    let source = try await LongSource.sound(name, seconds: 121, options: options)
    let made = try #require(try await convertParts(source, .trim).first)
    #expect(made.plan.type == .audio)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 120) < 0.001)
    // Further samples from a decoder are padding, of at most one frame: ALAC's has 4,096 samples.
    let rate = try #require(try await FFprobe.streams(made.path).first?.sampleRate)
    let samples = try await sound(made.path, rate: rate).count
    #expect((0...4096).contains(samples - 120 * rate))
  }

  @Test("keeps a picture that is shown for long, so that its sound is not lost", .notInSample)
  func standingPicture() async throws {
    // Pictures until 60 s, then one that lasts until 130 s.
    let source = try await LongSource.video(
      "still.mkv", seconds: 131, options: ["-vf", "select='lt(t,60)+gte(t,130)'", "-vsync", "vfr"])
    for policy in [VideoPolicy.copy, .h264] {
      let made = try #require(try await convertParts(source, .trim, policy: policy).first)
      #expect(abs(try await FFprobe.presentedDuration(made.path) - 120) < 0.05)
      #expect(try await pictureTimes(made.path).count == 600)
    }
  }

  @Test(
    "keeps a picture that ends early and sound that starts late, within 120 s",
    .notInSample)
  func shortPicture() async throws {
    let source = try await LongSource.video(
      "short.mkv", seconds: 130, options: ["-vf", "trim=end=100"])
    let made = try #require(try await convertParts(source, .trim).first)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 120) < 0.05)
    #expect(try await pictureTimes(made.path).count == 1000)
    let late = try await make(
      "late.mkv",
      ["-i", source, "-itsoffset", "125", "-i", source, "-map", "0:v", "-map", "1:a", "-c", "copy"])
    let silent = try #require(try await convertParts(late, .trim).first)
    #expect(silent.plan.audio == nil)
    #expect(try await FFprobe.streams(silent.path).map(\.codecType) == ["video"])
  }

  @Test("reads no further than it must", .notInSample)
  func stops() async throws {
    // The second half is cut off: a reader that goes on would meet the damage.
    let source = try await LongSource.video(
      "long.mov", seconds: 250, options: ["-movflags", "faststart"])
    let made = try #require(try await convertParts(source, .trim).first)
    let whole = try Data(contentsOf: URL(filePath: source))
    let half = newPath("mov")
    try whole.prefix(whole.count * 6 / 10).write(to: URL(filePath: half))
    let path = newPath("mov")
    let report = try await withMedia(half) { source in
      try await withMedia(path, flags: O_RDWR | O_CREAT | O_EXCL) { output in
        try await engine.convert(made.plan, source: source, output: output) { _ in }
      }
    }
    #expect(report.pictures == made.report.pictures)
  }
}
