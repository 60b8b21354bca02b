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
    if let number = words.first.flatMap({ ["once": 1, "twice": 2][$0] }) {
      count = number
      words.removeFirst()
    } else if let first = words.first, first.allSatisfy({ "0123456789".contains($0) }) {
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

  /// Reads a goal whose schedule may be known from elsewhere. Its own words for it need not be
  /// understood then.
  ///
  /// - Throws: `RuleError` for a text that is not a goal.
  init(_ text: String, schedule: HabitSchedule?) throws(RuleError) {
    do { try self.init(text) } catch {
      let words = Self.words(of: text).prefix { !Self.reserved.contains($0) }
      guard schedule != nil, text.utf8.count <= 400, words.count > 1,
        let goal = try? Self(words.joined(separator: " "))
      else { throw error }
      self = goal
    }
    self.schedule = schedule ?? self.schedule
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
    ["every", "each", "everyday", "daily", "day", "days", "week", "month", "on", "and", "per", "a"]
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
    // `10,000 steps` has one number, and `mon,wed` two days.
    text.lowercased().replacing(/([0-9]),([0-9]{3})(?![0-9])/) { $0.1 + $0.2 }
      .split { $0.isWhitespace || $0 == "," }.map(String.init)
  }

  /// Returns the schedule with which the words end, and how many words it has; `nil` for none.
  private static func scheduleAtEnd(
    of words: [String]
  ) throws(RuleError) -> (schedule: HabitSchedule, count: Int)? {
    var found = daysAtEnd(of: words) ?? weekdaysAtEnd(of: words)
    if var end = found {
      // The app writes both "per everyday" and "on every 3 days".
      while let word = words.dropLast(end.count).last,
        ["on", "per", "every", "each"].contains(word)
      {
        end.count += 1
      }
      found = end
    }
    try found?.schedule.validate()
    return found
  }

  private static func daysAtEnd(of words: [String]) -> (schedule: HabitSchedule, count: Int)? {
    let end = Array(words.suffix(4))
    guard let last = end.last else { return nil }
    let before = end.dropLast().last ?? ""
    let each = ["a", "per", "every", "each"]
    if ["everyday", "daily"].contains(last) { return (.daily, 1) }
    if last == "day", each.contains(before) { return (.daily, 2) }
    if let number = Int(before), ["day", "days"].contains(last), end.count >= 3,
      ["every", "each"].contains(end[end.count - 3])
    {
      return (.everyNDays(number), 3)
    }
    guard ["week", "month"].contains(last), each.contains(before) else { return nil }
    let rest = Array(end.dropLast(2))
    func often(_ number: Int, _ count: Int) -> (schedule: HabitSchedule, count: Int) {
      (last == "week" ? .frequencyWeekly(number) : .frequencyMonthly(number), count)
    }
    if let number = rest.last.flatMap({ ["once": 1, "twice": 2][$0] }) { return often(number, 3) }
    guard rest.count == 2, let number = Int(rest[0]),
      ["day", "days", "time", "times"].contains(rest[1])
    else { return nil }
    return often(number, 4)
  }

  private static func weekdaysAtEnd(
    of words: [String]
  ) -> (schedule: HabitSchedule, count: Int)? {
    var rest = words
    var days: [HabitWeekday] = []
    while let word = rest.last {
      if let meant = weekdays[word] {
        days += meant
      } else if days.isEmpty || !["and", "on", "every", "each"].contains(word) {
        break
      }
      rest.removeLast()
    }
    guard !days.isEmpty else { return nil }
    return (.specificWeekdays(Set(days).sorted()), words.count - rest.count)
  }
}
