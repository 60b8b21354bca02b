internal import Foundation
internal import Holdfast

/// XP after an import of data or a merge.
///
/// It may bring progress and XP of a day on which this library has habits of its own. The day's XP then
/// follow from what it has become, as after a tap. Days on which they did not follow before are left as
/// they are: a new schedule changes what was due in the past, and no XP.
///
/// Two libraries that are merged come to the same, so the XP that are given or taken back have the moment
/// of the last record that they follow from.
enum ImportedXP {
  /// Looks at every person's days before an import, and returns what gives and takes back XP after it.
  static func settling(
    _ db: any RecordDatabase, _ other: (any RecordDatabase)?
  ) throws -> (any RecordDatabase) throws -> Void {
    var before: [String: Set<Day>] = [:]
    for user in try users(db) { before[user] = try Set(unsettled(of: user, db).keys) }
    if let other {
      for user in try users(other) {
        // A habit that cannot be read is not taken either.
        let days = (try? unsettled(of: user, other)) ?? [:]
        before[user, default: []].formUnion(days.keys)
      }
    }
    return { [before] db in
      for (user, others) in before.sorted(by: { $0.key < $1.key }) {
        let days = try unsettled(of: user, db).filter { !others.contains($0.key) }
        // In order, because the total never falls below 0.
        for (day, isComplete) in days.sorted(by: { $0.key < $1.key }) {
          let clock = HabitClock(try lastMoment(of: day, user, db), offset: 0)
          _ = try HabitTracker.settle(day, of: user, isComplete: isComplete, clock, db)
        }
      }
    }
  }

  /// Everybody who has a habit.
  private static func users(_ db: any RecordDatabase) throws -> [String] {
    try db.rows("SELECT DISTINCT userId FROM habit").compactMap { $0["userId"].text }
  }

  /// The moment of the last record of a day.
  private static func lastMoment(
    of day: Day, _ user: String, _ db: any RecordDatabase
  ) throws -> Date {
    let days = try db.records(
      HabitDay.self, "WHERE day = ? AND habitId IN (SELECT id FROM habit WHERE userId = ?)",
      [.text(day.description), .text(user)])
    let xp = try db.records(
      XPTransaction.self, "WHERE day = ? AND userId = ?", [.text(day.description), .text(user)])
    return (days.map { $0.modifiedAt ?? $0.createdAt } + xp.map(\.timestamp)).max()
      ?? .distantPast
  }

  /// The days of a person whose XP are not those of a complete day or none, and whether they are complete.
  private static func unsettled(
    of user: String, _ db: any RecordDatabase
  ) throws -> [Day: Bool] {
    let rows = try db.rows(
      """
      SELECT day, sum(amount) AS xp FROM xpTransaction WHERE userId = ? AND day IS NOT NULL GROUP BY day
      UNION ALL
      SELECT DISTINCT day, 0 FROM habitDay
      WHERE habitId IN (SELECT id FROM habit WHERE userId = ?)
        AND day NOT IN (SELECT day FROM xpTransaction WHERE userId = ? AND day IS NOT NULL)
      """, [.text(user), .text(user), .text(user)])
    var xp: [Day: Int] = [:]
    for row in rows {
      guard let day = row["day"].text.flatMap({ try? Day($0) }) else { continue }
      xp[day] = row["xp"].integer ?? 0
    }
    guard let first = xp.keys.min(), let last = xp.keys.max() else { return [:] }
    let figures = try HabitTracker.calendar(of: user, db).figures(from: first, through: last)
    return Dictionary(
      figures.compactMap { figures in
        let isComplete = figures.state == .complete
        guard let xp = xp[figures.day], xp != (isComplete ? XPTransaction.completeDay : 0) else {
          return nil
        }
        return (figures.day, isComplete)
      }, uniquingKeysWith: { $1 })
  }
}
