import Foundation
import Holdfast

extension AppModel {
  /// The app that keeps habits, in its older and newer form. Completions, difficulties and uses
  /// become the days of a habit, and notes a part of its description.
  static let habits = AppModel(
    "habits",
    owner: .init(Habit.defaultUser, knownBy: ["habit", "habitdata"]) { db, id, person in
      try db.requireEnabled(Habit.self)
      return try db.rows(
        "SELECT userId FROM habit WHERE id = ? OR userId = ? ORDER BY id = ? DESC LIMIT 1",
        [.text(id.uuidString), .text(person), .text(id.uuidString)]
      ).first?["userId"].text
    },
    entities: [
      "habit", "habitdata", "completion", "completionrecord", "dailyprogress", "difficulty",
      "difficultyrecord", "usagerecord", "habitnote", "xptransaction", "achievement",
      "userprogress", "userprogressdata", "achievementdata", "reminder",
    ],
    marks: [
      ("habits", ["habittype", "name"]), ("completions", ["habitid", "iscompleted"]),
      ("dailyProgress", ["progresscount", "date"]), ("xpTransactions", ["amount", "reason"]),
      ("achievements", ["unlockedat", "xpawarded"]), ("userProgress", ["totalxp", "userid"]),
    ],
    nested: ["habit", "habitdata"].flatMap { habit -> [AppModel.Nested] in
      [
        .init("progressRecords", in: habit, of: "dailyProgress", naming: ("habitId", "id")),
        .init("completions", in: habit, of: "completions", naming: ("habitId", "id")),
        .init("notes", in: habit, of: "habitNotes", naming: ("habitId", "id")),
      ]
    }
      + ["userprogress", "userprogressdata"].flatMap { progress -> [AppModel.Nested] in
        [
          .init("achievements", in: progress, of: "achievements", naming: ("userId", "userId")),
          .init("xpTransactions", in: progress, of: "xpTransactions", naming: ("userId", "userId")),
        ]
      }
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

extension Habit {
  /// The app's notes are parts of the description, which stays as it was edited here.
  public func remark(whenKeptOver app: Habit) -> String? {
    let notes = "\n\(app.habitDescription)".split(
      separator: "\nNote: ", omittingEmptySubsequences: false)
    let missing = notes.dropFirst().filter { !habitDescription.contains($0) }
    return missing.isEmpty
      ? nil : "edited here, so notes of the app were not added: \(missing.joined(separator: "; "))"
  }
}

/// What an app keeps about the days of its habits, in tables of its own.
private struct AppHabitDays {
  private struct Figures {
    /// The counts by day.
    var counts: [String: Count] = [:]
    var difficulties: [String: (date: Date, value: AppValue)] = [:]
    var notes: [String] = []
    var reminders: [AppValue] = []
    var moments: [String: AppValue] = [:]
    /// Values of the day's record that the figures do not have.
    var own: [String: [String: AppValue]] = [:]
    /// When the app made or changed the day's rows.
    var dates: [String: [Date]] = [:]

    mutating func add(_ difficulty: AppValue, on day: String, at dates: [Date]) {
      let date = dates.max() ?? .distantPast
      if let other = difficulties[day], other.date > date { return }
      difficulties[day] = (date, difficulty)
    }

    /// Reports what belongs to a habit that was not imported.
    func report(days: Set<String>, in reading: inout AppReading) {
      let what = "of a habit that was not imported, left out"
      for _ in days { reading.remark(HabitDay.declaration.kind, name: "habitId", what: what) }
      for _ in reminders {
        reading.remark(HabitReminder.declaration.kind, name: "habitId", what: what)
      }
      for note in notes {
        reading.remark(
          Habit.declaration.kind, name: "habitNotes",
          what: "\(what): \(note.cut(to: 80).escapedForDisplay)")
      }
    }

    /// Returns the values of each day's record that the figures do not have.
    ///
    /// A day that Holdfast has written has its own dates. Any other one was made and changed when
    /// the app made its first row and changed its last one.
    func ownValues() -> [String: [String: AppValue]] {
      var own = own
      for (day, dates) in dates where own[day]?["actions"] == nil {
        guard let first = dates.min(), let last = dates.max() else { continue }
        own[day, default: [:]]["createdAt"] = .text(JSONFormat.text(first))
        if last > first { own[day]?["modifiedAt"] = .text(JSONFormat.text(last)) }
      }
      for (day, count) in counts where count.isOnlyComplete && own[day]?["actions"] == nil {
        own[day, default: [:]][AppCount.key] = .flag(false)
      }
      return own
    }
  }

  /// The count of a day, of all the app's rows of that day.
  private struct Count {
    var number = 0
    /// Whether the app gives a number.
    var isGiven = false
    /// Whether the app has the day as complete; `nil` if it does not say.
    var isComplete: Bool?
    /// Whether the app says only that the day is complete.
    var isOnlyComplete: Bool { number == 0 && isComplete == true }

    mutating func add(_ other: Int?, isComplete new: Bool? = nil) {
      number = max(number, other ?? 0)
      isGiven = isGiven || other != nil
      isComplete = new == true ? true : isComplete ?? new
    }
  }

  private var habits: [UUID: Figures] = [:]
  private var midnights = AppMidnights([:])
  private static let longestDescription = 1999
  /// The values of an older model with something for each day.
  private static let days = ["completionHistory", "difficultyHistory", "actualUsage"]

  mutating func read(_ reading: inout AppReading) {
    var habits = habits
    let midnights = reading.midnights(
      of: ["completion", "completionrecord", "dailyprogress"].map { ($0, "date") })
    self.midnights = midnights
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
      var dates = row.dates()
      let moments = row.value("timestamps")
      let (date, key) = (row.value("date"), row.value("dateKey", "dateString", "day"))
      let progress = row.value("progress", "progressCount")
      let isComplete = row.value("isCompleted", "isComplete")
      if progress.integer == nil { row.leaveOut("progress", progress) }
      if isComplete.flag == nil { row.leaveOut("isCompleted", isComplete) }
      if moments.list == nil { row.leaveOut("timestamps", moments) }
      let difficulty = row.value("difficulty")
      if dates.isEmpty, let moment = date.date { dates = [moment] }
      guard let id = habit(&row, &reading) else { return }
      guard let day = (key.day ?? midnights.day(date))?.description else {
        return row.remark("date", "not a day, left out")
      }
      var figures = habits.removeValue(forKey: id) ?? Figures()
      // Of several rows of one day, the larger count is the later one.
      figures.counts[day, default: Count()]
        .add(progress.integer, isComplete: isComplete.flag)
      if !difficulty.isNull { figures.add(difficulty, on: day, at: dates) }
      if moments.list?.isEmpty == false { figures.moments[day] = .list(moments.list ?? []) }
      figures.own[day, default: [:]].merge(own) { $1 }
      figures.dates[day, default: []] += dates
      habits[id] = figures
    }
    reading.each("difficulty", "difficultyrecord", as: kind) { row, reading in
      row.skip("id", "userId")
      let dates = row.dates()
      let (day, difficulty) = (
        midnights.day(at: row.value("date", "dateKey")), row.value("difficulty")
      )
      guard let id = habit(&row, &reading) else { return }
      guard let day = day?.description else { return row.remark("date", "not a day, left out") }
      habits[id, default: Figures()].add(difficulty, on: day, at: dates)
      habits[id]?.dates[day, default: []] += dates
    }
    reading.each("usagerecord", as: kind) { row, reading in
      row.skip("id", "userId")
      let dates = row.dates()
      let (key, count) = (row.value("key", "dateKey", "date"), row.value("value", "amount"))
      guard let id = habit(&row, &reading) else { return }
      guard let day = midnights.day(key)?.description else {
        return row.remark("key", "not a day, left out")
      }
      guard let number = count.integer, number >= 0 else {
        return row.remark("value", "\(count.shown), not kept")
      }
      var figures = habits.removeValue(forKey: id) ?? Figures()
      figures.counts[day, default: Count()].add(number)
      figures.dates[day, default: []] += dates
      habits[id] = figures
    }
    reading.each("habitnote", as: kind) { row, reading in
      row.skip("id", "createdAt", "updatedAt", "userId")
      let content = row.words(of: "content")?.nonBlank
      guard let id = habit(&row, &reading), let content else { return }
      habits[id, default: Figures()].notes.append(content)
    }
    reading.each("reminder", as: HabitReminder.declaration.kind) { row, reading in
      var reminder: [String: AppValue] = [:]
      for name in ["time", "isActive", "notificationIdentifier", "createdAt", "updatedAt"] {
        reminder[name] = row.value(name)
      }
      reminder["id"] = row.value("id").uuid.map { .text($0.uuidString) }
      row.skip("userId")
      guard let id = habit(&row, &reading) else { return }
      habits[id, default: Figures()].reminders.append(.object(reminder))
    }
    self.habits = habits
  }

  /// Reports what belongs to no habit that was read.
  func reportRest(in reading: inout AppReading) {
    for figures in habits.values {
      figures.report(
        days: Set(figures.counts.keys).union(figures.difficulties.keys), in: &reading)
    }
  }

  mutating func readHabit(_ row: inout AppRow, _ reading: inout AppReading) {
    var values: [String: AppValue] = [:]
    for name in ["name", "habitDescription", "icon"] {
      values[name] = row.words(of: name).map { .text($0) }
    }
    for name in [
      "color", "habitType", "goal", "schedule", "target", "goalCount", "goalUnit", "baseline",
      "baselineCount", "baselineUnit", "startDate", "endDate", "createdAt", "userId", "reminders",
      "completionHistory", "completionTimestamps", "difficultyHistory", "actualUsage",
      "completionStatus",
    ] {
      let value = row.value(name)
      values[name] = value.unpacked ?? value
    }
    for name in Self.days + ["completionTimestamps", "completionStatus"]
    where values[name]?.object == nil { row.leaveOut(name, values[name] ?? .null) }
    if let reminders = values["reminders"], reminders.list == nil {
      row.leaveOut("reminders", reminders)
    }
    for name in ["startDate", "endDate"] {
      guard let value = values[name], midnights.offset(of: value) != nil else { continue }
      values[name] = midnights.day(value).map { .text($0.description) }
    }
    let color = row.value("colorData")
    values["colorData"] = color.unpackedData ?? color
    row.skip("streak", "isCompleted", "bestStreak", "currentStreak", "longestStreak", "syncStatus")
    let changed = row.value("modifiedAt", "updatedAt").moment?.date
    let recording = row.value("recordingId", "recording").uuid
    let (reminder, written) = (row.value("reminder"), row.value("id"))
    let id = written.uuid
    values["id"] = id.map { .text($0.uuidString) } ?? written
    // A count with its unit says the same as the words, and more exactly.
    if values["goal"]?.isNull == false, values["goalUnit"]?.isNull != false {
      values["goalCount"] = .null
    }
    let data = row.value("scheduleData")
    row.skip("scheduleType")
    if data.unpackedData == nil { row.leaveOut("scheduleData", data) }
    values["schedule"] = (data.unpackedData ?? values["schedule"]).map(Self.schedule)
    let goal = (try? OldHabit.goal(.object(values)))?.count ?? 1
    let isBreaking = values["habitType"]?.text?.lowercased().contains("break") == true
    let baseline = [values["baseline"], values["baselineCount"]].compactMap(\.self)
      .first { !$0.isNull }
    if isBreaking, baseline?.integer.map({ $0 <= goal }) ?? (baseline == nil) {
      values["baseline"] = .number(Double(goal + 1))
      row.assume("baselineCount")
      row.remark(
        "baseline",
        (baseline.map { "\($0.shown), not more than the goal" } ?? "missing")
          + ", read as one more than the goal unless it is known here")
    }
    if OldHabit.color(values) == nil {
      row.assume("color")
      row.leaveOut("color", values["color"] ?? .null)
    }
    if values["createdAt"]?.isNull != false { row.assume("createdAt") }
    reading.assume(row.assumed, of: Habit.declaration.kind, values["id"])
    var figures = id.flatMap { habits.removeValue(forKey: $0) } ?? Figures()
    add(&figures, goal: goal, isBreaking: isBreaking, to: &values, of: &row)
    if !figures.reminders.isEmpty {
      values["reminders"] = .list((values["reminders"]?.list ?? []) + figures.reminders)
    }
    let time = reminder.text.flatMap(Self.time).flatMap { try? TimeOfDay($0) }
    if let time, values["reminders"]?.list?.isEmpty != false {
      values["reminders"] = .list([.object(["time": .text(time.description)])])
    }
    do throws(RuleError) {
      var old = try OldHabit(.object(values), user: Habit.defaultUser, clock: HabitClock())
      if let changed, changed > old.habit.createdAt { old.habit.modifiedAt = changed }
      old.habit.recordingID = recording
      let isKept = old.reminders.contains { $0.time == time }
      if !isKept, reminder.text?.lowercased().hasPrefix("no") != true {
        row.leaveOut("reminder", reminder)
      }
      reading.add(old, figures.ownValues())
      for _ in 0..<old.uncountedDays {
        reading.remark(
          HabitDay.declaration.kind, name: "progress",
          what: "missing for a habit to give up, left out")
      }
      for item in old.leftOut {
        row.remark("\(old.habit.name.cut(to: 40)), \(item.part)", "\(item.reason), left out")
      }
      for item in old.mismatches {
        row.remark("\(old.habit.name.cut(to: 40)), \(item.part)", item.reason)
      }
    } catch {
      reading.refuse(
        Habit.declaration.kind, id: values["name"]?.text ?? id?.uuidString, error.description)
      let days = Self.days.flatMap { values[$0]?.object?.keys.map(\.self) ?? [] }
      figures.report(days: Set(days), in: &reading)
    }
  }

  private func add(
    _ figures: inout Figures, goal: Int, isBreaking: Bool, to values: inout [String: AppValue],
    of row: inout AppRow
  ) {
    func merge(_ name: String, _ new: [String: AppValue]) {
      guard !new.isEmpty else { return }
      var all: [String: AppValue] = [:]
      if case .object(let own)? = values[name] { all = own }
      values[name] = .object(all.merging(new) { $1.isNull ? $0 : $1 })
    }
    var counts: [String: AppValue] = [:]
    for (day, count) in figures.counts.sorted(by: { $0.key < $1.key }) {
      var number = count.number
      let own = figures.own[day]?["goalCount"]?.integer
      // The app's flag means something else for a habit to give up.
      if !isBreaking, let isComplete = count.isComplete, isComplete != (number >= own ?? goal) {
        if count.isOnlyComplete {
          // An app that counts nothing says only that the day is complete.
          number = own ?? goal
        } else if isComplete, own == nil {
          // The goal was lower on that day. The app gives its goal of today to all days.
          figures.own[day, default: [:]]["goalCount"] = .number(Double(number))
        } else {
          let name = values["name"]?.text ?? ""
          row.remark("\(name.cut(to: 40)), day \(day)", OldHabit.mismatch(isComplete))
        }
      }
      // Silence is not success: a habit to give up has no use on a day only if the app says so.
      counts[day] = isBreaking && !count.isGiven ? .null : .number(Double(number))
    }
    merge(isBreaking ? "actualUsage" : "completionHistory", counts)
    merge("difficultyHistory", figures.difficulties.mapValues(\.value))
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

  /// Returns when the app made and changed the row.
  fileprivate mutating func dates() -> [Date] {
    [value("createdAt"), value("updatedAt")].compactMap(\.date)
  }
}
