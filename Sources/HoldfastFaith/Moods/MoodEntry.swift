public import Foundation
public import Holdfast

/// A mood at a moment, logged without an entry.
public struct MoodEntry: JournalRecord {
  /// The mood's identity.
  public let id: UUID
  /// The mood, in the person's own words.
  public var mood: String
  /// When it was, to the millisecond.
  public var date: Date
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  public var dateOffset: Int
  /// The person's notes.
  public var notes: String?
  /// The recording in which it was spoken.
  public var recordingID: RecordingID?
  /// When it was logged.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, mood, date, dateOffset, notes
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes a mood. The default time zone is this machine's.
  public init(
    mood: String, date: Date, dateOffset: Int? = nil, notes: String? = nil,
    recordingID: RecordingID? = nil, createdAt: Date
  ) {
    id = UUID()
    self.mood = mood.trimmed
    self.date = date.roundedToMillisecond
    self.dateOffset = dateOffset ?? date.localOffset
    self.notes = notes?.nonBlank
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try mood.validateTrimmedName("the mood", limit: FaithLimit.mood)
    try Entry.validate(offset: dateOffset)
    try notes?.validate("the notes have", limit: FaithLimit.notes)
  }

  /// How the registry treats moods.
  public static let declaration = RecordDeclaration<MoodEntry>(
    RecordKind("moodEntries", singular: "mood", plural: "moods"), table: "moodEntry",
    derived: [DerivedColumn("foldedMood") { .text($0.mood.foldedCase) }],
    moment: RecordMoment(\.date, \.dateOffset),
    link: RecordingLink(\.recordingID, newest: "date", role: "spoken for") {
      "\($0.localText)  \($0.mood)"
    },
    csv: .withDates([
      .init("mood", \.mood), .init("date", \.date), .init("dateOffset", \.dateOffset),
      .init("notes", \.notes), .init("recordingId", \.recordingID),
    ]),
    labelled: LabelledWords(
      in: \.notes,
      [
        "Tags", "Activities", "Triggers", "Location", "Weather", "Intensity", "Energy",
        "Time of day", "Kind", "Emoji",
      ], limit: FaithLimit.notes))
}

/// How often a mood was logged, by itself and with entries.
public struct MoodCount: Codable, Hashable, Sendable {
  /// The mood, as one of its records has it.
  public var mood: String
  /// How often, in any case.
  public var count: Int
}

/// Suggested words for moods. Any other word is allowed too.
public enum MoodSuggestions {
  /// The words, in the order in which help names them.
  public static let words = [
    "Grateful", "Peaceful", "Joyful", "Hopeful", "Anxious", "Sad", "Tired", "Angry",
  ]
}

extension FaithJournal {
  /// Returns how often each mood was logged in a period, by itself and with entries, most often
  /// first. Without a day, the period has no limit on that side.
  public func moodCounts(
    from first: Day? = nil, through last: Day? = nil,
    includingPrivate includesPrivate: Bool = false
  ) throws -> [MoodCount] {
    // Every zone is less than a day from UTC, so the index can skip the rows further away.
    let period = """
      date >= coalesce(date(?1, '-1 day'), '') AND date < coalesce(date(?2, '+2 days'), '~')
        AND \(RecordList.ownDay) BETWEEN coalesce(?1, '') AND coalesce(?2, '~')
      """
    return try library.read { db in
      try db.requireEnabled(MoodEntry.self)
      return try db.rows(
        """
        SELECT min(mood) AS mood, count(*) AS count FROM (
          SELECT foldedMood, mood FROM moodEntry WHERE \(period) UNION ALL
          SELECT foldedMood, mood FROM journalEntry
          WHERE foldedMood IS NOT NULL AND isPrivate <= ?3 AND \(period)
        ) GROUP BY foldedMood ORDER BY count DESC, foldedMood
        """,
        [
          .text(first?.description), .text(last?.description), .integer(includesPrivate ? 1 : 0),
        ]
      ).compactMap { row in
        row["mood"].text.map { MoodCount(mood: $0, count: row["count"].integer ?? 0) }
      }
    }
  }
}
