import Foundation
import HoldfastModel
import Testing

@Suite("Documents of transcribers")
struct TranscriberDocumentTests {
  private func words(
    _ document: String, from start: Int = 0, heardFrom first: Int? = nil, duration: Int = 120_000
  ) throws -> SpokenWords {
    let sound = DecodedSound(samples: 0, startTime: start, firstSound: first, peak: 0)
    return try TranscriberDocument.words(
      in: Array(document.utf8), of: sound, duration: duration)
  }

  private func segment(
    _ text: String, _ start: Double = 0, silence: Double = 0, probability: Double = 0
  ) -> String {
    #"{"start": \#(start), "end": \#(start + 1), "text": "\#(text)", "#
      + #""no_speech_prob": \#(silence), "avg_logprob": \#(probability)}"#
  }

  @Test("No word begins in the silence before the first sound")
  func afterSilence() throws {
    let document = #"{"segments": [\#(segment("Ask", 0)), \#(segment("what", 1))]}"#
    let found = try words(document, from: 1800, heardFrom: 2000).segments
    #expect(found.map(\.startTime) == [2000, 2800] && found.map(\.endTime) == [2800, 3800])
  }

  @Test("Times are shifted back by the silence that was cut off")
  func shift() throws {
    let document = """
      {"language": "en", "segments": [{"start": 0.2, "end": 1.456, "text": " Why I stopped.",
      "words": [{"word": " Why", "start": 0.2, "end": 0.5},
      {"word": " I", "start": 0.5, "end": 0.6}, {"word": " stopped.", "start": 0.7, "end": 1.4}]}]}
      """
    let words = try words(document, from: 40_000)
    #expect(words.segments.map(\.startTime) == [40_200])
    #expect(words.segments.map(\.endTime) == [41_456])
    #expect(words.segments.first?.words.map(\.startTime) == [40_200, 40_500, 40_700])
  }

  @Test("What was invented in silence is left out, and a prayer's repetitions stay")
  func invented() throws {
    let prayer = (0..<5).map { segment("Lord, have mercy.", Double($0), silence: 0.44) }
    let document = """
      {"segments": [\(prayer.joined(separator: ",")),
      \(segment("Thank you.", 6, silence: 0.61, probability: -0.41)),
      \(segment("Quiet.", 7, silence: 0.9, probability: -0.39)),
      \(segment("Doubtful.", 8, silence: 0.59, probability: -2)), \(segment(" ♪ … ", 9)),
      \(segment("42", 10))]}
      """
    #expect(
      try words(document).segments.map(\.text)
        == Array(repeating: "Lord, have mercy.", count: 5) + ["Quiet.", "Doubtful.", "42"])
  }

  @Test("Of whisper.cpp's segments, an improbable one is left out, and what only repeats it")
  func repeatedInvention() throws {
    // Clicks gave a name five times, with these probabilities.
    let clicks = [0.11, 0.76, 0.98, 0.99, 0.99].map { (" Hattori", $0) }
    let prayer = [0.8, 0.99].map { (" Lord, have mercy.", $0) }
    let segments = (clicks + [(" Why I stopped.", 0.7)] + prayer).enumerated().map {
      #"{"offsets": {"from": \#($0 * 1000), "to": \#($0 * 1000 + 900)}, "text": "\#($1.0)", "#
        + #""tokens": [{"text": "\#($1.0)", "p": \#($1.1)}]}"#
    }
    let words = try words("{\"transcription\": [\(segments.joined(separator: ", "))]}")
    #expect(
      words.segments.map(\.text)
        == ["Why I stopped.", "Lord, have mercy.", "Lord, have mercy."])
  }

  @Test("A character that whisper.cpp splits into two tokens costs the words' times alone")
  func splitCharacter() throws {
    let before = #"{"transcription": [{"offsets": {"from": 0, "to": 9}, "text": " ü", "tokens": ["#
    let token = #"{"text": "?", "offsets": {"from": 0, "to": 9}, "p": 0.9}"#
    var bytes = Array("\(before)\(token), \(token)]}]}".utf8)
    for (index, byte) in zip(bytes.indices.filter { bytes[$0] == UInt8(ascii: "?") }, [0xC3, 0xBC])
    {
      bytes[index] = UInt8(byte)
    }
    let sound = DecodedSound(samples: 0, startTime: 0, peak: 0)
    let words = try TranscriberDocument.words(in: bytes, of: sound, duration: 1000)
    #expect(words.segments.map(\.text) == ["ü"])
    #expect(words.segments.first?.wordTimes == nil)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "{", "[]", "{}", "nonsense", #"{"segments": [{"start": "a"}]}"#,
      #"{"segments": [{"start": 1e999, "end": 1, "text": "x"}]}"#,
      #"{"transcription": [{"text": "x"}]}"#,
      "{\"segments\": [{\"start\": 0, \"end\": 1, "
        + "\"text\": \"\u{FFFD}\"}]}", String(repeating: "[", count: 100_000),
    ])
  func refused(document: String) {
    #expect(throws: RuleError.self) { try words(document) }
  }

  @Test("Numbers that no time can be are moved into the recording")
  func wildTimes() throws {
    let document =
      #"{"segments": [{"start": -1e300, "end": 1e300, "text": "x"}, "#
      + #"{"start": 5, "end": -5, "text": "y"}, {"start": 1e300, "end": 1e300, "text": "z"}]}"#
    let segments = try words(document, from: 100, duration: 6000).segments
    #expect(segments.map(\.text) == ["x", "y"])
    #expect(segments.map(\.startTime) == [100, 5100] && segments.map(\.endTime) == [6000, 5100])
  }
}
