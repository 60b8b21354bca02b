import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A clock that jumps", .temporaryFolder)
struct ClockTests {
  /// A transport stream of this many seconds, with sound of one rate and channel count.
  private func stream(
    _ name: String, seconds: Int, rate: Int = 44_100, channels: Int = 2, offset: Int = 0
  ) async throws -> Data {
    let path = try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=\(seconds)", "-f", "lavfi", "-i",
        "sine=\(rate / 50):r=\(rate):d=\(seconds)", "-ac", "\(channels)", "-c:v", "libx264", "-bf",
        "0", "-g", "30", "-c:a", "mp2", "-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset",
        "\(offset)",
      ])
    return try Data(contentsOf: URL(filePath: path))
  }

  /// Joins streams, and counts their packets on (ISO/IEC 13818-1, 2.4.3.3), as a recorder does.
  private func join(_ streams: [Data]) throws -> String {
    var bytes = [UInt8](streams.reduce(Data(), +))
    var counters: [Int: UInt8] = [:]
    for place in stride(from: 0, to: bytes.count, by: 188) where bytes[place + 3] & 0x10 != 0 {
      let pid = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
      let next = ((counters[pid] ?? 15) + 1) & 15
      counters[pid] = next
      bytes[place + 3] = bytes[place + 3] & 0xF0 | next
    }
    let path = newPath("ts")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test("back to its beginning is bridged, so that no times overlap")
  func reset() async throws {
    let part = try await stream("part.ts", seconds: 4)
    let made = try await convert(try join([part, part, part]))
    try await made.check()
    let times = try await pictureTimes(made.path)
    #expect(times.count == 360)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.02 && $1 - $0 < 0.12 })
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 12) < 0.15)
    #expect(abs(Double(try await sound(made.path).count) / 22_050 - 12) < 0.2)
  }

  @Test("ahead, with another format of sound after it, leaves the sound at its time")
  func gap() async throws {
    let made = try await convert(
      try join([
        try await stream("first.ts", seconds: 3),
        try await stream("second.ts", seconds: 3, rate: 48_000, channels: 1, offset: 5),
      ]))
    try await made.check()
    let result = try await Command.output(
      of: "ffmpeg",
      ["-i", made.path, "-map", "0:a", "-af", "silencedetect=n=-50dB:d=0.5", "-f", "null", "-"])
    let end = try #require(
      result.errorOutput.components(separatedBy: "silence_end: ").last.flatMap {
        Double($0.prefix { $0.isNumber || $0 == "." })
      })
    let pictures = try await pictureTimes(made.path)
    let behind = try #require(pictures.first { $0 > 4 })
    #expect(abs(end - behind) < 0.03)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 8) < 0.15)
  }

  @Test("A clock that jumps in Matroska counts as damage, so that a move keeps the source")
  func matroska() async throws {
    // Matroska's clusters, cut out and appended twice.
    let path = try await make(
      "once.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=3", "-c:v", "libvpx", "-b:v", "200k",
        "-live", "1",
      ])
    let whole = try Data(contentsOf: URL(filePath: path))
    let cluster = try #require(whole.range(of: Data([0x1F, 0x43, 0xB6, 0x75])))
    let twice = newPath("mkv")
    try (whole + whole[cluster.lowerBound...]).write(to: URL(filePath: twice))
    let info = try await probe(twice)
    #expect(info.isDamaged)
    #expect(info.warnings.contains { $0.contains("clock jumps back") })
  }
}
