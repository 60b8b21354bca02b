import Foundation
import Holdfast

/// XP after an import of data or a merge.
///
/// An import may bring progress and XP of a day on which this library has habits of its own. The
/// day's XP then follow from its new state, as after a tap. A complete day gets the XP that it
/// lacks. XP are taken back only if the other version of a record undoes its completion, never
/// because of a habit. Days whose XP did not follow from their progress before are left as they
/// are. So are the days up to the one on which an app's total was carried over, which has theirs.
///
/// XP that are given or taken back have the moment after the last record that they follow from, so
/// that a merge has the same result in both libraries.
enum ImportedXP {
  /// The days of a person before an import, in both libraries.
  private struct Before {
    /// The days whose XP are left as they are.
    var unsettled: Set<Day> = []
    /// The complete days of each habit.
    var complete: [CompleteDays] = []
  }

  /// Reads every person's days before an import, and returns a function that gives and takes back
  /// XP after it.
  static func settling(
    _ db: any RecordDatabase, _ other: (any RecordDatabase)?
  ) throws -> (any RecordDatabase) throws -> Void {
    var before: [String: Before] = [:]
    for user in try users(db) {
      before[user] = Before(
        unsettled: try Set(unsettled(of: user, db).keys), complete: try completeDays(of: user, db))
    }
    if let other {
      for user in try users(other) {
        // A habit that cannot be read is not imported either.
        let days = (try? unsettled(of: user, other)) ?? [:]
        before[user, default: Before()].unsettled.formUnion(days.keys)
        before[user, default: Before()].complete += try completeDays(of: user, other)
      }
    }
    return { [before] db in
      for (user, before) in before.sorted(by: { $0.key < $1.key }) {
        let carried = try db.record(XPTransaction.self, id: XPTransaction.carriedOver(for: user))
          .map { Day(of: $0.timestamp, offset: 0) }
        let days = try unsettled(of: user, db).filter { day, _ in
          !before.unsettled.contains(day) && carried.map { day > $0 } ?? true
        }
        // In order, because the total never falls below 0.
        for (day, isComplete) in days.sorted(by: { $0.key < $1.key }) {
          let isTakingBack =
            try !isComplete && before.complete.contains { try $0.isTakenBack(day, db) }
          _ = try HabitTracker.settle(
            day, of: user, isComplete: isComplete, isTakingBack: isTakingBack,
            at: HabitClock(.distantPast, offset: 0), db)
        }
      }
    }
  }

  private static func users(_ db: any RecordDatabase) throws -> [String] {
    try db.rows("SELECT DISTINCT userId FROM habit").compactMap { $0["userId"].text }
  }

  /// The days on which a habit is complete in a library, with their goals.
  private struct CompleteDays {
    let habit: String
    let type: HabitType
    /// Each day as `2025-10-06:5,`. A row for each day would take ten times as long.
    let days: String

    /// Returns whether a record that completed the day no longer does, by its own goal.
    func isTakenBack(_ day: Day, _ db: any RecordDatabase) throws -> Bool {
      guard let place = days.range(of: "\(day):"),
        let goal = Int(days[place.upperBound...].prefix { $0 != "," })
      else { return false }
      let count = try db.rows(
        "SELECT progressCount FROM habitDay WHERE habitId = ? AND day = ?",
        [.text(habit), .text(day.description)]
      ).first?["progressCount"].integer
      return count.map { !type.isMet(goal, by: $0) } ?? true
    }
  }

  private static func completeDays(
    of user: String, _ db: any RecordDatabase
  ) throws -> [CompleteDays] {
    try db.rows(
      """
      SELECT id, habitType, (
        SELECT group_concat(day || ':' || habitDay.goalCount || ',', '') FROM habitDay
        WHERE habitId = habit.id AND \(HabitTracker.isComplete)) AS days
      FROM habit WHERE userId = ?
      """, [.text(user)]
    ).compactMap { row in
      guard let id = row["id"].text, let days = row["days"].text,
        let type = row["habitType"].text.flatMap(HabitType.init(rawValue:))
      else { return nil }
      return CompleteDays(habit: id, type: type, days: days)
    }
  }

  /// Returns ranges that contain these days. With a wrong clock, one may be thousands of years away
  /// from the others.
  private static func runs(of days: [Day]) -> [(from: Day, through: Day)] {
    days.reduce(into: []) { runs, day in
      if let last = runs.last, day.number - last.through.number <= 31 {
        runs[runs.count - 1].through = day
      } else {
        runs.append((day, day))
      }
    }
  }

  /// The days of a person whose XP do not follow from their progress, and whether that completes
  /// them.
  private static func unsettled(
    of user: String, _ db: any RecordDatabase
  ) throws -> [Day: Bool] {
    let rows = try db.rows(
      """
      SELECT day, sum(amount) AS xp FROM xpTransaction \
      WHERE userId = ? AND day IS NOT NULL GROUP BY day
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
    guard !xp.isEmpty else { return [:] }
    let calendar = try HabitTracker.calendar(of: user, db).byProgress
    return Dictionary(
      runs(of: xp.keys.sorted()).flatMap(calendar.figures).compactMap { figures in
        let isComplete = figures.state == .complete
        guard let xp = xp[figures.day], xp != (isComplete ? XPTransaction.completeDay : 0) else {
          return nil
        }
        return (figures.day, isComplete)
      }, uniquingKeysWith: { $1 })
  }
}
