import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Damage", .temporaryFolder, .notInSample)
struct DamageTests {
  /// A clip without reordered pictures, a keyframe every 2 s.
  private func clip(
    _ name: String = "clip.mp4", codec: [String] = ["libx264", "-bf", "0"], seconds: Int = 4
  ) async throws -> String {
    try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=\(seconds)", "-f", "lavfi", "-i",
        "sine=440:d=\(seconds)", "-g", "30", "-c:v",
      ] + codec + (name.hasSuffix("webm") ? ["-c:a", "libopus"] : ["-c:a", "aac"]))
  }

  /// Turns bits in the middle of a packet, as a failing card does.
  private func damaging(
    _ path: String, _ stream: String, packet number: Int, at offset: Int = 60, count: Int = 40
  ) async throws -> String {
    let text = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pos", "-of", "csv=p=0",
        path,
      ]
    ).output.split(separator: "\n")
    let position = try #require(Int(text[number].filter(\.isNumber)))
    var bytes = try Data(contentsOf: URL(filePath: path))
    for place in position + offset..<position + offset + count { bytes[place] ^= 0x5A }
    let damaged = newPath(URL(filePath: path).pathExtension)
    try bytes.write(to: URL(filePath: damaged))
    return damaged
  }

  /// How many packets of picture and sound do not decode cleanly.
  private func damage(_ path: String) async throws -> [Int?] {
    let info = try await probe(path, depth: .decoded)
    return [info.videoStream?.damagedPackets, info.audioStream?.damagedPackets]
  }

  @Test("is not found where there is none", arguments: Extent.sample(accepted, every: 3))
  func clean(_ row: ManifestRow) async throws {
    let info = try await probe(Fixtures.path(row.path), depth: .decoded)
    for stream in [info.videoStream, info.audioStream].compactMap({ $0 }) {
      #expect(stream.damagedPackets == 0)
    }
    #expect(try await probe(Fixtures.path(row.path)).videoStream?.damagedPackets == nil)
  }

  @Test("of a copied picture or sound is found when everything is decoded")
  func copied() async throws {
    let source = try await clip()
    #expect(try await damage(source) == [0, 0])
    for (stream, packet, offset, expected) in [("v", 20, 60, [1, 0]), ("a", 40, 5, [0, 1])] {
      let bad = try await damaging(source, stream, packet: packet, at: offset, count: 30)
      let made = try await convert(bad)
      #expect(made.plan.video?.isCopied == true)
      try await made.check()
      #expect(try await damage(made.path) == expected)
    }
  }

  @Test(
    "of a reference that is gone is found when everything is decoded",
    arguments: [
      ["libx264", "-bf", "0"],
      ["libx265", "-x265-params", "log-level=none:bframes=0", "-tag:v", "hvc1"],
    ])
  func reference(codec: [String]) async throws {
    let source = try await clip(codec: codec)
    let bad = try await make(
      "gone.mp4", ["-i", source, "-c", "copy", "-bsf:v", "noise=drop='eq(n,20)'"])
    let made = try await convert(bad)
    #expect(made.plan.video?.isCopied == true)
    #expect(try #require(try await damage(made.path).first ?? nil) > 0)
  }

  @Test("of a packet's form makes the picture be encoded, and the rest is kept")
  func form() async throws {
    let bad = try await damaging(try await clip(), "v", packet: 20, at: 0, count: 2)
    let made = try await convert(bad)
    #expect(made.plan.video?.encodedBecause?.contains("damaged at picture 21") == true)
    try await made.check()
    #expect(try await pictureTimes(made.path).count >= 59)
    #expect(!made.report.warnings.isEmpty && made.report.damagedPackets != nil)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 4) < 0.1)
  }

  @Test("in the middle of an encoded stream loses only that part, and is reported")
  func encoded() async throws {
    let whole = try await clip("clip.ts")
    var bytes = try Data(contentsOf: URL(filePath: whole))
    let middle = bytes.count / 188 / 2 * 188
    for place in middle + 20..<middle + 5 * 188 where place % 188 > 20 { bytes[place] ^= 0x77 }
    let bad = newPath("ts")
    try bytes.write(to: URL(filePath: bad))
    let made = try await convert(bad, policy: .h264)
    try await made.check()
    #expect(!made.report.warnings.isEmpty && made.report.damagedPackets != nil)
    #expect(try await pictureTimes(made.path).count >= 58)
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 4) < 0.15)
  }

  @Test(
    "in the middle of Matroska loses only that part, and the rest keeps its time",
    .notInSample)
  func cluster() async throws {
    // FFmpeg begins a cluster every 5 s; one of the first is broken.
    let source = try await clip("clip.webm", codec: ["libvpx", "-b:v", "300k"], seconds: 20)
    let bad = try await damaging(source, "v", packet: 90, at: -8, count: 200)
    let made = try await convert(bad)
    try await made.check()
    let times = try await pictureTimes(made.path)
    #expect(times.count > 150 && times.count < 300)
    #expect(try #require(times.last) > 19.8)
    #expect(!(made.info.warnings + made.report.warnings).isEmpty)
    let ends = try await FFprobe.streams(made.path).map { ($0.startTime ?? 0) + ($0.duration ?? 0) }
    #expect(abs(ends[0] - ends[1]) < 0.15)
  }

  @Test(
    "A change of parameter sets is not damage, but makes the picture be encoded",
    arguments: ["mkv", "mp4"])
  func parameterSets(container: String) async throws {
    var stream = Data()
    for size in ["160x90", "320x180"] {
      let part = try await make(
        "\(size).h264",
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size):r=15:d=2", "-c:v", "libx264", "-bf", "0",
          "-bsf:v", "filter_units=remove_types=6",
        ])
      stream += try Data(contentsOf: URL(filePath: part))
    }
    let joined = newPath("h264")
    try stream.write(to: URL(filePath: joined))
    let source = try await make(
      "joined.\(container)", ["-r", "15", "-i", joined, "-c", "copy"])
    let made = try await convert(source)
    #expect(made.plan.video?.encodedBecause == "its parameter sets change partway")
    try await made.check()
    #expect(try await pictureTimes(made.path).count == 60)
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-xerror", "-i", made.path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
  }
}
