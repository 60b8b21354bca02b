import Foundation
import HoldfastTestSupport
import Testing

/// A microphone that changed its rate left an ADTS of 16 kHz, then of 44.1 kHz. It was copied, half
/// of it did not decode, and `--move` removed the source.
@Suite("Sound that changes partway", .temporaryFolder)
struct ChangingSoundTests {
  let library = LibraryFolder()

  /// A stretch of a source's sound.
  struct Stretch: Sendable {
    var rate: Int
    var channels: Int
    var seconds = 3
  }

  /// A source whose stretches were recorded one after the other.
  struct Source: CustomTestStringConvertible, Sendable {
    var name: String
    var stretches: [Stretch]
    /// Whether the finished ADTS is copied into a transport stream, times and all.
    var isWrapped = false
    var testDescription: String { name }

    static let narrow = Stretch(rate: 16_000, channels: 1)
    static let mono = Stretch(rate: 44_100, channels: 1)
    static let stereo = Stretch(rate: 44_100, channels: 2)

    static let all = [
      Source(name: "rate.aac", stretches: [narrow, stereo]),
      Source(name: "rate-back.aac", stretches: [stereo, narrow, stereo]),
      Source(name: "channels.aac", stretches: [mono, stereo]),
      Source(name: "fewer-channels.aac", stretches: [stereo, mono]),
      Source(name: "rate.ts", stretches: [narrow, stereo]),
      Source(name: "channels.ts", stretches: [mono, stereo]),
      Source(name: "wrapped.ts", stretches: [stereo, narrow], isWrapped: true),
    ]
  }

  private func ffmpeg(_ arguments: [String], _ name: String) async throws -> String {
    let path = temporary(name)
    _ = try await Command.output(of: "ffmpeg", ["-v", "error", "-y"] + arguments + [path])
    return path
  }

  /// Records each stretch, and joins them.
  private func record(_ source: Source) async throws -> String {
    let suffix = source.isWrapped ? "aac" : URL(filePath: source.name).pathExtension
    var joined = Data()
    var start = 0
    for (number, stretch) in source.stretches.enumerated() {
      let sine = "sine=\(440 + 220 * number):duration=\(stretch.seconds)"
      let part = try await ffmpeg(
        ["-f", "lavfi", "-i", sine, "-ar", "\(stretch.rate)", "-ac", "\(stretch.channels)"]
          + ["-c:a", "aac"] + (suffix == "ts" ? ["-output_ts_offset", "\(start)"] : []),
        "\(number).\(suffix)")
      joined += try Data(contentsOf: URL(filePath: part))
      start += stretch.seconds
    }
    let path = temporary(source.isWrapped ? "joined.aac" : source.name)
    try joined.write(to: URL(filePath: path))
    return source.isWrapped ? try await ffmpeg(["-i", path, "-c", "copy"], source.name) : path
  }

