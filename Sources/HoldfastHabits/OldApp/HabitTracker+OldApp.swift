public import Foundation
import Holdfast

/// The result of an import from the old app.
public struct OldHabitsReport: Codable, Hashable, Sendable {
  /// A part of the old data.
  public struct Item: Codable, Hashable, Sendable {
    /// The habit's name, as far as it is known.
    public var habit: String
    /// The part of the habit; `nil` for the whole.
    public var part: String?
    /// What is wrong with it.
    public var reason: String
  }

  /// How many habits, reminders and days were added.
  public var habits = 0
  /// How many reminders were added.
  public var reminders = 0
  /// How many days were added.
  public var days = 0
  /// How many habits, reminders and days the library had already.
  public var unchanged = 0
  /// The XP that were carried over.
  public var xp = 0
  /// The parts that were left out.
  public var leftOut: [Item] = []
  /// Days whose completion status differs from their count.
  public var mismatches: [Item] = []
}

extension HabitTracker {
  /// Imports the habits of the old app, in one transaction. Existing records stay as they are, so a
  /// second import adds nothing.
  ///
  /// - Parameters:
  ///   - json: An object with a list `habits`, and the XP as `totalXP`; or the list by itself.
  ///   - user: The person whose habits they are, unless the data name another.
  ///   - isDryRun: Whether to write nothing. The report is the same.
  ///   - clock: The present.
  /// - Throws: `HoldfastError` if the JSON has another form.
  public func importOld(
    _ json: Data, user: String = Habit.defaultUser, isDryRun: Bool = false,
    clock: HabitClock = HabitClock()
  ) throws -> OldHabitsReport {
    guard let document = try? JSONDecoder().decode(AppValue.self, from: json),
      let list = document.list ?? document["habits"].list
    else {
      throw HoldfastError(
        .unreadableDocument, "not the habits of the old app: a JSON object with a list \"habits\"")
    }
    var report = OldHabitsReport()
    var habits: [OldHabit] = []
    for (index, value) in list.enumerated() {
      do throws(RuleError) {
        let habit = try OldHabit(value, user: user, clock: clock)
        guard habits.allSatisfy({ $0.habit.id != habit.habit.id }) else {
          throw RuleError("its id is there twice")
        }
        habits.append(habit)
      } catch {
        let name = value["name"].text?.cut(to: 80) ?? "number \(index + 1)"
        report.leftOut.append(OldHabitsReport.Item(habit: name, reason: error.description))
      }
    }
    for habit in habits {
      report.leftOut += habit.leftOut
      report.mismatches += habit.mismatches
    }
    let xp = document["totalXP"].isNull ? document["userProgress"]["totalXP"] : document["totalXP"]
    let run: (any RecordDatabase) throws -> OldHabitsReport = { db in
      var report = report
      for habit in habits { try importHabit(habit, into: &report, isDryRun: isDryRun, db) }
      let user = document["userId"].text ?? user
      try importXP(xp, of: user, into: &report, isDryRun: isDryRun, at: clock, db)
      return report
    }
    return try isDryRun ? library.read(run) : library.write(run)
  }

  private func importHabit(
    _ old: OldHabit, into report: inout OldHabitsReport, isDryRun: Bool, _ db: any RecordDatabase
  ) throws {
    /// Adds a record unless it exists, or reports it as left out if it is invalid.
    func add<Value: JournalRecord>(
      _ record: Value, _ part: String?, to count: WritableKeyPath<OldHabitsReport, Int>
    ) throws -> Bool where Value.ID == UUID {
      guard try db.record(Value.self, id: record.id) == nil else {
        report.unchanged += 1
        return true
      }
      do {
        try record.validate()
      } catch {
        report.leftOut.append(
          OldHabitsReport.Item(habit: old.habit.name, part: part, reason: error.description))
        return false
      }
      if !isDryRun { try db.insert(record) }
      report[keyPath: count] += 1
      return true
    }
    guard try add(old.habit, nil, to: \.habits) else { return }
    for reminder in old.reminders {
      _ = try add(reminder, "reminder \(reminder.time)", to: \.reminders)
    }
    for day in old.days {
      if try record(of: old.habit, on: day.day, db) != nil {
        report.unchanged += 1
      } else {
        _ = try add(day, "day \(day.day)", to: \.days)
      }
    }
  }

  private func importXP(
    _ xp: AppValue, of user: String, into report: inout OldHabitsReport, isDryRun: Bool,
    at clock: HabitClock, _ db: any RecordDatabase
  ) throws {
    guard !xp.isNull else { return }
    let transaction = XPTransaction(
      id: UUID(named: "XP carried over", user), userID: user, amount: xp.integer ?? 0,
      reason: "carried over", timestamp: clock.now)
    guard xp.integer != 0 else { return }
    do {
      guard let amount = xp.integer, amount > 0 else {
        throw RuleError("the total is \(xp.shown), not a number of XP")
      }
      try transaction.validate()
    } catch let error as RuleError {
      report.leftOut.append(
        OldHabitsReport.Item(habit: "", part: "totalXP", reason: error.description))
      return
    }
    guard try db.record(XPTransaction.self, id: transaction.id) == nil else {
      report.unchanged += 1
      return
    }
    if !isDryRun { try db.insert(transaction) }
    report.xp = transaction.amount
  }
}
