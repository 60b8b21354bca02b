public import Foundation
public import Holdfast
import Synchronization

// Taps and other changes of a day.

extension HabitTracker {
  /// The most that one change counts.
  public static let mostTimes = 1000

  /// Counts a habit as done, or a use of one to give up.
  ///
  /// - Parameters:
  ///   - id: The habit.
  ///   - day: The day. By default it is that of the action, or today.
  ///   - action: When it was done. By default it is now, or unknown for an earlier day.
  ///   - times: How often it was done: 1 to 1000.
  ///   - clock: The present.
  /// - Throws: `HoldfastError` when the day is in the future, when the habit does not appear on it,
  ///   and when the habit does not exist.
  @discardableResult
  public func complete(
    _ id: UUID, on day: Day? = nil, at action: HabitAction? = nil, times: Int = 1,
    clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    try library.write { db in
      try complete(id, on: day, at: action, times: times, recording: nil, clock: clock, db)
    }
  }

  /// Imports a recording, such as one of a milestone, and counts a habit as done on its day. Both
  /// happen, or neither.
  ///
  /// - Parameters:
  ///   - id: The habit.
  ///   - file: The file to import. If the library already has it, the day names that recording.
  ///   - options: How to import it.
  ///   - day: The day. By default it is that of the action, or today.
  ///   - action: When it was done.
  ///   - times: How often it was done: 1 to 1000.
  ///   - clock: The present.
  /// - Throws: `HoldfastError` as without a recording, and when the file is refused; and
  ///   `CancellationError`.
  public func complete(
    _ id: UUID, recordedIn file: String, options: ImportOptions = ImportOptions(),
    on day: Day? = nil, at action: HabitAction? = nil, times: Int = 1,
    clock: HabitClock = HabitClock()
  ) async throws -> (outcome: HabitOutcome, recording: ImportedRecording) {
    // A conversion takes longer than this check.
    try library.read { db in
      let habit = try habit(id, db)
      try Self.refuse(day ?? action?.day ?? clock.today, of: habit, clock)
    }
    let outcome = Mutex<HabitOutcome?>(nil)
    let recording = try await library.importRecording(file, options: options) { db, recording in
      let done = try complete(
        id, on: day, at: action, times: times, recording: recording, clock: clock, db)
      outcome.withLock { $0 = done }
    }
    guard let done = outcome.withLock({ $0 }) else {
      throw HoldfastError.gone(Habit.declaration.kind, id)
    }
    return (done, recording)
  }

  private func complete(
    _ id: UUID, on day: Day?, at action: HabitAction?, times: Int, recording: RecordingID?,
    clock: HabitClock, _ db: any RecordDatabase
  ) throws -> HabitOutcome {
    let day = day ?? action?.day ?? clock.today
    let isNow = action == nil && day == clock.today
    let action = isNow ? HabitAction(clock.now, offset: clock.offset) : action
    guard (1...Self.mostTimes).contains(times) else {
      throw RuleError("\(times) times: give 1 to \(Self.mostTimes)")
    }
    return try change(id, on: day, isNew: true, at: clock, in: db) { record, _ in
      if let action { try Self.refuse(action, outside: day, clock) }
      guard record.progressCount <= Habit.largest - times else {
        throw RuleError("a count goes to \(Habit.largest) at most; it is \(record.progressCount)")
      }
      for _ in 0..<times { record.increment(at: action) }
      if let recording { record.recordingID = recording }
    }
  }

  /// Removes the last count, with its moment. At 0, it does nothing.
  ///
  /// The day's XP are taken back if it becomes incomplete.
  @discardableResult
  public func undo(
    _ id: UUID, on day: Day? = nil, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    let day = day ?? clock.today
    return try library.write { db in
      try change(id, on: day, isNew: false, at: clock, in: db) { record, _ in record.decrement() }
    }
  }

  /// Sets the count of a day, and replaces its moments. If the count is unchanged and none are
  /// given, they stay.
  ///
  /// A recording becomes the day's link; `.some(nil)` removes the link, and `nil` keeps it.
  @discardableResult
  public func set(
    _ id: UUID, to count: Int, at actions: [HabitAction] = [], recording: RecordingID?? = nil,
    on day: Day? = nil, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    let day = day ?? clock.today
    return try library.write { db in
      try change(id, on: day, isNew: true, at: clock, in: db) { record, _ in
        for action in actions { try Self.refuse(action, outside: day, clock) }
        if count != record.progressCount || !actions.isEmpty {
          record.setProgress(count, actions: actions)
        }
        if let recording { record.recordingID = recording }
        try record.validate()
        try Self.refuseMissingRecording(of: record, db)
      }
    }
  }

  /// Logs a check-in for a habit to give up: without any use so far, it is then complete.
  ///
  /// An existing count stays.
  @discardableResult
  public func checkIn(
    _ id: UUID, on day: Day? = nil, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    let day = day ?? clock.today
    return try library.write { db in
      try change(id, on: day, isNew: true, at: clock, in: db) { _, habit in
        guard habit.habitType == .breaking else {
          throw RuleError(
            "\(habit.name.escapedForDisplay) is a habit to build: it is counted when it is done")
        }
      }
    }
  }

