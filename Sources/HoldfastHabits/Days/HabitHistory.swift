public import Holdfast

/// A habit with its complete days. States, streaks and rates follow from them.
public struct HabitHistory: Sendable {
  /// The habit.
  public let habit: Habit
  /// The numbers of the days on which it was complete.
  var completeDays: Set<Int>
  private let start: Int
  private let end: Int

  /// Makes a history.
  public init(_ habit: Habit, completeDays: some Sequence<Day>) {
    self.init(habit, completeDays: Set(completeDays.map(\.number)))
  }

  init(_ habit: Habit, completeDays: Set<Int>) {
    self.habit = habit
    self.completeDays = completeDays
    start = habit.startDay.number
    end = habit.endDay?.number ?? .max
  }

  /// Returns whether the habit appears on a day.
  ///
  /// A habit with a flexible schedule appears every day: the person chooses which days to use.
  public func appears(on day: Day) -> Bool { appears(day.number) }

  /// Returns whether the day is incomplete until the habit is done.
  ///
  /// A habit with a flexible schedule is required only when no slack is left in the week or the
  /// month.
  public func isRequired(on day: Day) -> Bool { marks(day.number).contains(.required) }

  /// Returns whether the habit was complete on a day on which it appears.
  public func isComplete(on day: Day) -> Bool { marks(day.number).contains(.complete) }

  /// Returns the nearest days before and after a day on which the habit appears.
  public func nearestDays(to day: Day) -> (before: Day?, after: Day?) {
    let number = day.number
    // No schedule has a longer gap.
    let gap = HabitScheduleType.everyNDays.counts?.upperBound ?? 0
    let last = min(number - 1, end)
    let first = max(number + 1, start)
    return (
      stride(from: last, to: max(last - gap, start - 1), by: -1).first(where: appears)
        .map(Day.init(number:)),
      (first...first + gap).first(where: appears).map(Day.init(number:))
    )
  }

  func appears(_ day: Int) -> Bool {
    guard day >= start, day <= end else { return false }
    switch habit.schedule {
    case .daily, .frequencyWeekly, .frequencyMonthly: return true
    case .everyNDays(let count): return count > 0 && (day - start) % count == 0
    case .specificWeekdays(let days): return days.contains(HabitWeekday(ofDayNumber: day))
    }
  }

  /// The marks of a day for a habit.
  struct Marks: OptionSet {
    let rawValue: UInt8
    static let appears = Marks(rawValue: 1)
    static let required = Marks(rawValue: 2)
    static let complete = Marks(rawValue: 4)
  }

  private func marks(_ day: Int) -> Marks {
    var result: Marks = []
    forEachDay(from: day, through: day) { result = $1 }
    return result
  }

  /// Calls `body` for each day of a range on which the habit appears.
  func forEachDay(from first: Int, through last: Int, _ body: (Int, Marks) -> Void) {
    let first = max(first, start)
    let last = min(last, end)
    guard first <= last else { return }
    guard habit.schedule.isFlexible else {
      for day in first...last where appears(day) {
        let isComplete = completeDays.contains(day)
        body(day, isComplete ? [.appears, .required, .complete] : [.appears, .required])
      }
      return
    }
    var day = first
    while day <= last {
      let period = period(of: day)
      forEachDay(of: period, from: day, through: min(last, period.upperBound), body)
      day = period.upperBound + 1
    }
  }

  /// Calls `body` for some days of a week or month, within the habit's first and last day.
  private func forEachDay(
    of period: ClosedRange<Int>, from first: Int, through last: Int, _ body: (Int, Marks) -> Void
  ) {
    let quota = min(habit.schedule.count ?? 0, period.count)
    var done = 0
    for day in period.lowerBound...last {
      let isComplete = completeDays.contains(day)
      if day >= first {
        let remaining = quota - done
        let left = period.upperBound - day + 1
        var marks: Marks = isComplete ? [.appears, .complete] : .appears
        if remaining > 0, remaining >= left { marks.insert(.required) }
        body(day, marks)
      }
      if isComplete { done += 1 }
    }
  }

  /// Returns the habit's days in the week or the month of one of them.
  private func period(of day: Int) -> ClosedRange<Int> {
    let whole: ClosedRange<Int>
    if habit.schedule.type == .frequencyWeekly {
      let monday = day - Day.daysAfterMonday(day)
      whole = monday...monday + 6
    } else {
      whole = Day.monthNumbers(of: day)
    }
    return max(whole.lowerBound, start)...min(whole.upperBound, end)
  }
}
