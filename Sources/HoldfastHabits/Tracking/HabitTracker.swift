public import Foundation
public import Holdfast

/// The habits of a library in which the journal `habits` is enabled.
///
/// Each change is one transaction: the rows, the XP of the day, and the achievements.
public struct HabitTracker: Sendable {
  let library: Library
}

extension Library {
  /// The habits. The library must have been opened with the journal `habits`.
  public var habits: HabitTracker { HabitTracker(library: self) }
}

extension HabitTracker {
  /// Adds a habit.
  ///
  /// A day that has its XP stays complete, even if the habit is required on it.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - isStartChosen: Whether the person chose its first day. If not, that is today, or tomorrow
  ///     if today is complete already.
  ///   - clock: The present.
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the recording does not exist.
  @discardableResult
  public func add(
    _ habit: Habit, isStartChosen: Bool = true, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    try library.write { db in
      var habit = habit
      if !isStartChosen {
        habit.startDay = try Self.calendar(of: habit.userID, db)
          .firstDay(ofHabitAddedOn: clock.today, endingOn: habit.endDay)
      }
      return try settling(for: habit.userID, on: clock.today, at: clock, db) { [habit] in
        try db.add(habit, now: clock.now)
        return habit
      }
    }
  }

  /// Changes a habit. A new goal applies from today; earlier days keep theirs. If the habit is
  /// complete today and the new goal is harder, the goal starts tomorrow.
  ///
  /// A schedule has no history. A new schedule, first day, last day or type changes when the habit
  /// was due in the past, and may change the streak. Days that have their XP stay complete.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the habit or the recording does
  ///   not exist, and any error of `change`.
  @discardableResult
  public func edit(
    _ id: UUID, clock: HabitClock = HabitClock(), _ change: (inout Habit) throws -> Void
  ) throws -> HabitOutcome {
    try library.write { db in
      let before = try habit(id, db)
      return try settling(for: before.userID, on: clock.today, at: clock, db) {
        let habit = try db.edit(Habit.self, id: id, now: clock.now, change)
        if habit.goalCount != before.goalCount {
          try setGoal(of: habit, changedFrom: before, clock, db)
        }
        return habit
      }
    }
  }

  /// Deletes a habit with its days and reminders. Its recording and the XP that it gave stay, and
  /// days that have their XP stay complete.
  ///
  /// After the last of several deletions, call `Library.compactIfSmall()`.
  ///
  /// - Throws: `HoldfastError` when the habit does not exist.
  public func delete(_ id: UUID) throws { try library.delete(Habit.self, id: id) }

  /// Returns habits of a person, the earliest first day first.
  ///
  /// - Parameters:
  ///   - user: The person; `nil` for all persons.
  ///   - day: Only habits that appear on this day.
  ///   - recording: Only habits with this recording.
  ///   - limit: The most habits to return.
  ///   - offset: How many to skip first.
  public func habits(
    of user: String? = Habit.defaultUser, on day: Day? = nil, recording: RecordingID? = nil,
    limit: Int = .max, offset: Int = 0
  ) throws -> [Habit] {
    var list = RecordList(
      "habit", by: (user == nil ? [.init("userId")] : []) + [.init("startDay")])
    if let user { list.filter("userId = ?", .text(user)) }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    if let day {
      let text = SQLValue.text(day.description)
      list.filter(Self.appears, text, text, text, .text(day.weekday.rawValue))
    }
    return try library.read { [list] db in
      try db.records(Habit.self, of: list, limit: limit, offset: offset)
    }
  }

  /// The condition that a habit appears on a day. Its arguments are the day, three times, and the
  /// weekday.
  private static let appears = """
    startDay <= ? AND coalesce(endDay, '~') >= ? AND CASE scheduleType
      WHEN 'everyNDays' THEN (julianday(?) - julianday(startDay)) % scheduleCount = 0
      WHEN 'specificWeekdays' THEN EXISTS (
        SELECT 1 FROM habitWeekday WHERE habitId = habit.id AND weekday = ?)
      ELSE 1 END
    """

  /// Returns the habit with this name, in any case, or the habit whose ID begins with the text.
  ///
  /// - Throws: `HoldfastError` if none matches, and if several do.
  public func habit(_ text: String) throws -> Habit {
    let name = text.foldedForSearch
    let ids = try library.read { db in
      try db.requireEnabled(Habit.self)
      return try db.rows("SELECT id, name FROM habit ORDER BY id")
        .filter { $0["name"].text?.foldedForSearch == name }
        .compactMap { $0["id"].text.flatMap { UUID(uuidString: $0) } }
    }
    guard ids.count <= 1 else {
      throw HoldfastError(
        .ambiguousID,
        "\(ids.count) habits are called \"\(text.cut(to: 80).escapedForDisplay)\"",
        operation: "find by name", record: Habit.declaration.kind)
    }
    if let id = ids.first, let habit = try library.record(Habit.self, id: id) { return habit }
    if text.wholeMatch(of: /[0-9A-Fa-f-]{4,}/) == nil {
      throw HoldfastError(
        .noSuchRecord,
        "no habit is called \"\(text.cut(to: 80).escapedForDisplay)\", and no habit's id begins "
          + "with it",
        record: Habit.declaration.kind)
    }
    return try library.record(Habit.self, idPrefix: text)
  }

  func habit(_ id: UUID, _ db: any RecordDatabase) throws -> Habit {
    guard let habit = try db.record(Habit.self, id: id) else {
      throw HoldfastError.gone(Habit.declaration.kind, id)
    }
    return habit
  }
}
