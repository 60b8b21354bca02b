import Foundation
import Holdfast

extension AppWriting {
  /// Writes habits with their reminders, and their days as completions, difficulties and uses.
  mutating func writeHabits() {
    let reminders = Dictionary(
      grouping: self[HabitReminder.declaration.kind], by: { $0["habitId"]?.text ?? "" })
    var types: [String: HabitType] = [:]
    let days = Dictionary(
      grouping: self[HabitDay.declaration.kind], by: { $0["habitId"]?.text ?? "" })
    each(Habit.declaration.kind, as: "habits") { habit in
      let id = habit["id"].text ?? ""
      habit.setShippedValues(days[id] ?? [], reminders[id] ?? [])
      let type = habit["habitType"].text.flatMap(HabitType.init(rawValue:)) ?? .formation
      types[id] = type
      habit["habitType"] = .text(type.label)
      habit.setSchedule()
      habit.setColorData()
      habit.setMoment(ofDay: "startDay", to: "startDate")
      habit.setMoment(ofDay: "endDay", to: "endDate")
      habit.setUpdated()
      habit["reminders"] = .list(
        (reminders[id] ?? []).map { reminder in
          var reminder = AppElement(reminder)
          // Only the time of day has a meaning.
          let time = reminder["time"].text ?? ""
          reminder["time"] = AppElement.moment("2001-01-01", time)
          reminder["habitId"] = .null
          reminder.rename("modifiedAt", to: "updatedAt")
          return .object(reminder.values)
        })
    }
    writeDays(types)
    each(XPTransaction.declaration.kind, as: "xpTransactions") { transaction in
      transaction["isForDay"] = .flag(!transaction["day"].isNull)
    }
    each(Achievement.declaration.kind, as: "achievements") { $0.rename("text", to: "description") }
  }

  private mutating func writeDays(_ types: [String: HabitType]) {
    let days = self[HabitDay.declaration.kind].map(AppElement.init)
    let isBreaking = { (day: AppElement) in types[day["habitId"].text ?? ""] == .breaking }
    let part = { (day: AppElement, name: String) in
      var part = AppElement([:])
      let id = day["id"].text ?? ""
      part["id"] = .text(UUID(named: name, id).uuidString)
      for name in ["habitId", "createdAt"] { part[name] = day[name] }
      return part
    }
    let completions = days.map { day in
      var completion = day
      let type = types[day["habitId"].text ?? ""] ?? .formation
      let (goal, count) = (day["goalCount"].integer ?? 1, day["progressCount"].integer ?? 0)
      completion["isCompleted"] = .flag(type.isMet(goal, by: count))
      completion["progress"] = day["progressCount"]
      completion["timestamps"] = .list(
        (day["actions"].list ?? []).compactMap { action in
          action["timestamp"].text.map { .text($0.prefix(19) + "Z") }
        })
      completion["dateKey"] = day["day"]
      completion["dateString"] = day["day"]
      completion.setMoment(ofDay: "day", to: "date")
      completion["difficulty"] = .null
      completion.rename("modifiedAt", to: "updatedAt")
      return completion
    }
    add(completions, as: "completions")
    let difficulties = days.filter { !$0["difficulty"].isNull }.map { day in
      var difficulty = part(day, "difficulty")
      difficulty["difficulty"] = day["difficulty"]
      difficulty["date"] = AppElement.moment(day["day"].text ?? "", "00:00")
      return difficulty
    }
    add(difficulties, as: "difficulties")
    let uses = days.filter(isBreaking).map { day in
      var use = part(day, "use")
      use["key"] = day["day"]
      use["value"] = day["progressCount"]
      return use
    }
    add(uses, as: "usageRecords")
  }
}

extension AppElement {
  /// Gives a habit the values that the shipped app keeps and Holdfast derives: words for the goal,
  /// the schedule and the reminder, and what follows from the days.
  fileprivate mutating func setShippedValues(
    _ days: [[String: AppValue]], _ reminders: [[String: AppValue]]
  ) {
    guard let json = try? JSONFormat.encoder.encode(values),
      let habit = try? JSONFormat.decoder.decode(Habit.self, from: json)
    else { return }
    let on = habit.schedule.type == .specificWeekdays ? "on " : ""
    self["goal"] = .text("\(habit.goalCount) \(habit.goalUnit) \(on)\(habit.schedule.text)")
    self["schedule"] = .text(habit.schedule.text)
    let times = reminders.filter { $0["isActive"]?.flag == true }.compactMap { $0["time"]?.text }
    self["reminder"] = .text(times.min() ?? "")
    let complete = days.filter { day in
      habit.habitType.isMet(day["goalCount"]?.integer ?? 1, by: day["progressCount"]?.integer ?? 0)
    }.compactMap { $0["day"]?.day }
    let history = HabitHistory(habit, completeDays: complete)
    self["isCompleted"] = .flag(history.isComplete(on: Day()))
    let streak = HabitCalendar([history]).streak(on: Day()).currentStreak
    self["streak"] = .number(Double(streak))
  }

  /// Gives a habit its schedule as the app encodes it: `{"everyNDays":{"_0":3}}`.
  fileprivate mutating func setSchedule() {
    let type = self["scheduleType"].text ?? ""
    let count = self["scheduleCount"]
    let value = type == HabitScheduleType.specificWeekdays.rawValue ? self["weekdays"] : count
    let content: [String: AppValue] = value.isNull ? [:] : ["_0": value]
    let json = try? JSONFormat.encoder.encode(AppValue.object([type: .object(content)]))
    self["scheduleData"] = json.map { .bytes($0) } ?? .null
    self["scheduleCount"] = .null
    self["weekdays"] = .null
  }

  /// Gives a habit the parts of its colour. An app that cannot read them makes it blue.
  fileprivate mutating func setColorData() {
    let digits = Array(self["color"].text?.dropFirst() ?? "")
    let parts = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
      Int(String(digits[place...place + 1]), radix: 16).map { AppValue.number(Double($0) / 255) }
    }
    let json = try? JSONFormat.encoder.encode(AppValue.list(parts))
    self["colorData"] = json.map { .bytes($0) } ?? .null
  }
}
