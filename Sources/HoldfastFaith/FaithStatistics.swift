public import Holdfast

/// What the journal comes to in a period. Private entries and prayers are left out.
public struct FaithStatistics: Codable, Hashable, Sendable {
  /// The number of days in the period, counting today; `nil` for everything.
  public var days: Int?
  /// How many entries were written.
  public var entries: Int
  /// How many of them have a voice note.
  public var voiceNotes: Int
  /// How many prayers were begun.
  public var prayers: Int
  /// How prayers were answered, whenever they were begun.
  public var answers: PrayerAnswers
  /// How often each mood was logged, by itself and with entries, most often first.
  public var moods: [MoodCount]
}

extension FaithJournal {
  /// Returns what the journal comes to in a period.
  ///
  /// - Parameters:
  ///   - period: The period, which ends with today.
  ///   - today: The last day.
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

  /// Returns how many rows of a table are of a period, and how many of them name a recording. The
  /// table is read in parts, so that each statement is short.
  private func counts(
    in table: String, from first: Day?, through last: Day
  ) throws -> (rows: Int, linked: Int) {
    try library.read { db in
      try db.requireEnabled(JournalEntry.self)
      var counts = (rows: 0, linked: 0)
      // The plus keeps SQLite from the index by isPrivate, which has the texts.
      var periods = RecordPeriods(of: table, by: "date", first: 8000)
      while let period = try periods.next(db) {
        let row = try db.rows(
          """
          SELECT count(*) AS count, count(recordingId) AS linked FROM \(table)
          WHERE date >= ? AND date < ? AND +isPrivate = 0 AND \(RecordList.ownDay) BETWEEN ? AND ?
          """,
          [
            .text(period.since), .text(period.until), .text(first?.description ?? ""),
            .text(last.description),
          ]
        ).first
        counts.rows += row?["count"].integer ?? 0
        counts.linked += row?["linked"].integer ?? 0
        // The rest is older than the first day, whatever its zone.
        if let first, period.since < first.adding(days: -1).description { break }
      }
      return counts
    }
  }
}
