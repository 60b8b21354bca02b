import Foundation
import Holdfast
import HoldfastCravings
import HoldfastHabits
import HoldfastTestSupport
import Testing

/// The library in the test's own folder, with the journal enabled.
func openTracker(_ name: String = "library") throws -> Library {
  let location = LibraryLocation(path: "\(TemporaryFolder.current)/\(name)")
  try Library.create(at: location)
  let library = try Library.open(at: location, for: .writing, journals: [.cravings, .habits])
  try library.enableJournal("habits")
  return library
}

/// The sqlite3 program's answer.
func sqlite(_ statements: String, in name: String = "library") async throws -> String {
  try await Command.output(
    of: "sqlite3", ["-batch", "\(TemporaryFolder.current)/\(name)/catalog.sqlite", statements]
  ).output.trimmingCharacters(in: .newlines)
}

/// Whether the sqlite3 program refuses statements because of a constraint.
func sqliteRefuses(_ statements: String) async throws -> Bool {
  let result = try await Command.run(
    "sqlite3", ["-batch", "\(TemporaryFolder.current)/library/catalog.sqlite", statements])
  return result.status != 0 && result.errorOutput.contains("constraint failed")
}

/// The Monday on which the scenarios begin.
let monday = "2025-10-06"

/// The day this many days after that Monday.
func day(_ number: Int) -> Day { date(monday).adding(days: number) }

/// A day by its text.
func date(_ text: String) -> Day {
  guard let day = try? Day(text) else { preconditionFailure("\(text) is not a day") }
  return day
}

/// Noon in UTC on the day this many days after that Monday.
func clock(_ number: Int) -> HabitClock { clock("\(day(number))T12:00:00Z") }

/// A moment in UTC as the present.
func clock(_ text: String, offset: Int = 0) -> HabitClock {
  guard let moment = JSONFormat.date(text) else { preconditionFailure("\(text) is not a moment") }
  return HabitClock(moment, offset: offset)
}

/// A habit that begins on that Monday.
func habit(
  _ name: String = "Read", goal: Int = 1, on schedule: HabitSchedule = .daily,
  from start: Day? = nil, through end: Day? = nil
) -> Habit {
  var habit = Habit(
    name: name, goalCount: goal, goalUnit: "pages", schedule: schedule, startDay: start ?? day(0),
    createdAt: clock(0).now)
  habit.endDay = end
  return habit
}

/// A habit to give up, with a baseline of 10 and a goal of 5.
func smoking(baseline: Int? = 10) -> Habit {
  var habit = Habit(
    name: "Smoke", habitType: .breaking, goalCount: 5, goalUnit: "cigarettes", startDay: day(0),
    createdAt: clock(0).now)
  habit.baselineCount = baseline
  return habit
}

/// A calendar of habits with the numbers of the days on which they were complete.
func calendar(_ habits: (Habit, [Int])...) -> HabitCalendar {
  HabitCalendar(habits.map { HabitHistory($0.0, completeDays: $0.1.map(day)) })
}

extension HabitCalendar {
  /// The states of days, as letters: c, i, n.
  func states(_ days: ClosedRange<Int>) -> String {
    figures(from: day(days.lowerBound), through: day(days.upperBound))
      .map { String($0.state.rawValue.prefix(1)) }.joined()
  }
}

extension HabitStreak {
  /// The figures: current, longest, total.
  var figures: [Int] { [currentStreak, longestStreak, totalCompleteDays] }
}
