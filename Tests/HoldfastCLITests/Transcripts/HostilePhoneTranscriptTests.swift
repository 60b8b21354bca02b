import Foundation
import HoldfastTestSupport
import Testing

@Suite("Hostile transcripts in a phone's file", .temporaryFolder)
struct HostilePhoneTranscriptTests {
  private let library = LibraryFolder()

  /// Bytes in the first track of a sound of 1.5 s, and the reason why they are not kept.
  struct Hostile: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var reason: String

    init(_ description: String, _ bytes: [UInt8], _ reason: String) {
      (testDescription, self.bytes, self.reason) = (description, bytes, reason)
    }

    init(_ description: String, json: String, _ reason: String) {
      self.init(description, VoiceMemo.box(json), reason)
    }
  }

  private static let form = "it is not in a form that Holdfast knows"
  private static let times = "its times are not within the recording"
  private static let control = "it has control characters"
  private static let damaged = "it is damaged"

  private static func timed(_ times: String) -> String {
    #"{"attributedString": ["fine", {"timeRange": [0, 1]}, "word", {"timeRange": [\#(times)]}]}"#
  }

  private static func said(_ text: String) -> String {
    #"{"attributedString": ["\#(text)", {"timeRange": [0, 1]}]}"#
  }

  private static func box(size: [UInt8]) -> [UInt8] {
    QuickTime.box("udta", size + Array("tsrp".utf8) + Array(said("word").utf8))
  }

  /// The size of the last box, `data`, is wrong.
  private static var largeValue: [UInt8] {
    var bytes = VoiceMemo.meta(said("word"))
    bytes[bytes.count - said("word").utf8.count - 16] = 0x80
    return bytes
  }

  static let hostile: [Hostile] = [
    Hostile("2 GB", box(size: [0x80, 0, 0, 0]), damaged),
    Hostile("size 0", box(size: [0, 0, 0, 0]), damaged),
    Hostile(
      "64-bit size",
      QuickTime.box(
        "udta", Bytes.big(UInt32(1)) + Array("tsrp".utf8) + Bytes.big(UInt64.max) + [0x7B]),
      damaged),
    Hostile(
      "3 MB", json: said(String(repeating: "a", count: 3_000_000)),
      "it has 3000049 bytes; at most 2000000 are allowed"),
    Hostile(
      "1.5 MB of text", json: said(String(repeating: "a", count: 1_500_000)),
      "it has more than 1000000 bytes of text"),
    Hostile(
      "a million pieces",
      json: #"{"attributedString": ["# + String(repeating: #""",{},"#, count: 1_000_000)
        + #""",{}]}"#,
      "it has 6000029 bytes; at most 2000000 are allowed"),
    Hostile(
      "30,000 pieces",
      json: #"{"attributedString": ["# + String(repeating: #""",{},"#, count: 30_000) + #""",{}]}"#,
      "it has more than 20000 pieces of text"),
    Hostile(
      "6,000 sentences",
      json: #"{"attributedString": ["#
        + (0..<6000).map { _ in #"" A.",{"timeRange":[0,1]}"# }.joined(separator: ",") + "]}",
      "it has 6000 segments; at most 5000 are allowed"),
    Hostile(
      "deep", json: #"{"attributedString": "# + String(repeating: "[", count: 500_000), form),
    Hostile(
      "deep and closed",
      json: #"{"x": "# + String(repeating: "[", count: 50_000)
        + String(repeating: "]", count: 50_000)
        + #", "attributedString": "word"}"#, form),
    Hostile("truncated", json: String(timed("1, 1.2").dropLast(5)), form),
    Hostile("not a number", json: timed("NaN, 1"), form),
    Hostile("too large a number", json: timed("1, 1e999"), form),
    Hostile("text for a time", json: timed(#""0", 1"#), form),
    Hostile("one time", json: timed("1"), times),
    Hostile("negative", json: timed("-1, 1"), times),
    Hostile("huge", json: timed("1e300, 1e301"), times),
    Hostile("after the end", json: timed("1, 2.6"), times),
    Hostile("backwards", json: timed("1, 0.5"), times),
    Hostile("direction", json: said("w\u{202E}ord"), control),
    Hostile("isolate", json: said("w\\u2066ord"), control),
    Hostile("escape", json: said("w\\u001b[31mord"), control),
    Hostile("NUL", json: said("w\\u0000ord"), control),
    Hostile("half of a character", json: said("w\\ud800ord"), form),
    Hostile(
      "not UTF-8", QuickTime.box("udta", QuickTime.box("tsrp", [0x22, 0xC3, 0x28, 0x22])),
      "it is not text in UTF-8"),
    Hostile("empty", json: "", form),
    Hostile("another form", json: "[]", form),
    Hostile(
      "no such time",
      json: #"{"attributedString": {"attributeTable": [], "runs": ["word", 0]}}"#, form),
    Hostile(
      "two", VoiceMemo.box(said("one")) + VoiceMemo.box(said("two")),
      "there are several that differ"),
    Hostile(
      "many", Bytes.repeated(VoiceMemo.box(said("one")), 1000), "there are several that differ"),
    Hostile("2 GB of a value", largeValue, damaged),
  ]

  @Test("cost a sentence, and the recording is imported without words", arguments: hostile)
  func refused(_ hostile: Hostile) async throws {
    let path = temporary("memo.m4a")
    try VoiceMemo.add(hostile.bytes, to: Fixtures.path("aac.m4a"), as: path)
    let line = try #require(try await library.importEvents("--move", path).first)
    #expect(line.event == "imported", "\(line.error ?? "")")
    let clause = "the phone's transcript in it is not kept: \(hostile.reason)"
    #expect(line.warnings == [clause])
    // The words may still be of use, so the source stays.
    #expect(line.stays == clause && FileManager.default.fileExists(atPath: path))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    #expect(try await library.column("SELECT count(*) FROM transcript") == ["0"])
    try await library.expectSound()
  }

  @Test("Odd bytes beside no transcript cost nothing")
  func harmless() async throws {
    let path = temporary("memo.m4a")
    try VoiceMemo.add(
      QuickTime.box("udta", QuickTime.box("name", [1]), Bytes.zeros(4))
        + QuickTime.box("meta", [0xFF]) + QuickTime.box("meta", Bytes.repeated([0xFF], 99)),
      to: Fixtures.path("aac.m4a"), as: path)
    let line = try #require(try await library.importEvents(path).first)
    #expect(line.event == "imported" && line.warnings == [])
  }
}
