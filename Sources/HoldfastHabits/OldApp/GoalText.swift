import Holdfast

/// The goal of a habit as the old app wrote it: `5 times everyday`.
struct GoalText: Equatable {
  var count = 1
  var unit = "times"
  var schedule = HabitSchedule.daily

  init(count: Int, unit: String) {
    self.count = count
    self.unit = unit
  }

  /// Reads a goal: a number, a unit and a schedule, in words. The default number is 1, and the
  /// default schedule is every day.
  ///
  /// - Throws: `RuleError` for a text that is not a goal.
  init(_ text: String) throws(RuleError) {
    let shown = "the goal \"\(text.cut(to: 80).escapedForDisplay)\""
    // A long text is not a goal.
    guard text.utf8.count <= 400 else { throw RuleError("\(shown) is too long") }
    var words = Self.words(of: text)
    guard !words.isEmpty else { throw RuleError("the goal is empty") }
    if let (schedule, count) = try Self.scheduleAtEnd(of: words) {
      self.schedule = schedule
      words.removeLast(count)
    }
    if let first = words.first, first.allSatisfy({ "0123456789".contains($0) }) {
      guard let number = Int(first), (1...Habit.largest).contains(number) else {
        throw RuleError("\(shown) has the number \(first); it goes from 1 to \(Habit.largest)")
      }
      count = number
      words.removeFirst()
    }
    let isUnit = words.allSatisfy { word in
      !Self.reserved.contains(word) && !word.contains(where: \.isNumber) && !word.hasPrefix("-")
    }
    guard isUnit else {
      throw RuleError("\(shown) cannot be read; write it like \"5 times everyday\"")
    }
    if !words.isEmpty { unit = words.joined(separator: " ") }
  }

  /// Reads the words of a schedule by themselves.
  static func schedule(_ text: String) throws(RuleError) -> HabitSchedule {
    let words = words(of: text)
    guard text.utf8.count <= 400, let (schedule, count) = try scheduleAtEnd(of: words),
      count == words.count
    else {
      throw RuleError("the schedule \"\(text.cut(to: 80).escapedForDisplay)\" cannot be read")
    }
    return schedule
  }

  /// Words of a schedule, which a unit may not contain.
  private static let reserved = Set(
    ["every", "everyday", "daily", "day", "days", "week", "month", "on", "and", "per", "a"]
      + weekdays.keys)

  /// The words for weekdays, and the days that they mean.
  private static let weekdays: [String: [HabitWeekday]] = {
    let workdays: [HabitWeekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    var words: [String: [HabitWeekday]] = [
      "weekday": workdays, "weekdays": workdays, "weekend": [.saturday, .sunday],
      "weekends": [.saturday, .sunday], "tues": [.tuesday], "thur": [.thursday],
      "thurs": [.thursday],
    ]
    for day in HabitWeekday.allCases {
      for word in [day.rawValue, day.rawValue + "s", String(day.rawValue.prefix(3))] {
        words[word] = [day]
      }
    }
    return words
  }()

  private static func words(of text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
  }

  /// Returns the schedule with which the words end, and how many words it has; `nil` for none.
  private static func scheduleAtEnd(
    of words: [String]
  ) throws(RuleError) -> (schedule: HabitSchedule, count: Int)? {
    var found: (schedule: HabitSchedule, count: Int)?
    let end = Array(words.suffix(4))
    if ["everyday", "daily"].contains(end.last) { found = (.daily, 1) }
    if [["every", "day"], ["per", "day"]].contains(Array(end.suffix(2))) {
      found = (.daily, 2)
    }
    if end.count >= 3, end[end.count - 3] == "every", let number = Int(end[end.count - 2]),
      ["day", "days"].contains(end.last)
    {
      found = (.everyNDays(number), 3)
    }
    if end.count == 4, let number = Int(end[0]), ["day", "days", "time", "times"].contains(end[1]),
      ["a", "per"].contains(end[2])
    {
      if end[3] == "week" { found = (.frequencyWeekly(number), 4) }
      if end[3] == "month" { found = (.frequencyMonthly(number), 4) }
    }
    if found == nil { found = weekdaysAtEnd(of: words) }
    try found?.schedule.validate()
    return found
  }

  private static func weekdaysAtEnd(
    of words: [String]
  ) -> (schedule: HabitSchedule, count: Int)? {
    var rest = words
    var days: [HabitWeekday] = []
    while let word = rest.last {
      if let meant = weekdays[word] {
        days += meant
      } else if word != "and" || days.isEmpty {
        break
      }
      rest.removeLast()
    }
    guard !days.isEmpty else { return nil }
    if ["on", "every"].contains(rest.last) { rest.removeLast() }
    return (.specificWeekdays(Set(days).sorted()), words.count - rest.count)
  }
}
