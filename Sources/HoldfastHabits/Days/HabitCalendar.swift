public import Holdfast

/// The habits of a person with their complete days. Complete days, the streak and the rates follow
/// from it; none of them is stored.
///
/// A day that has its XP is complete, whatever the habits are now. Only less progress undoes a day,
/// and takes back its XP.
public struct HabitCalendar: Sendable {
  /// The habits, whether they go on or have ended.
  public internal(set) var histories: [HabitHistory]
  /// The numbers of the days that have the XP of a complete day.
  var earnedDays: Set<Int>

  /// Makes a calendar of habits, and of the days that have the XP of a complete day.
  public init(_ histories: [HabitHistory], earnedDays: [Day] = []) {
    self.init(histories, earnedDays: Set(earnedDays.map(\.number)))
  }

  init(_ histories: [HabitHistory], earnedDays: Set<Int>) {
    self.histories = histories
    self.earnedDays = earnedDays
  }

  /// The calendar by progress alone, without XP.
  var byProgress: HabitCalendar { HabitCalendar(histories) }

  /// Returns whether a day is complete.
  public func state(of day: Day) -> HabitDayState { figures(of: day).state }

  /// Returns the first day of a habit that is added today and may begin on any day: the next day
  /// that is not complete, so that the habit does not undo a day.
  ///
  /// - Parameters:
  ///   - today: The day on which it is added.
  ///   - end: The habit's last day, which is not before its first one.
  public func firstDay(ofHabitAddedOn today: Day, endingOn end: Day? = nil) -> Day {
    var day = today
    while state(of: day) == .complete { day = day.adding(days: 1) }
    return max(today, min(day, end ?? day))
  }

  /// Returns the figures of a day.
  public func figures(of day: Day) -> HabitDayFigures {
    var figures = figures(from: day, through: day).first ?? HabitDayFigures(day: day)
    // The day of a number is always Gregorian, even for dates of an older calendar.
    figures.day = day
    return figures
  }

  /// Returns the figures of each day of a range.
  public func figures(from first: Day, through last: Day) -> [HabitDayFigures] {
    let range = first.number...max(first.number, last.number)
    return zip(range, counts(of: range)).map { number, counts in
      HabitDayFigures(
        day: Day(number: number), appearing: counts.appearing, required: counts.required,
        due: counts.due, complete: counts.complete, state: counts.state)
    }
  }

  /// Returns the streak on a day. The day is still open: it adds to the run if it is complete, and
  /// does not end the run otherwise.
  ///
  /// Days on which nothing was due neither add to a run nor end it.
  public func streak(on today: Day) -> HabitStreak {
    let today = today.number
    let firstDays = [histories.map(\.habit.startDay.number).min(), earnedDays.min()]
    guard let first = firstDays.compactMap(\.self).min(), first <= today else {
      return HabitStreak()
    }
    var streak = HabitStreak()
    var last: Int?
    for (day, counts) in zip(first...today, counts(of: first...today)) {
      switch counts.state {
      case .complete:
        streak.currentStreak += 1
        streak.totalCompleteDays += 1
        streak.longestStreak = max(streak.longestStreak, streak.currentStreak)
        last = day
      case .incomplete: if day < today { streak.currentStreak = 0 }
      case .neutral: break
      }
    }
    streak.lastCompleteDate = last.map(Day.init(number:))
    return streak
  }

  private struct Counts {
    var appearing = 0
    var required = 0
    var due = 0
    var complete = 0
    var isOpen = false
    var isEarned = false

    var state: HabitDayState {
      if isEarned { return .complete }
      if isOpen { return .incomplete }
      return required > 0 || complete > 0 ? .complete : .neutral
    }
  }

  private func counts(of days: ClosedRange<Int>) -> [Counts] {
    var counts = [Counts](repeating: Counts(), count: days.count)
    for day in earnedDays where days.contains(day) {
      counts[day - days.lowerBound].isEarned = true
    }
    for history in histories {
      history.forEachDay(from: days.lowerBound, through: days.upperBound) { day, marks in
        let index = day - days.lowerBound
        counts[index].appearing += 1
        if marks.contains(.required) {
          counts[index].required += 1
          if !marks.contains(.complete) { counts[index].isOpen = true }
        }
        if marks.contains(.complete) { counts[index].complete += 1 }
        if !marks.isDisjoint(with: [.required, .complete]) { counts[index].due += 1 }
      }
    }
    return counts
  }
}

/// The state of a day, over all habits.
public enum HabitDayState: String, Vocabulary {
  /// Every required habit is complete, and something was required or done; or that was so, and only
  /// the habits have changed since.
  case complete
  /// A required habit is not complete.
  case incomplete
  /// Nothing was required, and nothing was done.
  case neutral

  /// The name for one of the words: "state".
  public static var noun: String { "state" }
}

/// The figures of a day, over all habits of a person.
public struct HabitDayFigures: Codable, Hashable, Sendable {
  /// The day.
  public var day: Day
  /// How many habits appear.
  public var appearing = 0
  /// How many of them the day needs to be complete.
  public var required = 0
  /// How many count for ``rate``: the required ones, and others that were done.
  public var due = 0
  /// How many are complete.
  public var complete = 0
  /// Whether the day is complete.
  public var state = HabitDayState.neutral

  /// The share of the due habits that is complete, from 0 to 1; `nil` if none was due.
  public var rate: Double? { due > 0 ? Double(complete) / Double(due) : nil }
}

/// The streak of a person: how many days in a row were complete.
public struct HabitStreak: Codable, Hashable, Sendable {
  /// The number of complete days in a row, up to today.
  public var currentStreak = 0
  /// The largest number of complete days in a row.
  public var longestStreak = 0
  /// The number of complete days, in a row or not.
  public var totalCompleteDays = 0
  /// The last complete day; `nil` if there is none.
  public var lastCompleteDate: Day?

  /// Makes an empty streak.
  public init() {}
}
