import Foundation
import Holdfast
import HoldfastHabits
import HoldfastWeb

/// The fields of a habit, with their first values.
struct HabitFields: Sendable {
  var habit: Habit?
  var version: String?
  var goal: Int
  var unit: String
  var types: [Choice]
  var schedules: [Choice]
  var number: String
  var weekdays: [Choice]
  var start: String
  /// The start of a new habit if today is complete already.
  var later: String?
  var why: [RecordingChoice]
  var isNew: Bool

  init(_ habit: Habit?, in library: Library) throws {
    self.habit = habit
    version = habit?.version
    goal = habit?.goalCount ?? 1
    unit = habit?.goalUnit ?? "times"
    let type = habit?.habitType ?? .formation
    types = HabitType.allCases.map {
      Choice(
        $0.rawValue,
        $0 == .formation ? "Do it, at least this much" : "Do less of it, at most this much",
        isChosen: $0 == type)
    }
    let schedule = habit?.schedule ?? .daily
    schedules = HabitScheduleType.allCases.map {
      Choice($0.rawValue, Self.name($0), isChosen: $0 == schedule.type)
    }
    number = schedule.count.map { "\($0)" } ?? ""
    // A week begins on Monday.
    weekdays = (HabitWeekday.allCases.dropFirst() + [.sunday]).map {
      Choice(
        $0.rawValue, $0.rawValue.capitalized, isChosen: schedule.weekdays.contains($0))
    }
    let today = Day()
    let first = try habit?.startDay ?? library.habits.calendar().firstDay(ofHabitAddedOn: today)
    start = first.description
    later = habit == nil && first > today ? first.startWords(on: today) : nil
    why = try RecordingField.all(in: library, choosing: habit?.recordingID)
    isNew = habit == nil
  }

  private static func name(_ type: HabitScheduleType) -> String {
    switch type {
    case .daily: "Every day"
    case .everyNDays: "Every few days"
    case .specificWeekdays: "On certain weekdays"
    case .frequencyWeekly: "Some days a week, freely chosen"
    case .frequencyMonthly: "Some days a month, freely chosen"
    }
  }

  /// The template of the fields, inside a form whose values have them as `fields`.
  static let html = #"""
    {{#fields}}{{#version}}<input type="hidden" name="version" value="{{.}}">{{/version}}\#
    <label for="name">What it is</label>\#
    <input id="name" name="name" value="{{habit.name}}" maxlength="200" required>
    <fieldset><legend>Goal type</legend><div class="chips">{{#types}}\#
    <label class="chip"><input type="radio" name="type" value="{{value}}"{{#isChosen}} \#
    checked{{/isChosen}}><span>{{name}}</span></label>{{/types}}</div></fieldset>
    <div class="pair"><p><label for="goal">Goal on a day</label>\#
    <input type="number" id="goal" name="goal" value="{{goal}}" min="1" required></p>
    <p><label for="unit">Unit</label>\#
    <input id="unit" name="unit" value="{{unit}}" maxlength="40" list="units" required></p></div>
    <datalist id="units"><option>times</option><option>minutes</option><option>pages</option>\#
    <option>glasses</option><option>cigarettes</option></datalist>
    <div class="less"><p class="hint">The goal is the most that a day may have: 1 is the \#
    strictest.</p>
    <label for="baseline">How many it was on a day before</label>\#
    <input type="number" id="baseline" name="baseline" value="{{habit.baselineCount}}" min="1">\#
    </div>
    <details{{^isNew}} open{{/isNew}}><summary>More details (optional)</summary>
    <label for="schedule">On which days</label><select id="schedule" name="schedule">\#
    \#(Choice.options("schedules"))</select>
    <div class="counted"><label for="number">How many days</label>\#
    <input type="number" id="number" name="number" value="{{number}}" min="1" max="365"></div>
    <fieldset class="weekly"><legend>Weekdays</legend><div class="chips">{{#weekdays}}\#
    <label class="chip">\#
    <input type="checkbox" name="weekday" value="{{value}}"{{#isChosen}} checked{{/isChosen}}>\#
    <span>{{name}}</span></label>{{/weekdays}}</div></fieldset>
    <label for="start">First day</label>\#
    <input type="date" id="start" name="start" value="{{start}}">
    <label for="icon">Emoji</label>\#
    <input id="icon" name="icon" value="{{habit.icon}}" maxlength="40">
    <label for="about">What it is about</label>\#
    <textarea id="about" name="about" rows="2" \#
    maxlength="2000">{{habit.habitDescription}}</textarea>
    \#(RecordingField.html("The recording that says why", name: "why", list: "why"))
    </details>{{/fields}}
    """#
}

extension Form {
  /// Applies the fields of a habit. A text that is not a number, day or known word throws
  /// `RuleError`.
  func fill(_ habit: inout Habit) throws {
    try expect(habit.version)
    habit.name = self["name"] ?? ""
    habit.goalCount = try whole("goal", "the goal") ?? 1
    habit.goalUnit = self["unit"] ?? "times"
    habit.habitDescription = self["about"] ?? ""
    habit.icon = self["icon"] ?? ""
    habit.habitType = try self["type"].map(HabitType.init(named:)) ?? .formation
    let baseline = try whole("baseline", "how many it was before")
    habit.baselineCount = habit.habitType == .breaking ? baseline : nil
    habit.baselineUnit = habit.baselineCount == nil ? nil : habit.baselineUnit ?? habit.goalUnit
    let type = try self["schedule"].map(HabitScheduleType.init(named:)) ?? .daily
    let number = try whole("number", "how many days")
    if type.counts != nil, number == nil {
      throw RuleError("how many days is missing; write a number such as 3")
    }
    habit.schedule = try HabitSchedule(
      type, count: type.counts == nil ? nil : number,
      weekdays: type == .specificWeekdays
        ? Set(try all("weekday").map(HabitWeekday.init(named:))).sorted() : [])
    if let start = self["start"] { habit.startDay = try Day(start) }
    habit.recordingID = self["why"].flatMap(UUID.init(uuidString:))
  }
}
