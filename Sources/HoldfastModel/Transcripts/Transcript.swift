public import Foundation

/// What was said in a recording, or what a person decided about it: at most one for a recording.
///
/// A person's version is newer than a machine's, unless a person asked for the machine's after it.
public struct Transcript: JournalRecord {
  /// The recording's identity.
  public var id: RecordingID
  /// Whether there are words, or why there are none.
  public var state: TranscriptState
  /// Who wrote it, or decided that there is none.
  public var source: TranscriptSource
  /// The name of the program that made it, without its path; `nil` if none did.
  public var program: String?
  /// The name of the program's model, without its path; `nil` if unknown.
  public var model: String?
  /// The language as a tag of BCP 47, such as `en` or `pt-BR`; `nil` if unknown.
  public var language: String?
  /// Whether the language was guessed with little certainty.
  public var isLanguageDoubtful: Bool
  /// The words in the order in which they were said; none unless ``state`` is
  /// ``TranscriptState/words``.
  public var segments: [TranscriptSegment]
  /// When it was made.
  public var createdAt: Date
  /// When a person last changed it, decided about it, or had it made in place of another version;
  /// `nil` for never. Only that sets the time. It stays when a machine replaces a machine's
  /// version.
  public var modifiedAt: Date?

  enum CodingKeys: CodingKey {
    case id, state, source, program, model, language, isLanguageDoubtful, segments, createdAt
    case modifiedAt
  }

  /// The most segments of a transcript.
  public static let mostSegments = 5000
  /// The most bytes of UTF-8 that the texts of a transcript may have together.
  public static let largestText = 1_000_000
  /// The most characters of a program's and of a model's name.
  public static let longestName = 100

  /// Makes the transcript of words that a program or the phone heard.
  ///
  /// Without segments, its state is ``TranscriptState/silent``.
  public init(
    of id: RecordingID, _ words: SpokenWords, source: TranscriptSource, program: String? = nil,
    model: String? = nil, createdAt: Date
  ) {
    self.id = id
    state = words.segments.isEmpty ? .silent : .words
    self.source = source
    self.program = program
    self.model = model
    language = words.language
    isLanguageDoubtful = words.isLanguageDoubtful
    segments = words.segments
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Makes the mark that a person wants no transcript.
  public init(of id: RecordingID, without reason: TranscriptState, createdAt: Date) {
    self.init(of: id, SpokenWords(), source: .person, createdAt: createdAt)
    state = reason
    modifiedAt = self.createdAt
  }

  /// The whole text, a line for each segment.
  public var text: String { segments.map(\.text).joined(separator: "\n") }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    guard source != .person || modifiedAt != nil else {
      throw RuleError("a person's transcript has the time of the change as modifiedAt")
    }
    guard state == .words || state == .silent || source == .person else {
      throw RuleError("only a person decides that a recording has no transcript")
    }
    guard (state == .words) != segments.isEmpty else {
      throw RuleError(
        segments.isEmpty
          ? "the state is words, but it has no segments"
          : "the state is \(state.rawValue), but it has segments")
    }
    guard segments.count <= Self.mostSegments else {
      throw RuleError(
        "the transcript has \(segments.count) segments; at most \(Self.mostSegments) are allowed")
    }
    let bytes = segments.reduce(0) { $0 + $1.text.utf8.count }
    guard bytes <= Self.largestText else {
      throw RuleError(
        "the transcript has \(bytes) bytes; at most \(Self.largestText) are allowed")
    }
    try program?.validate("the program's name has", limit: Self.longestName)
    try model?.validate("the model's name has", limit: Self.longestName)
    if let language, SpokenWords.languageTag(language) != language {
      throw RuleError(
        "\"\(language.cut(to: 40).escapedForDisplay)\" is not a language's tag; write it like en "
          + "or pt-BR")
    }
    for segment in segments { try segment.validate() }
    for (one, next) in zip(segments, segments.dropFirst()) where next.startTime < one.startTime {
      throw RuleError(
        "a segment begins at \(next.startTime) ms, before the one in front of it at "
          + "\(one.startTime) ms; put them in order")
    }
  }
}

/// Whether a recording has a transcript, or why it has none.
public enum TranscriptState: String, Vocabulary, Sendable {
  /// It has words.
  case words
  /// No words were heard.
  case silent
  /// A person deleted it. It is not made again unless the person asks for this recording.
  case deleted
  /// A person wants none, ever.
  case never
  /// A person allowed one again. There is none yet.
  case allowed

  /// The name for one of the words: "state".
  public static var noun: String { "state" }
}

/// Who wrote a transcript.
public enum TranscriptSource: String, Vocabulary, Sendable {
  /// The phone that made the recording. The transcript was in the file.
  case phone
  /// A program on this computer.
  case program
  /// A person, also if a machine wrote the first version.
  case person

  /// The name for one of the words: "source".
  public static var noun: String { "source" }
}
