import Foundation
import Holdfast

extension AppModel {
  /// The app that keeps habits, in its older and newer form. Completions, difficulties and uses
  /// become the days of a habit, and notes a part of its description.
  static let habits = AppModel(
    "habits",
    entities: [
      "habit", "habitdata", "completion", "completionrecord", "dailyprogress", "difficulty",
      "difficultyrecord", "usagerecord", "habitnote", "xptransaction", "achievement",
      "userprogress", "userprogressdata",
    ],
    marks: [("habits", ["habittype", "name"]), ("completions", ["habitid", "iscompleted"])]
  ) { reading in
    var days = AppHabitDays()
    days.read(&reading)
    reading.each("habitdata", "habit", as: Habit.declaration.kind) { row, reading in
      days.readHabit(&row, &reading)
    }
    days.reportRest(in: &reading)
    reading.readRewards()
  } write: {
    $0.writeHabits()
  }
}

/// What an app keeps about the days of its habits, in tables of its own.
private struct AppHabitDays {
  private struct Figures {
    /// The counts by day; `nil` for a day that is complete without a count.
    var counts: [String: Int?] = [:]
    var difficulties: [String: AppValue] = [:]
    var uses: [String: AppValue] = [:]
    var notes: [String] = []
    var moments: [String: AppValue] = [:]
    /// Values of the day's record that the figures do not have.
    var own: [String: [String: AppValue]] = [:]
  }

  private var habits: [UUID: Figures] = [:]
  private static let longestDescription = 1999

  mutating func read(_ reading: inout AppReading) {
    var habits = habits
    let kind = HabitDay.declaration.kind
    let habit = { (row: inout AppRow, reading: inout AppReading) -> UUID? in
      let value = row.value("habitId", "habit")
      let id = reading.id(value, in: "habitdata") ?? reading.id(value, in: "habit")
      if id == nil { row.remark("habitId", "not the ID of a habit, left out") }
      return id
    }
    reading.each("completion", "completionrecord", "dailyprogress", as: kind) { row, reading in
      row.skip("userId", "completedAt", "userIdHabitIdDateKey")
      let own = row.ownValues()
      let moments = row.value("timestamps")
      let (date, key) = (row.value("date"), row.value("dateKey", "day"))
      let progress = row.value("progress", "progressCount").integer
      let isComplete = row.value("isCompleted", "isComplete").flag
      let difficulty = row.value("difficulty")
      guard let id = habit(&row, &reading) else { return }
      guard let day = (key.day ?? date.day)?.description else {
        return row.remark("date", "not a day, left out")
      }
      // An app that counts nothing says only that the day is complete.
      let count = progress ?? (isComplete == true ? nil : 0)
      habits[id, default: Figures()].counts[day] = .some(
        count == 0 && isComplete == true ? nil : count)
      if !difficulty.isNull { habits[id]?.difficulties[day] = difficulty }
      if moments.list?.isEmpty == false { habits[id]?.moments[day] = .list(moments.list ?? []) }
      habits[id]?.own[day] = own
    }
    reading.each("difficulty", "difficultyrecord", as: kind) { row, reading in
      row.skip("id", "createdAt", "userId")
      let (day, difficulty) = (row.value("date", "dateKey").day, row.value("difficulty"))
      guard let id = habit(&row, &reading), let day else { return }
      habits[id, default: Figures()].difficulties[day.description] = difficulty
    }
    reading.each("usagerecord", as: kind) { row, reading in
      row.skip("id", "createdAt", "userId")
      let (key, count) = (row.value("key", "dateKey", "date"), row.value("value", "amount"))
      guard let id = habit(&row, &reading) else { return }
      guard let day = key.day else { return row.remark("key", "not a day, left out") }
      habits[id, default: Figures()].uses[day.description] = count
    }
    reading.each("habitnote", as: kind) { row, reading in
      row.skip("id", "createdAt", "updatedAt", "userId")
      let content = row.words(of: "content")?.nonBlank
      guard let id = habit(&row, &reading), let content else { return }
      habits[id, default: Figures()].notes.append(content)
    }
    self.habits = habits
  }

