public import Foundation
public import Holdfast

extension HabitTracker {
  /// Returns the XP and the level of a person.
  public func level(of user: String = Habit.defaultUser) throws -> HabitLevel {
    try library.read { db in
      try db.requireEnabled(XPTransaction.self)
      return try Self.level(of: user, db)
    }
  }

  /// Returns the XP transactions of a person, newest first.
  public func transactions(
    of user: String = Habit.defaultUser, limit: Int = .max, offset: Int = 0
  ) throws -> [XPTransaction] {
    try library.records(
      XPTransaction.self, clause: "WHERE userId = ? ORDER BY timestamp DESC, id LIMIT ? OFFSET ?",
      arguments: [.text(user), .integer(Int64(limit)), .integer(Int64(offset))])
  }

  /// Gives a person XP, more than 0, that do not belong to a day.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule.
  public func addXP(
    _ amount: Int, to user: String = Habit.defaultUser, reason: String, now: Date = Date()
  ) throws {
    try library.write { db in
      guard amount > 0 else { throw RuleError("\(amount) XP: give more than 0") }
      try db.add(
        XPTransaction(userID: user, amount: amount, reason: reason, timestamp: now), now: now)
    }
  }

  /// Takes XP back from a person, at most all of them.
  ///
  /// - Returns: How many were taken back.
  /// - Throws: `HoldfastError` when a value breaks a rule.
  @discardableResult
  public func removeXP(
    _ amount: Int, from user: String = Habit.defaultUser, reason: String, now: Date = Date()
  ) throws -> Int {
    try library.write { db in
      try db.requireEnabled(XPTransaction.self)
      guard amount > 0 else { throw RuleError("\(amount) XP: give more than 0") }
      let removed = try min(amount, Self.level(of: user, db).totalXP)
      guard removed > 0 else { return 0 }
      try db.add(
        XPTransaction(userID: user, amount: -removed, reason: reason, timestamp: now), now: now)
      return removed
    }
  }

  /// Returns the achievements of a person, or of all persons without one, newest first.
  public func achievements(
    of user: String? = Habit.defaultUser, recording: RecordingID? = nil
  ) throws -> [Achievement] {
    var conditions = ["1"]
    var arguments: [SQLValue] = []
    if let user {
      conditions.append("userId = ?")
      arguments.append(.text(user))
    }
    if let recording {
      conditions.append("recordingId = ?")
      arguments.append(.text(recording.uuidString))
    }
    return try library.records(
      Achievement.self,
      clause: "WHERE \(conditions.joined(separator: " AND ")) ORDER BY unlockedAt DESC, id",
      arguments: arguments)
  }

  /// Unlocks an achievement, unless the person has it already. Its XP come with it.
  ///
  /// - Returns: Whether it is new.
  /// - Throws: `HoldfastError` when a value breaks a rule.
  @discardableResult
  public func unlock(_ achievement: Achievement, now: Date = Date()) throws -> Bool {
    try library.write { db in try unlock(achievement, now: now, db) }
  }

  func unlock(_ achievement: Achievement, now: Date, _ db: any RecordDatabase) throws -> Bool {
    try db.requireEnabled(Achievement.self)
    let known = try db.rows(
      "SELECT 1 FROM achievement WHERE userId = ? AND achievementId = ?",
      [.text(achievement.userID), .text(achievement.achievementID)])
    guard known.isEmpty else { return false }
    try db.add(achievement, now: now)
    if achievement.xpAwarded > 0 {
      try db.insert(
        XPTransaction(
          userID: achievement.userID, amount: achievement.xpAwarded,
          reason: "achievement \(achievement.achievementID)", timestamp: achievement.unlockedAt))
    }
    return true
  }

  static func level(of user: String, _ db: any RecordDatabase) throws -> HabitLevel {
    let rows = try db.rows(
      "SELECT sum(amount) AS total FROM xpTransaction WHERE userId = ?", [.text(user)])
    return HabitLevel(totalXP: rows.first?["total"].integer ?? 0)
  }

  /// Gives a complete day the XP that it lacks, or takes back the XP of another day.
  ///
  /// - Parameter isTakingBack: Whether progress that completed it was taken back. Without that, the
  ///   day keeps its XP.
  /// - Returns: The XP that the person got; negative if they were taken back.
  static func settle(
    _ day: Day, of user: String, isComplete: Bool, isTakingBack: Bool, at clock: HabitClock,
    _ db: any RecordDatabase
  ) throws -> Int {
    guard isComplete || isTakingBack else { return 0 }
    let rows = try db.rows(
      "SELECT count(*) AS count, sum(amount) AS sum FROM xpTransaction "
        + "WHERE userId = ? AND day = ?",
      [.text(user), .text(day.description)])
    let lacking = (isComplete ? XPTransaction.completeDay : 0) - (rows.first?["sum"].integer ?? 0)
    // The total never falls below 0.
    let amount = try lacking < 0 ? -min(-lacking, level(of: user, db).totalXP) : lacking
    guard amount != 0 else { return 0 }
    // Two computers that complete the same day make the same transaction, and a merge counts it
    // once.
    var number = rows.first?["count"].integer ?? 0
    var id = UUID(named: "XP", user, day.description, "\(number)")
    while try db.record(XPTransaction.self, id: id) != nil {
      number += 1
      id = UUID(named: "XP", user, day.description, "\(number)")
    }
    try db.insert(
      XPTransaction(
        id: id, userID: user, amount: amount,
        reason: isComplete ? "complete day" : "day no longer complete", day: day,
        timestamp: nextMoment(of: day, for: user, at: clock, db)))
    return amount
  }

  /// Returns the moment for a new record or transaction of a day: now, or a millisecond after the
  /// day's last one if that is ahead. So their order does not depend on a clock that was wrong.
  static func nextMoment(
    of day: Day, for user: String, at clock: HabitClock, _ db: any RecordDatabase
  ) throws -> Date {
    let days = try db.records(
      HabitDay.self, clause: "WHERE day = ? AND habitId IN (SELECT id FROM habit WHERE userId = ?)",
      arguments: [.text(day.description), .text(user)])
    let xp = try db.records(
      XPTransaction.self, clause: "WHERE day = ? AND userId = ?",
      arguments: [.text(day.description), .text(user)])
    let last = (days.map { $0.modifiedAt ?? $0.createdAt } + xp.map(\.timestamp)).max()
    return last.map(clock.now.after) ?? clock.now
  }
}
