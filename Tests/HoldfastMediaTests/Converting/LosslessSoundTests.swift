import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Lossless sound that is kept lossless", .temporaryFolder, .notInSample)
struct LosslessSoundTests {
  /// A source, and ffprobe's description of its recording.
  struct Source: CustomTestStringConvertible, Sendable {
    let name: String
    let rate: Int
    let channels: Int
    let bits: Int
    let options: [String]
    var testDescription: String { name }

    static let all = [
      Source(name: "cd.wav", rate: 44_100, channels: 2, bits: 16, options: ["-c:a", "pcm_s16le"]),
      Source(name: "eight.wav", rate: 8000, channels: 1, bits: 16, options: ["-c:a", "pcm_u8"]),
      Source(
        name: "deep.wav", rate: 48_000, channels: 2, bits: 24, options: ["-c:a", "pcm_s24le"]),
      Source(
        name: "deep.flac", rate: 48_000, channels: 2, bits: 24, options: ["-sample_fmt", "s32"]),
      Source(
        name: "high.flac", rate: 96_000, channels: 1, bits: 24, options: ["-sample_fmt", "s32"]),
      Source(
        name: "high.mka", rate: 88_200, channels: 2, bits: 16,
        options: ["-c:a", "flac", "-sample_fmt", "s16"]),
      Source(
        name: "top.wav", rate: 192_000, channels: 2, bits: 24, options: ["-c:a", "pcm_s24le"]),
      Source(
        name: "apple.aiff", rate: 44_100, channels: 2, bits: 24, options: ["-c:a", "pcm_s24be"]),
      Source(
        name: "apple.caf", rate: 32_000, channels: 1, bits: 16, options: ["-c:a", "pcm_s16be"]),
      // Two channels other than left and right must not be mixed.
      Source(
        name: "odd.wav", rate: 48_000, channels: 2, bits: 16,
        options: ["-af", "channelmap=map=0|1:channel_layout=FC+LFE", "-c:a", "pcm_s16le"]),
    ]
  }

  /// Loud noise and a tone, in a source whose length is not a multiple of any frame length.
  private func make(_ source: Source, seconds: Double = 3.21) async throws -> String {
    let tone = "0.6*sin(2764*t)+0.39*(2*random(0)-1)"
    let other = "0.5*sin(1500*t)-0.49*(2*random(1)-1)"
    let channels = source.channels == 1 ? tone : "\(tone)|\(other)"
    let layout = source.channels == 1 ? "mono" : "stereo"
    return try await HoldfastMediaTests.make(
      source.name,
      ["-f", "lavfi", "-i", "aevalsrc='\(channels)':c=\(layout):s=\(source.rate):d=\(seconds)"]
        + source.options)
  }

  /// A hash of the 32-bit samples that ffmpeg decodes.
  private func hash(_ path: String, _ options: [String] = []) async throws -> String {
    let answer = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-i", path] + options + ["-f", "s32le", "-f", "md5", "-"])
    return answer.output
  }

  private struct Stream: Decodable, Equatable {
    var codec_name: String
    var sample_rate: String
    var channels: Int
    var bits_per_raw_sample: String
  }

  private func stream(_ path: String) async throws -> Stream? {
    struct Answer: Decodable { var streams: [Stream] }
    let answer = try await Command.output(
      of: "ffprobe",
      ["-v", "error", "-select_streams", "a", "-show_streams", "-of", "json", path])
    return try JSONDecoder().decode(Answer.self, from: Data(answer.outputBytes)).streams.first
  }

