public import Foundation
public import Holdfast

extension FaithJournal {
  /// Records a prayer's answer, which came on the prayer's day or later, and not in the future.
  ///
  /// - Throws: `HoldfastError` when the moment breaks a rule, and when the prayer has an answer
  ///   already.
  @discardableResult
  public func answer(
    id: UUID, at moment: Date? = nil, notes: String? = nil, now: Date = Date()
  ) throws -> PrayerRequest {
    try library.edit(PrayerRequest.self, id: id, now: now) { prayer in
      try prayer.answer(at: moment ?? now, notes: notes)
    }
  }

  /// Makes a prayer active again. Its answer, and the notes about it, are removed.
  @discardableResult
  public func reopen(id: UUID, now: Date = Date()) throws -> PrayerRequest {
    try change(id, now: now) { $0.reopen() }
  }

  /// Puts a prayer away. An answer stays.
  @discardableResult
  public func archive(id: UUID, now: Date = Date()) throws -> PrayerRequest {
    try change(id, now: now) { $0.archive() }
  }

  /// Brings back a prayer that was put away: answered if it has an answer, else active.
  @discardableResult
  public func unarchive(id: UUID, now: Date = Date()) throws -> PrayerRequest {
    try change(id, now: now) { $0.unarchive() }
  }

  /// Returns how prayers were answered in a period, including those put away since. Without a day,
  /// the period has no limit on that side.
  public func answers(
    from first: Day? = nil, through last: Day? = nil,
    includingPrivate includesPrivate: Bool = false
  ) throws -> PrayerAnswers {
    try library.read { db in
      try db.requireEnabled(PrayerRequest.self)
      let rows = try db.rows(
        """
        SELECT count(*) AS count, avg(julianday(answerDay) - julianday(day)) AS days FROM (
          SELECT \(RecordList.ownDay) AS day,
            date(answerDate, dateOffset || ' minutes') AS answerDay
          FROM prayer WHERE answerDate IS NOT NULL AND isPrivate <= ?
        ) WHERE answerDay BETWEEN ? AND ?
        """,
        [
          .integer(includesPrivate ? 1 : 0), .text(first?.description ?? ""),
          .text(last?.description ?? "~"),
        ])
      return PrayerAnswers(
        count: rows.first?["count"].integer ?? 0, averageDays: rows.first?["days"].number)
    }
  }
}

/// How prayers were answered in a period.
public struct PrayerAnswers: Codable, Hashable, Sendable {
  /// How many were answered.
  public var count: Int
  /// How many days passed from the prayer to its answer, on average; `nil` if none was answered.
  public var averageDays: Double?
}