  /// Reports what belongs to no habit that was read.
  func reportRest(in reading: inout AppReading) {
    let kind = HabitDay.declaration.kind
    for figures in habits.values {
      let days = Set(figures.counts.keys).union(figures.difficulties.keys).union(figures.uses.keys)
      for _ in days {
        reading.remark(kind, name: "habitId", what: "of a habit that was not imported, left out")
      }
      for note in figures.notes {
        reading.remark(
          Habit.declaration.kind, name: "habitNotes",
          what: "of a habit that was not imported, left out: \(note.cut(to: 80).escapedForDisplay)")
      }
    }
  }

  mutating func readHabit(_ row: inout AppRow, _ reading: inout AppReading) {
    var values: [String: AppValue] = [:]
    for name in [
      "name", "habitDescription", "icon", "color", "colorData", "habitType", "goal", "schedule",
      "target", "goalCount", "goalUnit", "baseline", "baselineCount", "baselineUnit", "startDate",
      "endDate", "createdAt",
      "userId", "reminders", "completionHistory", "completionTimestamps", "difficultyHistory",
      "actualUsage", "completionStatus",
    ] {
      let value = row.value(name)
      values[name] = value.unpacked ?? value
    }
    row.skip("streak", "isCompleted", "bestStreak", "currentStreak", "longestStreak", "syncStatus")
    let changed = row.value("modifiedAt", "updatedAt").moment?.date
    let recording = row.value("recordingId", "recording").uuid
    let (reminder, written) = (row.value("reminder"), row.value("id"))
    let id = written.uuid
    values["id"] = id.map { .text($0.uuidString) } ?? written
    if values["goal"]?.isNull == false { values["goalCount"] = .null }
    let stored = row.value("scheduleData")
    let data = stored.text.flatMap { Data(base64Encoded: $0) }.map { AppValue.bytes($0) }
    row.skip("scheduleType")
    for schedule in [values["schedule"], stored.unpacked, data?.unpacked].compactMap(\.self)
    where values["schedule"]?.text == nil {
      values["schedule"] = schedule.isNull ? .null : Self.schedule(schedule)
    }
    let goal =
      values["goalCount"]?.integer
      ?? (values["goal"]?.text).flatMap { try? GoalText($0) }?.count ?? 1
    let isBreaking = values["habitType"]?.text?.lowercased().contains("break") == true
    if isBreaking, values["baseline"]?.isNull == true, values["baselineCount"]?.isNull == true {
      values["baseline"] = .number(Double(goal + 1))
      row.remark("baseline", "missing, read as one more than the goal")
    }
    let figures = id.flatMap { habits.removeValue(forKey: $0) }
    if let figures {
      add(figures, goal: goal, isBreaking: isBreaking, to: &values, of: &row)
    }
    if let time = reminder.text.flatMap(Self.time) {
      values["reminders"] = .list([.object(["time": .text(time)])])
    } else if let text = reminder.text?.nonBlank, !text.lowercased().hasPrefix("no") {
      row.remark("reminder", "\(reminder.shown), not kept")
    }
    do throws(RuleError) {
      var old = try OldHabit(.object(values), user: Habit.defaultUser, clock: HabitClock())
      if let changed, changed > old.habit.createdAt { old.habit.modifiedAt = changed }
      old.habit.recordingID = recording
      reading.add(old, figures?.own ?? [:])
      for item in old.leftOut {
        row.remark("\(old.habit.name.cut(to: 40)), \(item.part)", "\(item.reason), left out")
      }
      for item in old.mismatches {
        row.remark("\(old.habit.name.cut(to: 40)), \(item.part)", item.reason)
      }
    } catch {
      reading.refuse(
        Habit.declaration.kind, id: values["name"]?.text ?? id?.uuidString, error.description)
    }
  }

