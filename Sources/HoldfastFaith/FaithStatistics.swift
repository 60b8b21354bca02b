public import Holdfast

/// The journal's figures for a period, without private entries and prayers.
public struct FaithStatistics: Codable, Hashable, Sendable {
  /// The number of days in the period, counting today; `nil` for everything.
  public var days: Int?
  /// How many entries were written.
  public var entries: Int
  /// How many of them have a voice note.
  public var voiceNotes: Int
  /// How many prayers were begun.
  public var prayers: Int
  /// How prayers were answered, including earlier prayers.
  public var answers: PrayerAnswers
  /// How often each mood was logged, by itself and with entries, most often first.
  public var moods: [MoodCount]
}

extension FaithJournal {
  /// Returns the journal's figures for a period that ends with today.
  public func statistics(
    of period: StatisticsPeriod, today: Day = Day()
  ) throws -> FaithStatistics {
    let first = period.days.map { today.adding(days: 1 - $0) }
    let entries = try counts(in: "journalEntry", from: first, through: today)
    return FaithStatistics(
      days: period.days, entries: entries.rows, voiceNotes: entries.linked,
      prayers: try counts(in: "prayer", from: first, through: today).rows,
      answers: try answers(from: first, through: today),
      moods: try moodCounts(from: first, through: today))
  }

  /// Returns how many rows of a table are in a period, and how many of those link to a recording.
  private func counts(
    in table: String, from first: Day?, through last: Day
  ) throws -> (rows: Int, linked: Int) {
    var list = RecordList(table, by: "date", from: first, through: last)
    // The plus stops SQLite from using the index by isPrivate, which contains the texts.
    list.filterRarely("+isPrivate = 0")
    return try library.read { [list] db in
      try db.requireEnabled(JournalEntry.self)
      return try list.rows(
        selecting: "count(*) AS count, count(recordingId) AS linked", in: db
      ).reduce((0, 0)) { ($0.0 + ($1["count"].integer ?? 0), $0.1 + ($1["linked"].integer ?? 0)) }
    }
  }
}
