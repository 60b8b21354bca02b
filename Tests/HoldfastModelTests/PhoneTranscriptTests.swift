import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Transcripts that a phone stored")
struct PhoneTranscriptTests {
  private func transcript(_ json: String, end: Double? = nil) throws -> PhoneTranscript {
    try PhoneTranscript(reading: Array(json.utf8), end: end)
  }

  private func plan(
    from start: Double = 0, until end: Double? = nil, isPart: Bool = false
  ) throws -> ConversionPlan {
    func time(_ seconds: Double) -> MediaTime {
      MediaTime(ticks: Int64(seconds * 1000), numerator: 1, denominator: 1000)
    }
    var plan = try ConversionPlan(for: Samples.info(seconds: 100, hasPicture: false))
    plan.start = time(start)
    if isPart {
      plan.stretch = .init(from: start > 0 ? time(start) : nil, until: end.map(time))
    }
    return plan
  }

  @Test("Both forms are read as the same sentences", arguments: VoiceMemo.Form.allCases)
  func forms(_ form: VoiceMemo.Form) throws {
    let json = form.json([
      ("Why", 0.1, 0.3), (" I stopped.", 0.3, 1), (" \u{201C}Yes!\u{201D}", 1, 1.5),
      (" U.", 1.6, 2),
      ("S.", 2, 2.2), (" and", 3.2, 4),
    ])
    let words = try transcript(json, end: 5).words(for: plan(), duration: 5)
    #expect(words.language == "en-US")
    #expect(words.segments.map(\.text) == ["Why I stopped.", "“Yes!”", "U.S.", "and"])
    #expect(words.segments.map(\.startTime) == [100, 1000, 1600, 3200])
    #expect(words.segments.map(\.endTime) == [1000, 1500, 2200, 4000])
    #expect(words.segments[0].words.map(\.text) == ["Why", " I stopped."])
    #expect(words.segments.allSatisfy { $0.wordTimes != nil })
  }

  @Test("White space may be on either side, and a piece without a time belongs to its neighbour")
  func pieces() throws {
    let json = """
      {"attributedString": ["So", {}, "  ", {}, "we\\n", {"timeRange": [1, 2], "x": {"y": [1]}},
      "go ", "on", {"timeRange": [2, 3]}, " ", {"timeRange": [3, 3]}, "now", {"timeRange": null}],
      "locale": 5}
      """
    let words = try transcript(json).words(for: plan(), duration: 5)
    #expect(words.language == nil)
    #expect(words.segments.map(\.text) == ["So we go on now"])
    #expect(words.segments[0].words.map(\.text) == ["So we go", " on now"])
    #expect(words.segments[0].startTime == 1000)
  }

  @Test("A long sentence without an end is divided at a space, and 日本語 after its full stop")
  func division() throws {
    let word: (Int) -> VoiceMemo.Run = { (" word", Double($0) / 10, Double($0 + 1) / 10) }
    let long = try transcript(VoiceMemo.Form.interleaved.json((0..<100).map(word)))
      .words(for: plan(), duration: 20)
    #expect(long.segments.map { $0.text.utf8.count }.max() ?? 0 < 170)
    #expect(long.segments.map(\.text).joined(separator: " ").split(separator: " ").count == 100)
    let json = VoiceMemo.Form.interleaved.json([("散歩した。", 0, 1), ("寒い。", 1, 2)])
    let japanese = try transcript(json).words(for: plan(), duration: 20)
    #expect(japanese.segments.map(\.text) == ["散歩した。", "寒い。"])
  }

  @Test("Each word is in the part with its middle, and nothing is in two parts or outside")
  func parts() throws {
    let json = VoiceMemo.Form.separate.json([
      ("a", 0, 1), (" b", 9.6, 10.2), (" c", 9.9, 10.5), (" d", 19, 19.8), (" e", 21, 22),
    ])
    let transcript = try transcript(json)
    let first = try transcript.words(for: plan(until: 10, isPart: true), duration: 10)
    #expect(first.segments.map(\.text) == ["a", "b"])
    #expect(first.segments.map(\.endTime) == [1000, 10_000])
    let second = try transcript.words(for: plan(from: 10, isPart: true), duration: 10)
    #expect(second.segments.map(\.text) == ["c", "d"])
    #expect(second.segments.map(\.startTime) == [0, 9000])
    #expect(second.segments.map(\.endTime) == [500, 9800])
    let none = try transcript.words(for: plan(from: 12, until: 15, isPart: true), duration: 3)
    #expect(none.segments.isEmpty)
  }

  @Test("A text without any time is kept whole, or not at all")
  func untimed() throws {
    let transcript = try transcript(#"{"attributedString": "No times."}"#)
    let words = try transcript.words(for: plan(), duration: 5)
    #expect(words.segments == [TranscriptSegment(startTime: 0, endTime: 5000, text: "No times.")])
    #expect(throws: RuleError.self) {
      try transcript.words(for: plan(until: 3, isPart: true), duration: 3)
    }
  }

  @Test(
    "A phone that heard no words is believed",
    arguments: [
      #"{"attributedString": ""}"#, #"{"attributedString": []}"#,
      #"{"attributedString": [" ", {"timeRange": [0, 1]}]}"#,
      #"{"attributedString": {"runs": [], "attributeTable": []}}"#,
    ])
  func silent(json: String) throws { #expect(try transcript(json, end: 1).runs.isEmpty) }

  @Test("The last word may end shortly after the recording")
  func tolerance() throws {
    let json = VoiceMemo.Form.interleaved.json([("late", 4.5, 5.9)])
    let words = try transcript(json, end: 5).words(for: plan(), duration: 5)
    #expect(words.segments.map(\.endTime) == [5000])
    #expect(throws: RuleError.self) { try transcript(json, end: 4.8) }
    #expect(throws: Never.self) { try transcript(json) }
  }
}