  /// Sets how hard a day was, from 1 to 5; `nil` removes it.
  @discardableResult
  public func rate(
    _ id: UUID, difficulty: Int?, on day: Day? = nil, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    try editRecord(id, on: day, at: clock) { $0.difficulty = difficulty }
  }

  /// Links a day to a recording; `nil` removes the link.
  @discardableResult
  public func link(
    _ id: UUID, to recording: RecordingID?, on day: Day, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    try editRecord(id, on: day, at: clock) { $0.recordingID = recording }
  }

  /// Deletes a habit's record of a day.
  ///
  /// After the last of several deletions, call `Library.compactIfSmall()`.
  ///
  /// - Throws: `HoldfastError` when nothing was logged.
  @discardableResult
  public func clear(
    _ id: UUID, on day: Day, clock: HabitClock = HabitClock()
  ) throws -> HabitOutcome {
    try library.write { db in
      let habit = try habit(id, db)
      guard let record = try record(of: habit, on: day, db) else {
        throw Self.nothingLogged(habit, day)
      }
      let isTakingBack = try revokesXP(replacing: record, with: nil, of: habit, db)
      return try settling(
        for: habit.userID, on: day, isTakingBack: isTakingBack, at: clock, db
      ) {
        try db.delete(HabitDay.self, id: record.id)
        return habit
      }
    }
  }

  /// Returns the logged days, newest first.
  ///
  /// - Parameters:
  ///   - habit: Only days of this habit.
  ///   - recording: Only days with this recording.
  ///   - limit: The most days to return.
  ///   - offset: How many to skip first.
  public func days(
    of habit: UUID? = nil, recording: RecordingID? = nil, limit: Int = .max, offset: Int = 0
  ) throws -> [HabitDay] {
    var conditions = ["1"]
    var arguments: [SQLValue] = []
    for (column, id) in [("habitId", habit), ("recordingId", recording)] {
      guard let id else { continue }
      conditions.append("\(column) = ?")
      arguments.append(.text(id.uuidString))
    }
    let order = recording == nil ? "day DESC, habitId DESC" : "day DESC, id"
    return try library.records(
      HabitDay.self,
      clause: "WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT ? OFFSET ?",
      arguments: arguments + [.integer(Int64(limit)), .integer(Int64(offset))])
  }
}

extension HabitTracker {
  /// Changes a habit's record of a day. If it is missing, it is made if `isNew`.
  private func change(
    _ id: UUID, on day: Day, isNew: Bool, at clock: HabitClock, in db: any RecordDatabase,
    _ body: (inout HabitDay, Habit) throws -> Void
  ) throws -> HabitOutcome {
    let habit = try habit(id, db)
    let old = try record(of: habit, on: day, db)
    // A user who flew over the date line may have logged a day that is ahead now.
    if isNew || old == nil { try Self.refuse(day, of: isNew ? habit : nil, clock) }
    guard isNew || old != nil else { return try unchanged(habit, on: day, at: clock, db) }
    var new =
      try old
      ?? HabitDay(
        habitID: id, day: day, goalCount: habit.goalCount,
        createdAt: Self.nextMoment(of: day, for: habit.userID, at: clock, db))
    try body(&new, habit)
    guard new != old else { return try unchanged(habit, on: day, at: clock, db) }
    let isTakingBack =
      try old.map { try revokesXP(replacing: $0, with: new, of: habit, db) } ?? false
    var outcome = try settling(
      for: habit.userID, on: day, isTakingBack: isTakingBack, at: clock, db
    ) {
      try save(new, replacing: old, at: clock, db)
      return habit
    }
    if let old, !new.actions.starts(with: old.actions) {
      outcome.removedMoments = max(0, old.actions.count - new.actions.count)
    }
    return outcome
  }

  /// Returns whether a change of a day's record, or its deletion, takes back the XP of the day.
  ///
  /// A record that was made after the day got its XP takes none back, as long as one that was made
  /// before is complete.
  private func revokesXP(
    replacing old: HabitDay, with new: HabitDay?, of habit: Habit, _ db: any RecordDatabase
  ) throws -> Bool {
    guard old.isTakenBack(by: new, of: habit.habitType) else { return false }
    return try db.rows(
      """
      SELECT 1 FROM (
        SELECT max(timestamp) AS earned FROM xpTransaction
        WHERE userId = :user AND day = :day AND amount > 0)
      WHERE earned < :made AND EXISTS (
        SELECT 1 FROM habitDay JOIN habit ON habit.id = habitId
        WHERE day = :day AND userId = :user AND habitDay.id <> :id
          AND habitDay.createdAt <= earned AND \(Self.isComplete))
      """,
      named: [
        "user": .text(habit.userID), "day": .text(old.day.description),
        "made": .date(old.createdAt), "id": .text(old.id.uuidString),
      ]
    ).isEmpty
  }