  @Test(
    "is kept sample by sample, at its own rate and depth",
    arguments: Extent.sample(Source.all, every: 3))
  func exact(_ source: Source) async throws {
    let path = try await make(source)
    let made = try await convert(path, audio: .alac)
    let check = try await made.check()
    #expect(
      try await stream(made.path)
        == Stream(
          codec_name: "alac", sample_rate: "\(source.rate)", channels: source.channels,
          bits_per_raw_sample: "\(source.bits)"))
    let decoding = ["-c:a", "pcm_s32le"]
    #expect(try await hash(made.path, decoding) == hash(path, decoding))
    #expect(made.report.warnings == [])
    #expect(made.report.encodedSound == 0..<Int64((3.21 * Double(source.rate)).rounded()))
    #expect(check.sound?.bitDepth == source.bits)
    #expect((0.9...1).contains(made.report.encodedPeak ?? 0))
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 3.21) < 0.0001)
  }

  @Test("is kept sample by sample beside a picture")
  func beside() async throws {
    let path = try await HoldfastMediaTests.make(
      "clip.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=2", "-f", "lavfi", "-i",
        "aevalsrc='random(0)|random(1)-0.5':c=stereo:s=96000:d=2", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", "-c:a", "pcm_s24le",
      ])
    let made = try await convert(path, audio: .alac)
    try await made.check()
    #expect(made.plan.video?.isCopied == true)
    #expect(try await stream(made.path)?.sample_rate == "96000")
    let decoding = ["-vn", "-c:a", "pcm_s32le"]
    #expect(try await hash(made.path, decoding) == hash(path, decoding))
  }

  @Test(
    "is cut to the sample, and its parts are the whole",
    arguments: Extent.sample(["long.wav", "long.flac"], every: 6))
  func parts(_ name: String) async throws {
    let path = try await make(
      Source(name: name, rate: 16_000, channels: 1, bits: 16, options: []), seconds: 250.3)
    let whole = try await sound(path, rate: 16_000)
    let trimmed = try #require(try await convertParts(path, .trim, audio: .alac).first)
    #expect(try await sound(trimmed.path, rate: 16_000) == whole.prefix(120 * 16_000).map { $0 })
    var joined: [Int16] = []
    for part in try await convertParts(path, .split, audio: .alac) {
      #expect(try await stream(part.path)?.codec_name == "alac")
      joined += try await sound(part.path, rate: 16_000)
    }
    #expect(joined == whole)
  }

  @Test("has 24 bits where it had more, and a warning says so")
  func deeper() async throws {
    for (codec, warning) in [
      ("pcm_s32le", "its sound of 32 bits a sample is kept with 24"),
      (
        "pcm_f32le",
        "its sound in floating point is kept with 24 bits a sample, and clipped where it is louder "
          + "than full scale"
      ),
    ] {
      let path = try await make(
        Source(name: "\(codec).wav", rate: 48_000, channels: 2, bits: 32, options: ["-c:a", codec]))
      let made = try await convert(path, audio: .alac)
      try await made.check()
      #expect(made.report.warnings == [warning])
      #expect(try await stream(made.path)?.bits_per_raw_sample == "24")
    }
  }

  @Test("is AAC by default, where it was lossy, and where it has more than two channels")
  func others() async throws {
    let tones = ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000"]
    let flac = try await HoldfastMediaTests.make("tone.flac", tones)
    let lossy = try await HoldfastMediaTests.make("tone.mp3", tones)
    let surround = ["-af", "pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0"]
    let six = try await HoldfastMediaTests.make("six.flac", tones + surround)
    let sixALAC = try await HoldfastMediaTests.make("six.m4a", tones + surround + ["-c:a", "alac"])
    for (path, policy, reason) in [
      (flac, AudioPolicy.auto, "flac is stored as AAC, to save space"),
      (flac, .aac, "flac is stored as AAC, to save space"), (lossy, .alac, "mp3 is stored as AAC"),
      (six, .alac, "flac is stored as AAC, to save space"), (sixALAC, .auto, "6 channels"),
      (sixALAC, .alac, "6 channels"),
    ] {
      let made = try await convert(path, audio: policy)
      try await made.check()
      #expect(try await FFprobe.streams(made.path).first?.codecName == "aac")
      #expect(made.plan.audio?.encodedBecause == reason)
    }
    #expect(
      try await convert(flac, audio: .alac).plan.audio?.encodedBecause
        == "flac is stored as ALAC, which loses nothing")
  }

  @Test("is copied where it is ALAC already, unless AAC is asked for")
  func copied() async throws {
    let path = Fixtures.path("alac.m4a")
    let kept = try await convert(path, audio: .alac)
    #expect(kept.plan.audio?.isCopied == true)
    let asked = try await convert(path, audio: .aac)
    try await asked.check()
    #expect(asked.plan.audio?.encodedBecause == "asked for")
    #expect(try await FFprobe.streams(asked.path).first?.codecName == "aac")
    // Sound whose copy fails its check is also encoded without loss.
    let again = try await convert(path, audio: .alac) { $0.audio?.encodedBecause = "it failed" }
    try await again.check()
    #expect(again.report.settings.first == "alac 16 bits, 16000 Hz, 1 ch")
    let decoding = ["-c:a", "pcm_s32le"]
    #expect(try await hash(again.path, decoding) == hash(path, decoding))
  }

  @Test("that has changed is found by the check")
  func changed() async throws {
    let made = try await convert(try await make(Source.all[0]), audio: .alac)
    var report = made.report
    report.encodedSamples = String(try #require(report.encodedSamples).reversed())
    let error = await #expect(throws: HoldfastError.self) { try await made.check(report) }
    #expect(
      error?.reason.contains("the samples that come out differ from those that went in") == true)
  }
}
