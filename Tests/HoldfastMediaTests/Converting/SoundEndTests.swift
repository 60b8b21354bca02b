import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Where the sound of an MP4 ends depended on FFmpeg's release: AMR ended up to 67 ms late, copies
/// up to 23 ms, and from FFmpeg 9 on, sound of a few samples had no length.
@Suite("The end of sound", .temporaryFolder)
struct SoundEndTests {
  private static let tone = [
    "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2",
  ]

  /// The length of a file's sound by its header, in seconds.
  private func length(_ path: String) async throws -> Double {
    let stream = try await FFprobe.streams(path).first { $0.codecType == "audio" }
    return try #require(stream?.duration)
  }

  @Test(
    "Sound of a few samples keeps each of them",
    arguments: [1, 2, 3, 4, 5, 100, 960].map { ("wav", $0) } + [("flac", 100), ("flac", 960)])
  func few(container: String, samples: Int) async throws {
    let source = try await make(
      "few.\(container)", Self.tone + ["-af", "atrim=end_sample=\(samples)"])
    let made = try await convert(source)
    let seconds = Double(samples) / 48_000
    #expect(abs(try #require(made.info.duration) - seconds) < 1e-6)
    #expect(abs(try await made.check().duration - seconds) < 1e-6)
    #expect(abs(try await length(made.path) - seconds) < 1e-5)
  }

  @Test(
    "Sound ends where the edit list of its MP4 says, within a packet",
    arguments: [
      ("a.m4a", ["-c:a", "aac"]), ("a.mov", ["-c:a", "pcm_s16le"]),
      ("a.mp4", ["-c:a", "libopus", "-frame_duration", "60"]), ("a.mp4", ["-c:a", "libmp3lame"]),
    ], [1.2333, 1.43])
  func edited(_ source: (name: String, options: [String]), end: Double) async throws {
    let path = try await make(source.name, Self.tone + source.options)
    try EditedLength.end(path, at: end)
    let made = try await convert(path)
    try await made.check()
    #expect(abs(try await length(made.path) - end) < 0.002)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - end) < 0.002)
  }

  @Test("AMR ends where the edit list of its 3GP says", arguments: [1.405, 1.43])
  func amr(end: Double) async throws {
    let path = newPath("3gp")
    try FileManager.default.copyItem(atPath: Fixtures.path("amr.3gp"), toPath: path)
    try EditedLength.end(path, at: end)
    let made = try await convert(path)
    try await made.check()
    #expect(abs(try await length(made.path) - end) < 0.002)
  }

  @Test("Sound that starts late, and whose last packet is short, is copied to its end")
  func late() async throws {
    let path = try await make(
      "late.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=1", "-itsoffset", "0.05"] + Self.tone
        + ["-af", "atrim=end_sample=57345", "-c:v", "libx264", "-c:a", "aac"])
    let made = try await convert(path)
    #expect(made.plan.audio?.isCopied == true)
    let end = 0.05 + 57_345 / 48_000
    #expect(abs(try await made.check().duration - end) < 0.002)
    #expect(abs(try #require(try await FFprobe.format(made.path)?.duration) - end) < 0.002)
  }
}
