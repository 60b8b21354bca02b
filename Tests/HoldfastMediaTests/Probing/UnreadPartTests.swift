import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// `--move` removed sources that were read only in part.
@Suite("Parts of a file that FFmpeg does not read", .temporaryFolder)
struct UnreadPartTests {
  private func sound(_ name: String, _ seconds: Int, _ options: [String] = []) async throws -> Data
  {
    let path = try await make(
      name, ["-f", "lavfi", "-i", "sine=\(seconds * 220):duration=\(seconds)"] + options)
    return try Data(contentsOf: URL(filePath: path))
  }

  private func write(_ bytes: Data, _ fileExtension: String) throws -> String {
    let path = newPath(fileExtension)
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @Test("All links of a chained Ogg are imported", arguments: ["libopus", "libvorbis", "flac"])
  func chained(codec: String) async throws {
    let options = ["-c:a", codec, "-ar", "48000"]
    let first = try await sound("a.ogg", 2, options)
    let second = try await sound("b.ogg", 3, options + (codec == "libvorbis" ? ["-q:a", "8"] : []))
    let path = try write(first + second + first, "ogg")
    let made = try await convert(path)
    // FFmpeg 9 reads chained Vorbis only up to a link with another setup, and a note says so.
    if codec == "libvorbis", FFmpegRelease.major >= 9 {
      #expect(made.info.isDamaged)
      return
    }
    #expect(!made.info.isDamaged)
    let check = try await made.check()
    #expect(abs(check.duration - 7) < 0.1)
    // The second link's tone is heard in its place.
    for (time, hertz) in [(1, 440), (3, 660), (6, 440)] {
      let level = try await Command.output(
        of: "ffmpeg",
        [
          "-nostdin", "-ss", "\(time)", "-t", "0.5", "-i", made.path, "-af",
          "bandpass=f=\(hertz):width_type=h:w=40,volumedetect", "-f", "null", "-",
        ]
      ).errorOutput
      let loudness = try #require(level.firstMatch(of: /mean_volume: (-[0-9.]+) dB/))
      #expect(try #require(Double(loudness.1)) > -25, "\(time) s")
    }
  }

  @Test("A later link of another sample rate is noted", arguments: ["libvorbis", "flac"])
  func anotherRate(codec: String) async throws {
    let first = try await sound("a.ogg", 2, ["-c:a", codec, "-ar", "48000"])
    let second = try await sound("b.ogg", 2, ["-c:a", codec, "-ar", "44100"])
    let info = try await probe(try write(first + second, "ogg"))
    let isCut = codec == "libvorbis" && FFmpegRelease.major >= 9
    #expect(info.damage.contains { $0.contains(isCut ? "up to the damage" : "sample rate") })
  }

  @Test(
    "A second recording behind the first is noted",
    arguments: ["wav", "aiff", "caf", "m4a", "mov", "wma"])
  func joined(_ fileExtension: String) async throws {
    let one = try await sound("a.\(fileExtension)", 2)
    let path = try write(one + one, fileExtension)
    let info = try await probe(path)
    #expect(info.damage == ["another recording follows in it, which is not read"])
    #expect(try await !probe(TemporaryFolder.current + "/a.\(fileExtension)").isDamaged)
  }

  @Test("A second AMR behind the first is noted: its mark would be taken for sound")
  func joinedAMR() async throws {
    let one = try Data(contentsOf: URL(filePath: Fixtures.path("amr-nb.amr")))
    let info = try await probe(try write(one + one, "amr"))
    #expect(info.damage == ["another recording follows in it, and is garbled where it begins"])
    #expect(try await !probe(try write(one, "amr")).isDamaged)
  }

  @Test("Sound behind the data chunk of a WAV is noted, and tags are not")
  func behindData() async throws {
    let one = try await sound("a.wav", 2)
    let rest = try write(one + one.suffix(20_000), "wav")
    #expect(try await probe(rest).damage == ["20000 bytes after its sound are not read"])
    let tags = Data("id3 ".utf8) + Data([0, 0x20, 0, 0]) + Data(count: 8192)
    #expect(try await !probe(try write(one + tags, "wav")).isDamaged)
    #expect(try await !probe(try write(one + Data(count: 20_000), "wav")).isDamaged)
    #expect(try await !probe(try write(one + Data("TAG".utf8) + Data(count: 125), "wav")).isDamaged)
  }

  @Test(
    "Pictures before the first keyframe of a transport stream are noted as lost",
    arguments: [
      ("mpegts", "libx264", 44), ("mpegts", "mpeg2video", 44), ("matroska", "libx264", 44),
    ])
  func beforeKeyframe(container: String, codec: String, lost: Int) async throws {
    let whole = try await make(
      "whole.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=4", "-f", "lavfi", "-i",
        "sine=duration=4", "-c:v", codec, "-bf", "0", "-g", "50", "-sc_threshold", "0", "-pix_fmt",
        "yuv420p", "-c:a", "aac",
      ])
    let path = try await make(
      container == "mpegts" ? "cut.ts" : "cut.mkv",
      ["-i", whole, "-c", "copy", "-bsf:v", "noise=drop='lt(n,6)'", "-copyts"])
    let info = try await probe(path)
    let finding = "\(lost) pictures before its first keyframe are lost"
    if info.videoStream?.copyObstacle == nil {
      #expect(!info.isDamaged)
    } else {
      #expect(info.damage == [finding])
    }
    #expect(try await !probe(whole).isDamaged)
  }
}
