public import Foundation
public import Holdfast

/// Which moods to return.
public struct MoodQuery: Hashable, Sendable {
  /// The first day; `nil` for no limit.
  public var first: Day?
  /// The last day; `nil` for no limit.
  public var last: Day?
  /// Only this mood, in any case.
  public var mood: String?
  /// Only moods that were spoken in this recording.
  public var recording: RecordingID?
  /// The most moods to return.
  public var limit: Int?
  /// How many moods to skip first.
  public var offset: Int

  /// Makes a query, by default for all moods.
  public init(
    from first: Day? = nil, through last: Day? = nil, mood: String? = nil,
    recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.first = first
    self.last = last
    self.mood = mood
    self.recording = recording
    self.limit = limit
    self.offset = offset
  }
}

extension FaithJournal {
  /// Returns the moods that match a query, newest first. Those of entries are with the entries.
  public func moods(matching query: MoodQuery = MoodQuery()) throws -> [MoodEntry] {
    var list = RecordList("moodEntry", from: query.first, through: query.last)
    if let mood = query.mood { list.filter("foldedMood = ?", .text(mood.trimmed.foldedCase)) }
    if let recording = query.recording {
      list.filter("recordingId = ?", .text(recording.uuidString))
    }
    return try page(limit: query.limit, offset: query.offset) { _ in list }
  }

  /// Returns how often each mood was logged in a period, by itself and with entries, most often
  /// first.
  ///
  /// - Parameters:
  ///   - first: The first day; `nil` for no limit.
  ///   - last: The last day; `nil` for no limit.
  ///   - includesPrivate: Whether the moods of private entries count too.
  public func moodCounts(
    from first: Day? = nil, through last: Day? = nil,
    includingPrivate includesPrivate: Bool = false
  ) throws -> [MoodCount] {
    // No zone is a day away from UTC: that many rows the index leaves out.
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