  /// Writes a record. If a list only grew, its old items are not written again: that would leave
  /// traces.
  private func save(
    _ new: HabitDay, replacing old: HabitDay?, at clock: HabitClock, _ db: any RecordDatabase
  ) throws {
    guard let old else { return try db.add(new, now: clock.now) }
    var new = new
    new.setEdited(at: clock.now)
    guard new.actions.starts(with: old.actions),
      [nil, new.recordingID].contains(old.recordingID)
    else { return try db.update(new) }
    try new.validate()
    try db.execute(
      """
      UPDATE habitDay SET progressCount = ?, goalCount = ?, difficulty = ?, recordingId = ?,
        modifiedAt = ?
      WHERE id = ?
      """,
      [
        .integer(Int64(new.progressCount)), .integer(Int64(new.goalCount)),
        new.difficulty.map { .integer(Int64($0)) } ?? .null,
        new.recordingID.map { .text($0.uuidString) } ?? .null,
        new.modifiedAt.map(SQLValue.date) ?? .null, .text(new.id.uuidString),
      ])
    for (position, action) in new.actions.enumerated().dropFirst(old.actions.count) {
      try db.execute(
        """
        INSERT INTO habitAction (habitDayId, position, timestamp, timestampOffset)
        VALUES (?, ?, ?, ?)
        """,
        [
          .text(new.id.uuidString), .integer(Int64(position)), .date(action.timestamp),
          .integer(Int64(action.timestampOffset)),
        ])
    }
  }

  /// After a change of a habit, sets the goal of today's record and of later ones.
  ///
  /// A person who flew over the date line may have logged a later day.
  func setGoal(
    of habit: Habit, changedFrom before: Habit, _ clock: HabitClock, _ db: any RecordDatabase
  ) throws {
    let days = try db.records(
      HabitDay.self, clause: "WHERE habitId = ? AND day >= ?",
      arguments: [.text(habit.id.uuidString), .text(clock.today.description)])
    for old in days {
      var new = old
      new.goalCount = old.goal(changing: before, to: habit)
      if new != old { try save(new, replacing: old, at: clock, db) }
    }
  }

  /// Changes parts of an existing record that do not affect its completion.
  private func editRecord(
    _ id: UUID, on day: Day?, at clock: HabitClock, _ body: (inout HabitDay) -> Void
  ) throws -> HabitOutcome {
    let day = day ?? clock.today
    return try library.write { db in
      let habit = try habit(id, db)
      guard let old = try record(of: habit, on: day, db) else {
        throw Self.nothingLogged(habit, day)
      }
      var new = old
      body(&new)
      guard new != old else { return try unchanged(habit, on: day, at: clock, db) }
      try Self.refuseMissingRecording(of: new, db)
      try save(new, replacing: old, at: clock, db)
      var outcome = try unchanged(habit, on: day, at: clock, db)
      outcome.isChanged = true
      return outcome
    }
  }

  private static func refuseMissingRecording(
    of record: HabitDay, _ db: any RecordDatabase
  ) throws {
    if let recording = record.recordingID, try !db.hasRecording(recording) {
      throw HoldfastError.gone(.recordings, recording)
    }
  }

  private static func nothingLogged(_ habit: Habit, _ day: Day) -> HoldfastError {
    HoldfastError(
      .noSuchRecord, "nothing is logged for \(habit.name.escapedForDisplay) on \(day)",
      record: HabitDay.declaration.kind)
  }

  /// - Throws: `RuleError` for an action in the future or on another day.
  private static func refuse(
    _ action: HabitAction, outside day: Day, _ clock: HabitClock
  ) throws(RuleError) {
    try Entry.validate(offset: action.timestampOffset)
    try Entry.validate(timestamp: action.timestamp, now: clock.now)
    guard action.day == day else {
      throw RuleError(
        "\(action.timestamp.localText(offset: action.timestampOffset)) is not on \(day); leave the "
          + "time out to count it for that day")
    }
  }

  /// - Throws: `RuleError` for a day that is in the future, or on which the habit does not appear.
  private static func refuse(
    _ day: Day, of habit: Habit?, _ clock: HabitClock
  ) throws(RuleError) {
    guard day <= clock.today else {
      throw RuleError("\(day) is in the future; log it when it is there")
    }
    guard let habit else { return }
    let history = HabitHistory(habit, completeDays: [Day]())
    guard !history.appears(on: day) else { return }
    let name = habit.name.escapedForDisplay
    if day < habit.startDay { throw RuleError("\(name) begins on \(habit.startDay), after \(day)") }
    if let endDay = habit.endDay, day > endDay {
      throw RuleError("\(name) ended on \(endDay), before \(day)")
    }
    let (before, after) = history.nearestDays(to: day)
    let nearest = [before, after].compactMap(\.self).map(\.description).joined(separator: " and ")
    throw RuleError(
      "\(name) does not appear on \(day) (\(habit.schedule.text)); the nearest days are \(nearest)")
  }
}
