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

  /// Returns whether this version wins over another.
  ///
  /// Words that a person wrote win over a machine's, unless a person asked for those by name, and
  /// later, and the machine heard words. Every transcript wins over the permission to make one, and
  /// words over a machine that heard none, unless a person has decided about the recording
  /// meanwhile. Else a version that a person changed, decided or allowed wins over one that no
  /// person did, and the later of these. Of two machines', a program's wins over the phone's, else
  /// the one that was made later.
  public func isNewer(than other: Transcript) -> Bool {
    if isPreferred(to: other) { return true }
    if other.isPreferred(to: self) { return false }
    return switch (modifiedAt, other.modifiedAt) {
    case (let own?, let other?): own > other
    case (nil, nil):
      source == other.source ? createdAt > other.createdAt : source == .program
    case (let own, _): own != nil
    }
  }

  /// Whether this version wins over another by what it is, and not by its time.
  private func isPreferred(to other: Transcript) -> Bool {
    if isMark { return false }
    if other.state == .allowed { return true }
    if source == .person, other.source != .person {
      return !other.wasAskedFor || other.wasChanged(before: self)
        || state == .words && other.state == .silent
    }
    return state == .words && other.state == .silent && other.source != .person
      && other.modifiedAt == nil
  }

  /// Whether a person had a machine make this version, and named the recording. A version that a
  /// machine made without that has the time of the decision before it, if there was one.
  private var wasAskedFor: Bool {
    modifiedAt.map { source != .person && $0 >= createdAt } ?? false
  }

  private func wasChanged(before other: Transcript) -> Bool {
    (modifiedAt ?? .distantPast) < (other.modifiedAt ?? .distantPast)
  }

  /// Whether this is only what a person decided, without a transcript.
  public var isMark: Bool { state == .deleted || state == .never || state == .allowed }

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
