import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Sound and picture stay together", .temporaryFolder)
struct SyncTests {
  /// A source in which sound and picture do not begin or end together.
  struct Source: Sendable, CustomTestStringConvertible {
    var name: String
    /// Arguments with which ffmpeg makes it.
    var options: [String]
    var testDescription: String { name }
  }

  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=3"]
  private static let sound = ["-f", "lavfi", "-i", "sine=440:r=48000:d=3"]
  private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "30"]
  private static let sources: [Source] = [
    Source(
      name: "late sound.mp4",
      options: picture + ["-itsoffset", "0.75"] + sound + h264 + ["-c:a", "aac"]),
    Source(
      name: "late sound.mov",
      options: picture + ["-itsoffset", "0.75"] + sound + h264 + ["-c:a", "pcm_s16le"]),
    Source(
      name: "late sound.mkv",
      options: picture + ["-itsoffset", "0.05"] + sound + h264 + ["-c:a", "libopus"]),
    Source(
      name: "late picture.mp4",
      options: ["-itsoffset", "0.5"] + picture + sound + h264 + ["-c:a", "aac"]),
    Source(
      name: "late picture.mov",
      options: ["-itsoffset", "0.5"] + picture + sound + h264 + ["-c:a", "pcm_s16le"]),
    Source(
      name: "short sound.mp4",
      options: picture + sound + ["-af", "atrim=end=1.2"] + h264 + ["-c:a", "aac"]),
    Source(
      name: "short picture.mov",
      options: picture + sound + ["-vf", "trim=end=1.5"] + h264 + ["-c:a", "pcm_s16le"]),
    Source(
      name: "uneven.webm",
      options: picture + sound + [
        "-vf", "select='mod(n,4)*mod(n,7)'", "-vsync", "vfr", "-c:v", "libvpx", "-b:v", "200k",
        "-c:a", "libopus",
      ]),
  ]

  /// Sound and picture have the source's offset and length.
  private func expectSync(_ made: Converted) async throws {
    try await made.check()
    let video = try #require(made.plan.video).index
    let audio = try #require(made.plan.audio).index
    let old = try await pictureTimes(made.source, stream: video)
    let new = try await pictureTimes(made.path)
    #expect(new.count == old.count)
    let oldSound = try #require(try await presentedStart(made.source, stream: audio))
    let newSound = try #require(try await presentedStart(made.path, stream: 1))
    for (before, after) in zip(old, new) {
      #expect(abs((after - newSound) - (before - oldSound)) <= 0.02)
    }
    #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 })
    let length = try await FFprobe.presentedDuration(made.source)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - length) <= 0.1)
  }

  @Test(
    "where one starts late or ends early", arguments: Extent.sample(sources, every: 4),
    [VideoPolicy.auto, .h264])
  func uneven(_ source: Source, policy: VideoPolicy) async throws {
    let path = try await make(source.name, source.options)
    try await expectSync(try await convert(path, policy: policy))
  }

  @Test(
    "where an edit list cuts off the start", .notInSample, arguments: [VideoPolicy.auto, .h264])
  func startCut(policy: VideoPolicy) async throws {
    let whole = try await make(
      "whole.mp4", Self.picture + Self.sound + Self.h264 + ["-c:a", "aac"])
    // ffmpeg keeps the packets from the keyframe on, and hides those before 1.5 s.
    let path = try await make("cut.mp4", ["-ss", "1.5", "-i", whole, "-c", "copy"])
    let made = try await convert(path, policy: policy)
    try await expectSync(made)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 1.5) < 0.05)
  }

  @Test(
    "at the speed that a slow-motion file says", .notInSample,
    arguments: [VideoPolicy.auto, .h264])
  func slowMotion(policy: VideoPolicy) async throws {
    // Taken at 240 a second, played at 30, sound stretched along.
    let path = try await make(
      "slow.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=128x96:r=240:d=0.5", "-f", "lavfi", "-i", "sine=440:d=4",
        "-vf", "setpts=8*PTS", "-r", "30",
      ] + Self.h264 + ["-c:a", "aac"])
    let made = try await convert(path, policy: policy)
    try await expectSync(made)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 4) < 0.05)
    let fast = try await make(
      "fast.mov", ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=240:d=0.5"] + Self.h264)
    let kept = try await convert(fast, policy: policy)
    try await kept.check()
    let times = try await pictureTimes(kept.path)
    #expect(times.count == 120)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1 / 240.0) < 0.0005 })
  }

  @Test("in AVI, which has no presentation times", arguments: ["libx264", "mpeg4"])
  func avi(codec: String) async throws {
    let path = try await make(
      "old.avi", Self.picture + Self.sound + ["-c:v", codec, "-bf", "2", "-c:a", "libmp3lame"])
    let made = try await convert(path)
    try await made.check()
    let packets = try await HashedPacket.all(path, stream: 0)
    let times = try await pictureTimes(made.path)
    #expect(times.count == packets.count)
    // The first picture is shown when the first packet is stored, and the sound starts with it.
    let sound = try #require(try await presentedStart(made.path, stream: 1))
    let first = try #require(packets.first?.dts)
    let oldSound = try #require(try await presentedStart(path, stream: 1))
    #expect(abs((try #require(times.first) - sound) - (first - oldSound)) <= 0.02)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1 / 30.0) < 0.002 })
  }
}
