import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Undamaged files were called damaged, so that `--move` kept them.
@Suite("Files that only seem to be damaged", .temporaryFolder)
struct FalseDamageTests {
  private let picture = [
    "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15:duration=6", "-f", "lavfi", "-i",
    "sine=duration=6", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "30", "-c:a", "aac",
  ]

  @Test(
    "A WAV whose size was never written is whole",
    arguments: [
      ("a.wav", "pcm_s16le", UInt32(0)), ("a.wav", "pcm_s16le", .max), ("a.wav", "pcm_s24le", .max),
      ("a.wav", "pcm_u8", 0), ("a.wav", "pcm_f32le", 0),
    ])
  func unknownSize(name: String, codec: String, size: UInt32) async throws {
    let path = try await make(
      name, ["-f", "lavfi", "-i", "sine=duration=3.3:sample_rate=16000", "-c:a", codec])
    var bytes = try Data(contentsOf: URL(filePath: path))
    let chunk = try #require(bytes.range(of: Data("data".utf8))).upperBound
    for place in [4, chunk] {
      bytes.replaceSubrange(place..<place + 4, with: Bytes.big(size))
    }
    try bytes.write(to: URL(filePath: path))
    let info = try await probe(path)
    #expect(info.warnings.isEmpty)
    #expect(abs(try #require(info.duration) - 3.3) < 0.01)
    let made = try await convert(path)
    try await made.check()
    #expect(made.report.warnings.isEmpty)
  }

  @Test("A WAV that is cut off is damaged")
  func cutOff() async throws {
    let path = try await make("a.wav", ["-f", "lavfi", "-i", "sine=duration=3"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(bytes.count / 3).write(to: URL(filePath: path))
    #expect(try await probe(path).isDamaged)
  }

  @Test(
    "Edit lists that repeat parts or change their order do not count as damage",
    arguments: [
      [(1, 3), (1.5, 1)], [(1, 1), (1, 1), (1, 1)], [(1, 2.5), (1, 3.5), (1, 4.2)],
    ] as [[EditLists.Edit]])
  func edits(_ edits: [EditLists.Edit]) async throws {
    let whole = try await make("whole.mp4", picture)
    let path = newPath("mp4")
    try EditLists.replace(in: whole, with: edits, as: path)
    let info = try await probe(path)
    #expect(!info.damage.contains { $0.contains("clock") })
    let made = try await convert(path)
    try await made.check()
  }

  @Test(
    "A tiny access unit does not count as damage if everything decodes",
    .enabled(if: Cases.path("WebGL__npot-video.mp4") != nil))
  func tinyUnit() async throws {
    let info = try await probe(try #require(Cases.path("WebGL__npot-video.mp4")))
    #expect(info.warnings.isEmpty && !info.isDamaged)
  }

  @Test("Two transport streams that were joined are whole")
  func joined() async throws {
    let whole = try await make("whole.ts", picture)
    let bytes = try Data(contentsOf: URL(filePath: whole))
    let path = newPath("ts")
    try (bytes + bytes).write(to: URL(filePath: path))
    let info = try await probe(path)
    #expect(info.damage.isEmpty)
    #expect(abs(try #require(info.duration) - 12) < 0.3)
    let made = try await convert(path)
    try await made.check()
    #expect(made.report.damagedPackets == nil)
  }

  @Test("A damaged packet of a transport stream is damage")
  func damaged() async throws {
    let whole = try await make("whole.ts", picture)
    var bytes = try Data(contentsOf: URL(filePath: whole))
    // Ten packets of 188 bytes are lost.
    bytes.removeSubrange(188 * 300..<188 * 310)
    let path = newPath("ts")
    try bytes.write(to: URL(filePath: path))
    #expect(try await probe(path).isDamaged)
  }
}
