/// A sentence, or another short stretch, of a transcript.
///
/// Times are in milliseconds from the beginning of the recording.
public struct TranscriptSegment: Hashable, Sendable, Codable {
  /// When it begins.
  public var startTime: Int
  /// When it ends; not before ``startTime``.
  public var endTime: Int
  /// The words, in one line.
  public var text: String
  /// When each word was said, in a compact form that ``words`` reads; `nil` if unknown.
  public var wordTimes: String?

  /// Makes a segment.
  public init(startTime: Int, endTime: Int, text: String, wordTimes: String? = nil) {
    self.startTime = startTime
    self.endTime = endTime
    self.text = text
    self.wordTimes = wordTimes
  }

  /// The words with their times; none if the times are unknown, or far outside the segment's.
  public var words: [SpokenWord] {
    guard let wordTimes else { return [] }
    let words = WordTimes.words(of: text, wordTimes)
    let (first, last) = (startTime - Self.tolerance, endTime + Self.tolerance)
    return words.allSatisfy { $0.startTime >= first && $0.endTime <= last } ? words : []
  }

  /// How far a word may be outside its segment, in milliseconds.
  private static let tolerance = 5000

  /// Refuses values that the catalog would refuse.
  func validate() throws(RuleError) {
    guard 0 <= startTime, startTime <= endTime, endTime <= Self.lastTime else {
      throw RuleError(
        "a segment goes from \(startTime) to \(endTime) ms; it must go from 0 or later to "
          + "\(Self.lastTime) or earlier")
    }
    guard text.nonBlank != nil else { throw RuleError("a segment has no text") }
    try text.validate("a segment has", limit: Transcript.largestText)
    guard text.escapedForDisplay == text else {
      throw RuleError("a segment has control characters; remove them")
    }
    try wordTimes?.validate("the times of a segment's words have", limit: Transcript.largestText)
  }

  /// The latest time: a day, more than any recording lasts.
  static let lastTime = 86_400_000
}

/// A word and when it was said, in milliseconds from the beginning of the recording.
public struct SpokenWord: Hashable, Sendable {
  /// The word with its punctuation, and white space before it if there is any.
  public var text: String
  /// When it begins.
  public var startTime: Int
  /// When it ends.
  public var endTime: Int

  /// Makes a word.
  public init(_ text: String, startTime: Int, endTime: Int) {
    self.text = text
    self.startTime = startTime
    self.endTime = endTime
  }
}
