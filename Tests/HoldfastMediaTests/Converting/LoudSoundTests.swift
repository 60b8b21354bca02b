import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Sound of six channels at full scale was mixed to 7.5 dB over it, and every player clipped it.
@Suite("Sound that is louder for being mixed", .temporaryFolder, .notInSample)
struct LoudSoundTests {
  private static let limiter = "limiter −1 dBTP"

  /// The true peak as ffmpeg measures it by ITU-R BS.1770, in decibels.
  private func truePeak(_ path: String) async throws -> Double {
    let result = try await Command.output(
      of: "ffmpeg", ["-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"])
    let found = result.errorOutput.firstMatch(of: /True peak:\s+Peak:\s+(-?[0-9.]+) dBFS/)?.1
    return try #require(found.flatMap { Double($0) })
  }

  private func surround(
    _ level: Double, frequencies: [Int] = [997, 997, 997, 60, 997, 997], name: String = "six.flac",
    rate: Int = 48_000
  ) async throws -> String {
    let tones = frequencies.map { "\(level)*sin(2*PI*\($0)*t)" }.joined(separator: "|")
    return try await make(
      name,
      [
        "-f", "lavfi", "-i", "aevalsrc='\(tones)':c=5.1:s=\(rate):d=3.33", "-af",
        // FFmpeg's AAC encoder overshoots where sound starts suddenly.
        "afade=d=0.3,afade=out:st=3:d=0.33",
      ])
  }

  @Test(
    "is limited, and keeps its length and its time",
    arguments: Extent.sample([48_000, 44_100, 96_000], every: 6), [true, false])
  func limited(rate: Int, isOneTone: Bool) async throws {
    let frequencies = isOneTone ? [997, 997, 997, 60, 997, 997] : [300, 450, 600, 60, 750, 900]
    let source = try await surround(0.99, frequencies: frequencies, rate: rate)
    let loud = try await make("mix.wav", ["-i", source, "-ac", "2", "-c:a", "pcm_f32le"])
    let mixed = try await truePeak(loud)
    try #require(mixed > 5)
    let made = try await convert(source)
    try await made.check()
    #expect(made.report.settings.contains { $0.hasPrefix("limiter −") })
    let peak = try await truePeak(made.path)
    #expect(peak <= (isOneTone ? -0.5 : 0) && peak > -3)
    #expect(try #require(made.report.encodedPeak) < 0.93)
    let newRate = rate == 44_100 ? 44_100 : 48_000
    let samples = Int64((3.33 * Double(newRate)).rounded())
    #expect(made.report.encodedSound == 0..<samples)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 3.33) < 0.0001)
  }

  /// Sound whose peaks FFmpeg's AAC encoder raises: by 6 dB in the first case.
  struct Hard: Sendable, CustomTestStringConvertible {
    var name: String
    var sources: [String]
    var filters = "anull"
    var testDescription: String { name }
  }

  private static func noise(_ seed: Int) -> String { "anoisesrc=seed=\(seed):r=48000:d=3" }
  private static let hard = [
    Hard(
      name: "a square wave of 8 kHz", sources: ["aevalsrc='sgn(sin(2*PI*441*t))':c=mono:s=8000:d=3"]
    ),
    Hard(
      name: "square waves of 96 kHz",
      sources: ["aevalsrc='sgn(sin(2*PI*441*t))|sgn(sin(2*PI*443*t))':c=stereo:s=96000:d=3"]),
    Hard(
      name: "six noises", sources: (1...6).map(noise),
      filters: "join=inputs=6:channel_layout=5.1"),
    Hard(
      name: "bursts of noise", sources: (1...6).map(noise),
      filters: "join=inputs=6:channel_layout=5.1,volume='lt(mod(t,0.5),0.02)':eval=frame"),
    Hard(
      name: "one noise of 32 kHz", sources: ["anoisesrc=seed=1:r=32000:d=3"]),
  ]

  @Test(
    "is not over full scale once it is decoded, whatever the encoder does to it", arguments: hard)
  func decoded(_ sound: Hard) async throws {
    let inputs = sound.sources.flatMap { ["-f", "lavfi", "-i", $0] }
    let source = try await make("hard.wav", inputs + ["-filter_complex", sound.filters])
    let made = try await convert(source)
    try await made.check()
    let ceiling = try #require(made.report.settings.first { $0.hasPrefix("limiter −") })
    let peak = try await truePeak(made.path)
    // The overshoot varies with the slightest change of the sound.
    #expect(peak <= 0 && peak > -6, "\(ceiling)")
  }

  @Test("is limited where it is loud, and otherwise stays as it was, at its time")
  func onlyThere() async throws {
    // A click every half second at a third of full scale, and one loud stretch.
    let loud = "0.99*sin(2*PI*500*t)*between(t,2,2.2)"
    let click = "0.3*sin(2*PI*3000*t)*lt(mod(t,0.5),0.001)+\(loud)"
    let source = try await make(
      "clicks.flac",
      [
        "-f", "lavfi", "-i",
        "aevalsrc='\(click)|\(click)|\(loud)|0|\(loud)|\(loud)':c=5.1:s=48000:d=4.1",
      ])
    let reference = try await make("mix.wav", ["-i", source, "-ac", "2", "-c:a", "pcm_f32le"])
    let made = try await convert(source)
    try await made.check()
    #expect(made.report.settings.contains(Self.limiter))
    let (before, after) = (
      try await sound(reference, rate: 48_000), try await sound(made.path, rate: 48_000)
    )
    for second in [0.5, 1.0, 1.5, 3.0, 3.5] {
      let range = Int(second * 48_000) - 200..<Int(second * 48_000) + 200
      let was = before[range].map(Double.init)
      // At the best match, the click has its old place and loudness.
      let best = (-20...20).map { shift -> (shift: Int, product: Double) in
        let there = after[(range.lowerBound + shift)..<(range.upperBound + shift)]
        return (shift, zip(was, there).reduce(0) { $0 + $1.0 * Double($1.1) })
      }.max { $0.product < $1.product }
      #expect(best?.shift == 0)
      let energy = was.reduce(0) { $0 + $1 * $1 }
      #expect(abs((best?.product ?? 0) / energy - 1) < 0.1)
    }
  }

  @Test("is left alone where it is quiet, where nothing is mixed, and where it is lossless")
  func alone() async throws {
    let quiet = try await convert(try await surround(0.1))
    #expect(!quiet.report.settings.contains(Self.limiter))
    let tone = ["-f", "lavfi", "-i", "sine=frequency=997:duration=1:sample_rate=48000", "-af"]
    let stereo = try await make("two.wav", tone + ["volume=18dB,pan=stereo|c0=c0|c1=c0"])
    #expect(try await truePeak(stereo) > -1)
    let kept = try await convert(stereo)
    #expect(!kept.report.settings.contains(Self.limiter))
    let fast = try await make(
      "fast.flac",
      ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=96000", "-af", "volume=18.05dB"])
    let lossless = try await convert(fast, audio: .alac)
    #expect(!lossless.report.settings.contains(Self.limiter))
    #expect(try await convert(fast).report.settings.contains(Self.limiter))
  }
}
