import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A hostile file", .temporaryFolder)
struct HostileTests {
  /// A fixture with bytes changed, in the test's folder.
  private func patched(
    _ fixture: String, as name: String? = nil, _ change: (inout Data) throws -> Void
  ) throws -> String {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(fixture)))
    try change(&bytes)
    let path = TemporaryFolder.current + "/" + (name ?? fixture)
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Runs a file through all steps; any failure must be a ``HoldfastError``.
  private func takeAllTheWay(_ path: String) async throws {
    do {
      let made = try await convert(path)
      try await made.check()
      if made.plan.type == .video { _ = try await thumbnail(made.path) }
    } catch is HoldfastError {
    }
  }

  @Test(
    "that names another file does not open it",
    arguments: Extent.sample(["playlist", "concat", "reference"], every: 3))
  func secondFile(_ kind: String) async throws {
    // The other file exists, and is a recording.
    try FileManager.default.copyItem(
      atPath: Fixtures.path("silent-video.mp4"), toPath: TemporaryFolder.current + "/other.mp4")
    let path = TemporaryFolder.current + "/clip.mp4"
    switch kind {
    case "playlist":
      try Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.mp4\n#EXT-X-ENDLIST\n".utf8)
        .write(to: URL(fileURLWithPath: path))
    case "concat":
      try Data("ffconcat version 1.0\nfile other.mp4\n".utf8).write(to: URL(fileURLWithPath: path))
    default:
      try externalReference(to: "other.mp4", source: TemporaryFolder.current + "/other.mp4")
        .write(to: URL(fileURLWithPath: path))
    }
    await #expect(throws: HoldfastError.self) { try await convert(path) }
  }

  /// A QuickTime file whose samples are in another file: the index of `source` with an `alis` data
  /// reference (QuickTime File Format, "Data Reference Atoms"), and no media.
  private func externalReference(to name: String, source: String) throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    let boxes = try MP4Boxes.topLevel(source)
    let box = try #require(boxes.first { $0.type == "moov" })
    var moov = Data(bytes[Int(box.offset)..<Int(box.offset + box.size)])
    let url = try #require(moov.range(of: Data("url ".utf8)))
    // An alias record of version 2 with volume, folder and file name, and the absolute path (18).
    var alias = Data(count: 150)
    alias[7] = 2
    let file = Data(name.utf8)
    alias[10] = 0
    alias[50] = UInt8(file.count)
    alias.replaceSubrange(51..<51 + file.count, with: file)
    let end = Data([0, 2, 0, UInt8(file.count)]) + file + Data(file.count % 2 == 1 ? [0] : [])
    alias.append(end + Data([0xFF, 0xFF, 0, 0]))
    let reference =
      bigEndian(UInt32(12 + alias.count)) + Data("alis".utf8) + Data([0, 0, 0, 0]) + alias
    let growth = UInt32(reference.count) - 12
    moov.replaceSubrange(url.lowerBound - 4..<url.lowerBound + 8, with: reference)
    for type in ["moov", "trak", "mdia", "minf", "dinf", "dref"] {
      let at = try #require(moov.range(of: Data(type.utf8))).lowerBound
      let size = moov[at - 4..<at].reduce(UInt32(0)) { (sum: UInt32, byte) in
        sum << 8 | UInt32(byte)
      }
      moov.replaceSubrange(at - 4..<at, with: bigEndian(size + growth))
    }
    return Data([0, 0, 0, 20]) + Data("ftypqt  ".utf8) + Data([0, 0, 2, 0]) + Data("qt  ".utf8)
      + moov
  }

  private func bigEndian(_ value: UInt32) -> Data {
    withUnsafeBytes(of: value.bigEndian) { Data($0) }
  }

  @Test(
    "with a picture beyond the limits is refused before anything is decoded",
    arguments: Extent.sample(
      [(65535, 65535), (8193, 16), (16, 8193), (8000, 8000), (65535, 1)], every: 3))
  func hugePicture(_ width: UInt16, _ height: UInt16) async throws {
    let path = try patched("prores.mov") { bytes in
      let entry = try #require(bytes.range(of: Data("apco".utf8)))
      let size = [width, height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      bytes.replaceSubrange(entry.upperBound + 24..<entry.upperBound + 28, with: size)
    }
    for depth in [ProbeDepth.header, .packets, .metadata] {
      let error = try await #require(throws: HoldfastError.self) {
        try await probe(path, depth: depth)
      }
      #expect(error.code == .tooLarge)
      #expect(error.reason.contains("\(width) × \(height)"))
    }
  }

  /// Boxes that hold times, and the offsets of the figures.
  private static let clocks = [
    ("stts", 8), ("ctts", 8), ("elst", 8), ("mdhd", 4), ("mvhd", 4), ("tkhd", 4), ("stsz", 4),
  ]
  private static let extremes: [[UInt8]] = [
    [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0],
    [0, 0, 0, 1],
  ]

  @Test("An MP4 file with extreme times causes no trap", arguments: clocks, extremes)
  func extremeTimes(_ clock: (String, Int), _ value: [UInt8]) async throws {
    for fixture in ["vfr.mp4", "aac.m4a"] {
      for word in 0..<6 {
        let path = try patched(fixture) { bytes in
          guard let box = bytes.range(of: Data(clock.0.utf8)) else { return }
          let at = box.upperBound + clock.1 + word * 4
          guard at + 4 <= bytes.count else { return }
          bytes.replaceSubrange(at..<at + 4, with: value)
        }
        try await takeAllTheWay(path)
      }
    }
  }

  @Test(
    "A Matroska file with extreme times causes no trap",
    arguments: Extent.sample(extremes, every: 3))
  func extremeMatroska(_ value: [UInt8]) async throws {
    for fixture in ["odd.webm", "two-tracks.mkv"] {
      // TimestampScale, Duration and a cluster's timestamp, by their EBML identifiers.
      for identifier in [[0x2A, 0xD7, 0xB1], [0x44, 0x89], [0xE7]] as [[UInt8]] {
        let path = try patched(fixture) { bytes in
          guard let found = bytes.range(of: Data(identifier)) else { return }
          let at = found.upperBound + 1
          bytes.replaceSubrange(at..<at + 3, with: value.prefix(3))
        }
        try await takeAllTheWay(path)
      }
    }
  }

  @Test(
    "of random bytes throws, and never crashes",
    arguments: [
      "portrait.mov", "two-tracks.mkv", "voice.ogg", "h263.avi", "fragmented.mp4", "mpegts.ts",
      "cover.mp3", "aac.m4a", "amr.3gp", "voice.wav",
    ])
  func mutations(_ fixture: String) async throws {
    var random = SeededNumbers(seed: UInt64(fixture.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    for _ in 0..<20 {
      let path = try patched(fixture) { bytes in
        // Half of the changes hit the first bytes, where most headers are.
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          let end = Bool.random(using: &random) ? min(2048, bytes.count) : bytes.count
          bytes[Int.random(in: 0..<end, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
      try await takeAllTheWay(path)
    }
  }

  /// An element of Matroska: its identifier, its length in eight bytes, its content (RFC 8794).
  private func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let length = (0..<7).map { UInt8(truncatingIfNeeded: content.count >> (48 - $0 * 8)) }
    return identifier + [1] + length + content
  }

  @Test("with paddings whose sum overflows does not crash")
  func paddings() async throws {
    let padding = withUnsafeBytes(of: Int64(-4_000_000_000_000_000_000).bigEndian, Array.init)
    let rate = withUnsafeBytes(of: Double(1).bitPattern.bigEndian, Array.init)
    let head = element(
      [0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
    // One nanosecond a tick; one sample a second.
    let info = element([0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], [1]))
    let sound = element([0xB5], rate) + element([0x9F], [1]) + element([0x62, 0x64], [16])
    let track =
      element([0xD7], [1]) + element([0x83], [2]) + element([0x86], Array("A_PCM/INT/LIT".utf8))
      + element([0xE1], sound)
    let blocks = (0..<400).flatMap { number -> [UInt8] in
      let block: [UInt8] = [0x81, UInt8(number >> 8), UInt8(number & 255), 0, 16, 32, 16, 32]
      return element([0xA0], element([0xA1], block) + element([0x75, 0xA2], padding))
    }
    let segment =
      info + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
      + element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + blocks)
    let path = newPath("mkv")
    try Data(head + element([0x18, 0x53, 0x80, 0x67], segment)).write(to: URL(filePath: path))
    _ = try? await probe(path)
  }
}