  /// Expects that FFmpeg decodes a file without a complaint, and hears something in each third.
  private func expectAudible(_ path: String, seconds: Double) async throws {
    try await expectHeard(path, seconds: seconds)
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty, "\(decoded.errorOutput)")
  }

  private func expectHeard(_ path: String, seconds: Double) async throws {
    for third in 0..<3 {
      let heard = try await Command.output(
        of: "ffmpeg",
        ["-hide_banner", "-nostats", "-ss", "\(seconds / 3 * Double(third))"]
          + ["-t", "\(seconds / 3)", "-i", path, "-af", "volumedetect", "-f", "null", "-"])
      let words = heard.errorOutput.split(separator: " ").map(String.init)
      let place = try #require(words.firstIndex(of: "mean_volume:"), "\(heard.errorOutput)")
      #expect(try #require(Double(words[place + 1])) > -30)
    }
  }

  @Test("is encoded to its true length, and all of it can be heard", arguments: Source.all)
  func changes(_ source: Source) async throws {
    let path = try await record(source)
    let line = try #require(
      try await library.importEvents("--move", path).first { $0.event == "imported" })
    let recording = try #require(line.recordings?.first)
    let seconds = Double(source.stretches.map(\.seconds).reduce(0, +))
    // Each stretch begins with a frame of priming, which ADTS cannot tell from sound.
    #expect(abs(recording.duration - seconds) < 0.1 * Double(source.stretches.count))
    let file = "\(library.path)/\(recording.filePath)"
    #expect(abs(try await FFprobe.presentedDuration(file) - recording.duration) < 0.1)
    try await expectAudible(file, seconds: recording.duration)
    let stream = try #require(try await FFprobe.streams(file).first)
    #expect(stream.channels == 2)
    let report = try await library.holdfast("show", recording.id).output
    #expect(report.contains("its sound changes partway, from"), "\(report)")
    try await library.expectSound()
  }

  @Test("A note of 70 seconds whose rate rises early is not refused as longer than 120")
  func length() async throws {
    let source = Source(
      name: "note.aac",
      stretches: [
        Stretch(rate: 16_000, channels: 1, seconds: 5),
        Stretch(rate: 44_100, channels: 2, seconds: 65),
      ])
    let path = try await record(source)
    let lines = try await library.importEvents(path)
    let recording = try #require(lines.first?.recordings?.first, "\(lines)")
    #expect(abs(recording.duration - 70) < 0.2)
    #expect(try await library.column("SELECT partCount FROM recording") == ["1"])
  }

  @Test(
    "Damage in sound without an index is found by decoding the copy, and the source is kept",
    arguments: [60..<63, 60..<61, 61..<62])
  func damage(_ damaged: Range<Int>) async throws {
    let path = try await record(Source(name: "damaged.aac", stretches: [Source.stereo]))
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    var place = 0
    var frame = 0
    while place + 7 < bytes.count {
      let size =
        Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
      if damaged.contains(frame) {
        for offset in 9..<size { bytes[place + offset] = UInt8(truncatingIfNeeded: offset * 37) }
      }
      place += size
      frame += 1
    }
    try Data(bytes).write(to: URL(filePath: path))
    let line = try #require(
      try await library.importEvents("--move", path).first { $0.event == "imported" })
    #expect(line.moved == .source(false))
    #expect(line.warnings?.contains { $0.contains("could not be decoded") } == true)
    #expect(FileManager.default.fileExists(atPath: path))
    let file = try #require(line.recordings?.first?.filePath)
    try await expectAudible("\(library.path)/\(file)", seconds: 3)
  }

  @Test("Sound that ends within its last packet is copied, and the source is kept")
  func cutShort() async throws {
    let path = try await record(Source(name: "cut.aac", stretches: [Source.stereo]))
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(100).write(to: URL(filePath: path))
    let line = try #require(
      try await library.importEvents("--move", path).first { $0.event == "imported" })
    #expect(line.moved == .source(false))
    #expect(line.warnings?.contains { $0.contains("1 packet of it is damaged") } == true)
    let file = try #require(line.recordings?.first?.filePath)
    let encoded = "SELECT instr(conversion, 'encodedBecause') FROM recording"
    #expect(try await library.column(encoded) == ["0"])
    try await expectHeard("\(library.path)/\(file)", seconds: 3)
  }

  @Test("A track whose samples have several codecs is noted, and its source is kept")
  func severalCodecs() async throws {
    var track = QuickTime.Track()
    track.secondDescription = QuickTime.sound("ulaw")
    track.chunks = ([QuickTime.mediaOffset, QuickTime.mediaOffset + 32768], 32768)
    let path = temporary("two.mov")
    let movie = QuickTime.file(QuickTime.movieHeader(duration: 8192), track.bytes)
    try Data(movie).write(to: URL(filePath: path))
    let line = try #require(
      try await library.importEvents("--move", path).first { $0.event == "imported" })
    #expect(line.moved == .source(false))
    #expect(line.stays?.contains("part of its sound has another codec") == true)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
