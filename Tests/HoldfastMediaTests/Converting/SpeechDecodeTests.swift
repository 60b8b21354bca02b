import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The sound for a transcriber", .temporaryFolder)
struct SpeechDecodeTests {
  private func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

  /// The decoded sound, and the samples in its WAV file.
  private func decode(_ path: String) async throws -> (sound: DecodedSound, samples: [Int16]) {
    let output = temporary("decoded.wav")
    let sound = try await withMedia(path) { source in
      try await withMedia(output, flags: O_RDWR | O_CREAT | O_TRUNC) {
        try await engine.decodeSound(of: source, to: $0)
      }
    }
    #expect(try Data(contentsOf: URL(filePath: output)).count == sound.bytes)
    return (sound, try await samples(of: output))
  }

  private func samples(of path: String) async throws -> [Int16] {
    let result = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-i", path, "-vn", "-ac", "1", "-ar", "16000", "-f", "s16le", "-"])
    return result.outputBytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  @Test(
    "is what ffmpeg makes for -ac 1 -ar 16000, within one step",
    arguments: [
      "voice.wav", "aac.m4a", "portrait.mov", "voice.ogg", "amr-nb.amr", "pcm.mov",
      "loud-5.1.flac",
    ])
  func equalsFFmpeg(name: String) async throws {
    let (sound, samples) = try await decode(Fixtures.path(name))
    let wanted = try await self.samples(of: Fixtures.path(name))
    let skipped = wanted.count - samples.count
    #expect(sound.samples == samples.count)
    #expect(skipped >= 0 && wanted.prefix(max(skipped, 0)).allSatisfy { $0.magnitude <= 5 })
    let differences = zip(wanted.dropFirst(max(skipped, 0)), samples).map {
      abs(Int($0) - Int($1))
    }
    #expect(differences.max() ?? 0 <= 1)
    #expect(sound.peak == samples.map { Int($0.magnitude) }.max())
  }

  @Test("leaves out the silence before the first sound, and says how much")
  func leadingSilence() async throws {
    let path = temporary("late.wav")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "aevalsrc=if(gte(t\\,3)\\,0.5*sin(2000*t)\\,0):s=16000",
        "-t", "4", path,
      ])
    let (sound, samples) = try await decode(path)
    #expect(sound.startTime == 2800 && sound.samples == 19_200)
    #expect(samples.prefix(3200).allSatisfy { $0 == 0 })
  }

  @Test(
    "is silent only if no sample exceeds -75 dBFS", arguments: [(5, true), (6, false)])
  func silence(level: Int, isSilent: Bool) async throws {
    let path = temporary("quiet.wav")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(level)/32768:s=16000", "-t", "1", "-c:a",
        "pcm_s16le", path,
      ])
    #expect(try await decode(path).sound.isSilent == isSilent)
  }

  @Test("A file without sound is refused")
  func noSound() async throws {
    let error = await #expect(throws: HoldfastError.self) {
      _ = try await decode(Fixtures.path("silent-video.mp4"))
    }
    #expect(error?.code == .nothingToPlay)
  }
}