  private func add(
    _ figures: Figures, goal: Int, isBreaking: Bool, to values: inout [String: AppValue],
    of row: inout AppRow
  ) {
    func merge(_ name: String, _ new: [String: AppValue]) {
      guard !new.isEmpty else { return }
      var all: [String: AppValue] = [:]
      if case .object(let own)? = values[name] { all = own }
      values[name] = .object(all.merging(new) { $1 })
    }
    let counts = figures.counts.mapValues { AppValue.number(Double($0 ?? (isBreaking ? 0 : goal))) }
    merge(isBreaking ? "actualUsage" : "completionHistory", counts)
    if isBreaking { merge("actualUsage", figures.uses) }
    merge("difficultyHistory", figures.difficulties)
    merge("completionTimestamps", figures.moments)
    guard !figures.notes.isEmpty else { return }
    let own = values["habitDescription"]?.text?.nonBlank
    let text = ([own].compactMap(\.self) + figures.notes.map { "Note: \($0)" })
      .joined(separator: "\n")
    values["habitDescription"] = .text(text.cut(to: Self.longestDescription))
    if text.count > Self.longestDescription {
      row.remark("habitNotes", "cut to \(Self.longestDescription) characters with the description")
    }
  }

  /// Returns the words of a schedule, which a newer app writes as an object with one key.
  private static func schedule(_ value: AppValue) -> AppValue {
    guard case .object(let object) = value, let (name, content) = object.first else { return value }
    let inner = content["_0"].isNull ? content : content["_0"]
    switch name {
    case "daily": return .text("daily")
    case "everyNDays": return .text("every \(inner.integer ?? 1) days")
    case "frequencyWeekly": return .text("\(inner.integer ?? 1) days a week")
    case "frequencyMonthly": return .text("\(inner.integer ?? 1) days a month")
    case "specificWeekdays":
      return .text((inner.list ?? []).compactMap(\.text).joined(separator: ", "))
    default: return .text(name)
    }
  }

  /// Returns a time of day such as `19:30` for one that may have AM or PM.
  private static func time(_ text: String) -> String? {
    guard let match = text.wholeMatch(of: /\s*([0-9]{1,2}):([0-9]{2})\s*([AaPp][Mm])?\s*/),
      var hour = Int(match.1)
    else { return nil }
    if let half = match.3?.lowercased() { hour = hour % 12 + (half == "pm" ? 12 : 0) }
    return "\(hour):\(match.2)"
  }
}

extension AppRow {
  /// Returns values of a day's record that only some apps have. With its moments, the row is one
  /// that Holdfast wrote, and its ID is the record's.
  fileprivate mutating func ownValues() -> [String: AppValue] {
    var own: [String: AppValue] = [:]
    if let goal = value("goalCount").integer, (1...Habit.largest).contains(goal) {
      own["goalCount"] = .number(Double(goal))
    }
    let (id, made, changed) = (value("id"), value("createdAt").date, value("updatedAt").date)
    let (actions, recording) = (value("actions"), value("recordingId"))
    guard actions.list != nil else { return own }
    own["id"] = id
    own["actions"] = actions
    own["createdAt"] = made.map { .text(JSONFormat.text($0)) }
    own["modifiedAt"] = changed.map { .text(JSONFormat.text($0)) }
    if !recording.isNull { own["recordingId"] = recording }
    return own
  }
}

extension AppReading {
  /// Adds a habit with its reminders and days.
  ///
  /// - Parameter own: Values of the days' records, by the day.
  fileprivate mutating func add(_ old: OldHabit, _ own: [String: [String: AppValue]]) {
    func json(_ value: some Encodable) -> [String: AppValue]? {
      guard let data = try? JSONFormat.encoder.encode(value),
        case .object(let values)? = try? JSONDecoder().decode(AppValue.self, from: data)
      else { return nil }
      return values
    }
    if let habit = json(old.habit) { add(habit, as: Habit.declaration.kind) }
    for reminder in old.reminders.compactMap(json) {
      add(reminder, as: HabitReminder.declaration.kind)
    }
    for day in old.days {
      guard let values = json(day) else { continue }
      add(
        values.merging(own[day.day.description] ?? [:]) { $1 }, as: HabitDay.declaration.kind)
    }
  }
}
