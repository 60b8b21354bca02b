import Foundation
public import Holdfast

extension HabitTracker {
  /// Returns the habits of a person with their complete days, from which streaks and rates follow.
  public func calendar(of user: String = Habit.defaultUser) throws -> HabitCalendar {
    try library.read { db in try Self.calendar(of: user, db) }
  }

  static func calendar(of user: String, _ db: any RecordDatabase) throws -> HabitCalendar {
    let habits = try db.records(
      Habit.self, clause: "WHERE userId = ? ORDER BY startDay, id", arguments: [.text(user)])
    let earned = try db.rows(
      earnedDays, [.text(user), .integer(Int64(XPTransaction.completeDay))])
    let rows = try db.rows(completeDays, [.text(user)])
    let days = Dictionary(
      rows.map { ($0["id"].text ?? "", $0["days"].text ?? "") }, uniquingKeysWith: { $1 })
    // Another program may have deleted a habit between the two statements.
    return HabitCalendar(
      try habits.compactMap { habit in
        try days[habit.id.uuidString].map { days in
          HabitHistory(
            habit, completeDays: try numbers(of: days, "a day of the habit \(habit.id.uuidString)"))
        }
      }, earnedDays: try numbers(of: earned.first?["days"].text ?? "", "the day of XP"))
  }

  /// The complete days of each habit as one text. A row for each day would take ten times as long.
  static let completeDays = """
    SELECT id, (
      SELECT group_concat(day, '') FROM habitDay WHERE habitId = habit.id
      AND \(isComplete)) AS days
    FROM habit WHERE userId = ?
    """

  static let isComplete = """
    CASE habitType WHEN 'breaking' THEN progressCount <= habitDay.goalCount
      ELSE progressCount >= habitDay.goalCount END
    """

  /// The days that have the XP of a complete day as one text.
  private static let earnedDays = """
    SELECT group_concat(day, '') AS days FROM (
      SELECT day FROM xpTransaction WHERE userId = ? AND day IS NOT NULL
      GROUP BY day HAVING sum(amount) >= ?)
    """

  /// Returns the numbers of days that are written one after the other.
  private static func numbers(of days: String, _ noun: String) throws -> Set<Int> {
    let bytes = Array(days.utf8)
    var numbers = Set<Int>(minimumCapacity: bytes.count / 10)
    for start in stride(from: 0, to: bytes.count, by: 10) {
      guard start + 10 <= bytes.count, bytes[start + 4] == UInt8(ascii: "-"),
        bytes[start + 7] == UInt8(ascii: "-")
      else {
        throw HoldfastError(.unreadableRow, "\(noun) cannot be read")
      }
      numbers.insert(Day.number(of: bytes[start..<start + 10]))
    }
    return numbers
  }

  /// Returns the streak of a person.
  public func streak(
    of user: String = Habit.defaultUser, on today: Day = Day()
  ) throws -> HabitStreak {
    try calendar(of: user).streak(on: today)
  }

  /// Returns the habits that appear on a day, with what was logged for them.
  public func overview(
    of user: String = Habit.defaultUser, on day: Day = Day()
  ) throws -> HabitDayOverview {
    try library.read { db in
      let calendar = try Self.calendar(of: user, db)
      let records = try db.records(
        HabitDay.self,
        clause:
          "WHERE day = ? AND habitId IN (SELECT id FROM habit WHERE userId = ?) ORDER BY habitId",
        arguments: [.text(day.description), .text(user)])
      return HabitDayOverview(calendar, records, on: day)
    }
  }

  /// Returns the figures of each day of a week, from Monday to Sunday.
  public func week(
    of user: String = Habit.defaultUser, with day: Day = Day(), today: Day = Day()
  ) throws -> [LoggedDayFigures] {
    let week = day.week
    return try library.read { db in
      let rows = try db.rows(
        """
        SELECT day, count(*) AS logged, sum(\(Self.isComplete)) AS complete
        FROM habitDay JOIN habit ON habit.id = habitId
        WHERE day BETWEEN ? AND ? AND userId = ? GROUP BY day ORDER BY day
        """, [.text(week[0].description), .text(week[6].description), .text(user)])
      let logged = Dictionary(rows.map { ($0["day"].text ?? "", $0) }, uniquingKeysWith: { $1 })
      return try Self.calendar(of: user, db).figures(from: week[0], through: week[6]).map {
        figures in
        let row = logged[figures.day.description]
        return LoggedDayFigures(
          figures: figures, logged: row?["logged"].integer ?? 0,
          loggedComplete: row?["complete"].integer ?? 0, isAhead: figures.day > today)
      }
    }
  }

  /// Returns the rate of each habit of a person.
  public func rates(
    of user: String = Habit.defaultUser, through today: Day = Day()
  ) throws -> [HabitRate] {
    try library.read { db in
      let rows = try db.rows(
        """
        SELECT habit.id AS id, (SELECT count(*) FROM habitDay WHERE habitId = habit.id) AS logged
        FROM habit WHERE userId = ?
        """, [.text(user)])
      let logged = Dictionary(
        rows.map { ($0["id"].text ?? "", $0["logged"].integer ?? 0) }, uniquingKeysWith: { $1 })
      return try Self.calendar(of: user, db).histories.map { history in
        let (due, complete) = history.counts(through: today)
        return HabitRate(
          habit: history.habit.id, name: history.habit.name, due: due, complete: complete,
          logged: logged[history.habit.id.uuidString] ?? 0,
          loggedComplete: history.completeDays.count)
      }
    }
  }
}
