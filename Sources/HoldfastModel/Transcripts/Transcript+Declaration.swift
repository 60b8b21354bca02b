import Foundation

extension Transcript {
  /// What was said in recordings.
  ///
  /// The comma-separated values have the whole text, without its times.
  public static let declaration = RecordDeclaration<Transcript>(
    RecordKind("transcripts", singular: "transcript"), table: "transcript",
    children: [
      ChildTable(
        "transcriptSegment", owner: "transcriptId", list: "segments",
        of: .object(["startTime", "endTime", "text", "wordTimes"]))
    ],
    owner: \Transcript.id,
    csv: .withDates([
      .init("state", \.state), .init("source", \.source), .init("program", \.program),
      .init("model", \.model), .init("language", \.language),
      .init("isLanguageDoubtful", \.isLanguageDoubtful), .init("text", \.text),
    ]),
    // A transcript can have a megabyte.
    pageLimit: 50)

  /// Returns whether this version wins over another: one that a person changed or asked for over
  /// one that no person did, else the later one of these. Of two machines', a program's wins over
  /// the phone's, else the one that was made later.
  public func isNewer(than other: Transcript) -> Bool {
    // A machine that heard nothing does not replace words.
    if other.isUnheard, state == .words { return true }
    if isUnheard, other.state == .words { return false }
    return switch (modifiedAt, other.modifiedAt) {
    case (let own?, let other?): own > other
    case (nil, nil):
      source == other.source ? createdAt > other.createdAt : source == .program
    case (let own, _): own != nil
    }
  }

  private var isUnheard: Bool { state == .silent && source != .person }

  /// Reads a transcript from JSON.
  ///
  /// - Throws: `DecodingError` if a value cannot be read, and ``RuleError`` for an unknown word.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(RecordingID.self, forKey: .id)
    state = try values.decode(TranscriptState.self, forKey: .state)
    source = try values.decode(TranscriptSource.self, forKey: .source)
    program = try values.decodeIfPresent(String.self, forKey: .program)
    model = try values.decodeIfPresent(String.self, forKey: .model)
    language = try values.decodeIfPresent(String.self, forKey: .language)
    isLanguageDoubtful = try values.decode(Bool.self, forKey: .isLanguageDoubtful)
    segments = try values.decode([TranscriptSegment].self, forKey: .segments)
    createdAt = try values.decode(Date.self, forKey: .createdAt).roundedToMillisecond
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)?.roundedToMillisecond
  }
}
