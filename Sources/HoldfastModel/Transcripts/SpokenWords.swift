import Foundation

/// Words that a program or a phone heard in a recording, made safe to store and to show.
///
/// What a transcriber or a file says is untrusted. Control characters, and characters that change
/// the direction of text, are removed. Ends are moved to the end of the recording, and segments
/// that begin after it are left out.
public struct SpokenWords: Hashable, Sendable {
  /// The language as a tag of BCP 47; `nil` if unknown.
  public var language: String?
  /// Whether the language was guessed with little certainty.
  public var isLanguageDoubtful = false
  /// The segments in the order of their beginnings.
  public private(set) var segments: [TranscriptSegment] = []

  /// Makes an empty value: no words were heard.
  public init() {}

  /// Makes a value from untrusted segments.
  ///
  /// - Parameters:
  ///   - language: A tag such as `en` or `en_US`; anything else is left out.
  ///   - isLanguageDoubtful: Whether the language was guessed with little certainty.
  ///   - segments: The segments. The times of words that do not fit their segment are left out.
  ///   - duration: The recording's length in milliseconds.
  /// - Throws: ``RuleError`` if there are too many segments, or too much text.
  public init(
    language: String?, isLanguageDoubtful: Bool = false, segments: [Segment], duration: Int
  ) throws(RuleError) {
    guard segments.count <= Transcript.mostSegments else {
      throw RuleError(
        "it has \(segments.count) segments; at most \(Transcript.mostSegments) are allowed")
    }
    self.language = language.flatMap(Self.languageTag)
    self.isLanguageDoubtful = isLanguageDoubtful
    var bytes = 0
    for segment in segments {
      bytes += segment.text.utf8.count
      guard bytes <= Transcript.largestText else {
        throw RuleError("it has more than \(Transcript.largestText) bytes of text")
      }
      if let cleaned = TranscriptSegment(segment, duration: duration) {
        self.segments.append(cleaned)
      }
    }
    self.segments.sort { $0.startTime < $1.startTime }
  }

  /// A segment as a program or a phone describes it.
  public struct Segment: Hashable, Sendable {
    /// When it begins, in milliseconds.
    public var startTime: Int
    /// When it ends, in milliseconds.
    public var endTime: Int
    /// The text.
    public var text: String
    /// The words with their times, in their order; empty if unknown. Together they are the text.
    public var words: [SpokenWord]

    /// Makes a segment.
    public init(startTime: Int, endTime: Int, text: String, words: [SpokenWord] = []) {
      self.startTime = startTime
      self.endTime = endTime
      self.text = text
      self.words = words
    }
  }

  /// Returns a language's tag in its usual form, such as `pt-BR` for `pt_br`; `nil` for a text
  /// that is none.
  public static func languageTag(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { "-_".contains($0) }
    guard let first = parts.first, 2...3 ~= first.utf8.count, parts.count <= 5,
      text.utf8.count <= 35, first.utf8.allSatisfy({ isLetter($0) }),
      parts.dropFirst().allSatisfy({ part in
        1...8 ~= part.utf8.count && part.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 }
      })
    else { return nil }
    let rest = parts.dropFirst().map { part in
      switch part.utf8.count {
      case 2: part.uppercased()
      case 4 where part.utf8.allSatisfy({ isLetter($0) }): part.capitalized
      default: part.lowercased()
      }
    }
    return ([first.lowercased()] + rest).joined(separator: "-")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
}

extension TranscriptSegment {
  /// Makes a segment that is safe to store; `nil` if nothing of it is left.
  fileprivate init?(_ segment: SpokenWords.Segment, duration: Int) {
    let end = min(max(duration, 0), Self.lastTime)
    guard let text = segment.text.cleanedLine.nonBlank, segment.startTime < max(end, 1) else {
      return nil
    }
    let start = min(max(segment.startTime, 0), end)
    self.init(startTime: start, endTime: min(max(segment.endTime, start), end), text: text)
    var words: [SpokenWord] = []
    var last = 0
    for word in segment.words {
      var text = word.text.cleanedSpaces
      if words.isEmpty { text = String(text.drop { $0 == " " }) }
      if text.isEmpty { continue }
      let start = min(max(word.startTime, last), end)
      last = min(max(word.endTime, start), end)
      words.append(SpokenWord(text, startTime: start, endTime: last))
    }
    // Only words that make up the text exactly say where each one is.
    if words.map(\.text).joined() == text { wordTimes = WordTimes.text(of: words) }
  }
}

extension String {
  /// The text in one line: cleaned, and without white space at its ends.
  public var cleanedLine: String {
    cleanedSpaces.trimmingCharacters(in: .whitespaces)
  }

  /// The most marks on one letter, as in Unicode's stream-safe text. To put more into their order
  /// would take time that grows with the square of their number.
  private static let mostMarks = 30

  /// The text without characters that a terminal or a page would act on. Line breaks and tabs
  /// become spaces, and several spaces one.
  fileprivate var cleanedSpaces: String {
    var last: UInt8 = 0
    let isClean = utf8.allSatisfy { byte in
      defer { last = byte }
      return 0x20..<0x7F ~= byte && (byte, last) != (0x20, 0x20)
    }
    if isClean { return self }
    var cleaned = String.UnicodeScalarView()
    var marks = 0
    for scalar in unicodeScalars {
      marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
      guard marks <= Self.mostMarks else { continue }
      if scalar.properties.isWhitespace {
        if cleaned.last != " " { cleaned.append(" ") }
      } else if String(scalar).escapedForDisplay.unicodeScalars.count == 1 {
        cleaned.append(scalar)
      }
    }
    return String(cleaned).precomposedStringWithCanonicalMapping
  }
}
