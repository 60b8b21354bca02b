import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Sound that is encoded", .temporaryFolder, .notInSample)
struct SoundEncodeTests {
  private static let rates = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]

  /// The loudness of one channel of a file by ffmpeg's volumedetect, in decibels.
  private func level(_ path: String, channel: Int) async throws -> Double {
    let result = try await Command.output(
      of: "ffmpeg",
      ["-i", path, "-af", "pan=mono|c0=c\(channel),volumedetect", "-f", "null", "-"])
    let text = try #require(result.errorOutput.components(separatedBy: "mean_volume: ").last)
    return try #require(Double(text.prefix { $0 != " " }))
  }

  @Test(
    "has a rate that every player knows, and the length and level of its source",
    arguments: Extent.sample(rates, every: 3))
  func rate(_ rate: Int) async throws {
    let source = try await make(
      "tone.wav", ["-f", "lavfi", "-i", "sine=frequency=1000:sample_rate=\(rate):duration=1.5"])
    let made = try await convert(source)
    try await made.check()
    let stream = try #require(try await FFprobe.streams(made.path).first)
    let newRate = try #require(stream.sampleRate)
    #expect(newRate == ([11_025, 22_050, 44_100, 88_200].contains(rate) ? 44_100 : 48_000))
    #expect(stream.codecName == "aac" && stream.profile == "LC" && stream.channels == 1)
    let samples = try await sound(made.path, rate: newRate).count
    #expect(abs(samples - newRate * 3 / 2) <= 1024)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 1.5) < 0.001)
    #expect(abs(try await level(made.path, channel: 0) - level(source, channel: 0)) < 0.5)
  }

  @Test(
    "of more than two channels is mixed down as ffmpeg does by itself",
    arguments: Extent.sample(["2.1", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"], every: 3))
  func downmix(_ layout: String) async throws {
    let tones = (0..<8).map { "0.1*sin(2*PI*\(200 + 150 * $0)*t)" }
    let channels = ["2.1": 3, "3.0": 3, "quad": 4, "5.0": 5, "5.1": 6, "6.1": 7, "7.1": 8]
    let count = try #require(channels[layout])
    let source = try await make(
      "many.wav",
      [
        "-f", "lavfi", "-i",
        "aevalsrc='\(tones.prefix(count).joined(separator: "|"))':c=\(layout):s=48000:d=1",
      ])
    let made = try await convert(source)
    let reference = try await make("two.wav", ["-i", source, "-ac", "2", "-c:a", "pcm_f32le"])
    #expect(try await FFprobe.streams(made.path).first?.channels == 2)
    for channel in 0..<2 {
      let expected = try await level(reference, channel: channel)
      #expect(abs(try await level(made.path, channel: channel) - expected) < 0.5)
    }
  }

  @Test("of the centre channel alone is mixed into both channels, 3 dB lower")
  func centreAlone() async throws {
    let source = try await make(
      "centre.wav", ["-f", "lavfi", "-i", "aevalsrc='0|0|0.1*sin(300*t)|0|0|0':c=5.1:s=48000:d=1"])
    // The third channel of 5.1 is the centre.
    let made = try await convert(source)
    let centre = try await level(source, channel: 2)
    for channel in 0..<2 {
      #expect(abs(try await level(made.path, channel: channel) - (centre - 3)) < 0.5)
    }
  }

  @Test(
    "ends where the source does, to a frame, also where frames are long",
    arguments: [
      ("voice.opus", ["-c:a", "libopus", "-frame_duration", "60"]),
      ("voice.ogg", ["-c:a", "libvorbis"]), ("voice.mp3", ["-c:a", "libmp3lame"]),
      ("voice.flac", ["-c:a", "flac"]), ("voice.wma", ["-c:a", "wmav2"]),
    ])
  func end(name: String, options: [String]) async throws {
    let source = try await make(
      name, ["-f", "lavfi", "-i", "sine=frequency=500:sample_rate=48000:duration=2.345"] + options)
    let made = try await convert(source)
    try await made.check()
    let before = try await sound(source, rate: 48_000).count
    let after = try await sound(made.path, rate: 48_000).count
    // WMA's decoder outputs its own priming; a frame has 2,048 samples.
    #expect(abs(after - before) <= (name.hasSuffix("wma") ? 2048 : 1024))
  }

  @Test("of AMR does not count as damaged where a phone sends silence, and keeps its length")
  func silence() async throws {
    // Comfort noise and no data in place of every third frame (3GPP TS 26.101), and of the first
    // 300.
    let frames = try Data(contentsOf: URL(filePath: Fixtures.path("amr-nb.amr"))).dropFirst(6)
    try #require(frames.count % 32 == 0)
    let speech = stride(from: frames.startIndex, to: frames.endIndex, by: 32).map {
      frames[$0..<$0 + 32]
    }
    let (noise, nothing) = (Data([0x44, 1, 2, 3, 4, 5]), Data([0x7C]))
    var file = Data("#!AMR\n".utf8)
    for number in 0..<300 { file += number % 8 == 0 ? noise : nothing }
    for (number, frame) in speech.enumerated() { file += number % 3 == 1 ? noise : frame }
    let path = newPath("amr")
    try file.write(to: URL(filePath: path))

    let info = try await probe(path, depth: .decoded)
    #expect(info.warnings == [])
    #expect(info.audioStream?.damagedPackets == 0)
    let made = try await convert(path)
    try await made.check()
    #expect(made.report.damagedPackets == nil && made.report.warnings == [])
    let length = Double(300 + speech.count) * 0.02
    #expect(abs(try await FFprobe.presentedDuration(made.path) - length) < 0.05)
    // The speech is still heard, at the same times.
    let samples = try await sound(made.path, rate: 8000)
    #expect(samples.prefix(8000 * 5).allSatisfy { abs(Int($0)) < 300 })
    #expect(samples.suffix(8000).contains { abs(Int($0)) > 1500 })
  }

  @Test("Of ambisonic sound, the omnidirectional channel is kept")
  func ambisonic() async throws {
    let source = try await make(
      "sphere.ogg",
      [
        "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2764*t)|0.3*sin(5000*t)|0|0:s=48000:d=2:c=4.0",
        "-c:a", "libopus", "-mapping_family", "2",
      ])
    try #require(try await FFprobe.streams(source).first?.channels == 4)
    let made = try await convert(source)
    try await made.check()
    #expect(try await FFprobe.streams(made.path).first?.channels == 1)
    let first = try await make(
      "first.wav", ["-i", source, "-af", "channelmap=map=0:channel_layout=mono"])
    #expect(abs(try await level(made.path, channel: 0) - level(first, channel: 0)) < 0.5)
  }
}
