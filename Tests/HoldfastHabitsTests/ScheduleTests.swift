import Foundation
import Holdfast
import Testing

@testable import HoldfastHabits

@Suite("Habits: schedules, days and streaks")
struct ScheduleTests {
  @Test("1: Today is open, and a day that passed without a daily habit ends the run")
  func daily() {
    let calendar = calendar((habit(), Array(0...4)))
    let saturday = calendar.streak(on: day(5))
    #expect(saturday.figures == [5, 5, 5] && saturday.lastCompleteDate == day(4))
    #expect(calendar.streak(on: day(6)).figures == [0, 5, 5])
    // Also done on Saturday: today adds to the run.
    #expect(
      HabitCalendar([HabitHistory(habit(), completeDays: (0...5).map(day))])
        .streak(on: day(5)).figures == [6, 6, 6])
    #expect(calendar.streak(on: day(-1)) == HabitStreak())
    #expect(HabitCalendar([]).streak(on: day(0)) == HabitStreak())
  }

  @Test("2: Days on which nothing is due do not end a run")
  func weekdays() {
    let habit = habit(on: .specificWeekdays([.monday, .wednesday, .friday]))
    #expect(calendar((habit, [0, 2, 4, 7])).streak(on: day(7)).figures == [4, 4, 4])
    #expect(calendar((habit, [0, 2, 4, 7])).states(0...7) == "cncncnnc")
  }

  @Test("3: Three times a week is required only when no slack is left")
  func weekly() {
    let flexible = habit(on: .frequencyWeekly(3))
    #expect(calendar((flexible, [0, 1, 2])).states(0...6) == "cccnnnn")
    #expect(calendar((flexible, [0, 1, 2])).streak(on: day(6)).figures == [3, 3, 3])
    let late = calendar((flexible, [5, 6]))
    #expect(late.states(0...6) == "nnnnicc" && late.streak(on: day(6)).currentStreak == 2)
    let last = calendar((flexible, [4, 5, 6]))
    #expect(last.states(0...6) == "nnnnccc" && last.streak(on: day(6)).currentStreak == 3)
    let history = HabitHistory(flexible, completeDays: [day(4)])
    #expect([3, 4, 5, 6].map { history.isRequired(on: day($0)) } == [false, true, true, true])
    // The next week begins again.
    #expect(!history.isRequired(on: day(7)) && history.isRequired(on: day(11)))

    let daily = habit("Walk")
    let both = calendar((daily, Array(0...6)), (flexible, [1, 3, 6]))
    #expect(both.streak(on: day(6)).totalCompleteDays == 7)
    #expect(both.figures(of: day(0)).required == 1 && both.figures(of: day(6)).required == 2)

    let saturday = HabitHistory(habit(on: .frequencyWeekly(3), from: day(5)), completeDays: [Day]())
    #expect([5, 6, 7, 8].map { saturday.isRequired(on: day($0)) } == [true, true, false, false])
    // The last day also cuts the week.
    let short = HabitHistory(
      habit(on: .frequencyWeekly(3), through: day(1)), completeDays: [Day]())
    #expect([0, 1, 2].map { short.isRequired(on: day($0)) } == [true, true, false])
  }

  @Test("4: Five times a month without any is required on the last five days")
  func monthly() {
    let history = HabitHistory(habit(on: .frequencyMonthly(5)), completeDays: [Day]())
    let first = date("2026-02-01")
    let required = (0..<28).map { first.adding(days: $0) }.filter(history.isRequired)
    #expect(required.map(\.description) == (24...28).map { "2026-02-\($0)" })
    // The quota never exceeds the month.
    let whole = HabitHistory(habit(on: .frequencyMonthly(31)), completeDays: [Day]())
    #expect((0..<28).allSatisfy { whole.isRequired(on: first.adding(days: $0)) })
    #expect((0..<31).allSatisfy { whole.isRequired(on: date("2025-12-01").adding(days: $0)) })
  }

  @Test("5: Every three days, never before the start, and never after the end")
  func everyNDays() {
    let history = HabitHistory(habit(on: .everyNDays(3)), completeDays: [Day]())
    #expect((-3...9).filter { history.appears(on: day($0)) } == [0, 3, 6, 9])
    let ended = habit(on: .everyNDays(3), through: day(5))
    #expect(
      (0...9).filter { HabitHistory(ended, completeDays: [Day]()).appears(on: day($0)) } == [0, 3])
    // The streak of the others goes on.
    #expect(
      calendar((habit(), Array(0...9)), (ended, [0, 3])).streak(on: day(9)).currentStreak == 10)
    let near = history.nearestDays(to: day(4))
    #expect(near.before == day(3) && near.after == day(6))
    #expect(history.nearestDays(to: day(-9)).before == nil)
  }

  @Test("6: Each day of the week has its number, and the calendar agrees", arguments: 0...6)
  func weekdayNumbers(number: Int) throws {
    let names: [HabitWeekday] = [
      .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday,
    ]
    #expect(names[number].number == number + 1)
    #expect(try HabitWeekday(number: number + 1) == names[number])
    // 2025-10-05 was a Sunday.
    #expect(day(number - 1).weekday == names[number])
    let history = HabitHistory(
      habit(on: .specificWeekdays([names[number]]), from: day(-1)), completeDays: [Day]())
    #expect((-1...12).filter { history.appears(on: day($0)) } == [number - 1, number + 6])
  }

  @Test("6: A number outside 1 to 7 is not a weekday")
  func noWeekday() {
    for number in [0, 8, -1, .max] {
      #expect(throws: RuleError.self) { try HabitWeekday(number: number) }
    }
  }

  @Test("The days of a week go from Monday to Sunday, over years and leap days")
  func weeks() {
    #expect(day(6).week == (0...6).map(day) && day(0).week == (0...6).map(day))
    #expect(date("2024-03-01").week.first == date("2024-02-26"))
    #expect(date("2024-12-31").week.last == date("2025-01-05"))
    #expect(date("1900-01-01").weekday == .monday && date("2000-02-29").weekday == .tuesday)
    #expect(HabitCalendar([]).figures(of: date("0001-01-01")).day == date("0001-01-01"))
    #expect(date("9999-12-31").weekday == .friday && date("1969-12-31").weekday == .wednesday)
  }

  @Test("7: A habit to give up is complete while its count is at most the goal")
  func breaking() throws {
    let habit = smoking()
    func record(_ count: Int) -> HabitDay {
      var record = HabitDay(habitID: habit.id, day: day(0), goalCount: 5, createdAt: clock(0).now)
      record.setProgress(count)
      return record
    }
    #expect([3, 5, 6, 0].map { record($0).isComplete(.breaking) } == [true, true, false, true])
    #expect(
      [3, 5, 6, 0, 10, 12].map { record($0).completionPercentage(of: habit) }
        == [1, 1, 0.8, 1, 0, 0])
    #expect(record(6).isOverGoal && !record(5).isOverGoal)
    #expect(calendar((habit, [0, 1, 3])).states(0...4) == "ccici")
    #expect(calendar((habit, [0, 1, 3])).streak(on: day(4)).figures == [1, 2, 3])
    for baseline in [5, 4, 0, nil] {
      #expect(throws: RuleError.self) { try smoking(baseline: baseline).validate() }
    }
    try smoking(baseline: 6).validate()
    var reading = HoldfastHabitsTests.habit(goal: 4)
    #expect(record(3).completionPercentage(of: reading) == 0.6)
    #expect(record(9).completionPercentage(of: reading) == 1)
    reading.baselineCount = 9
    #expect(throws: RuleError.self) { try reading.validate() }
  }

  @Test("9: A day that is filled in later joins two runs")
  func backfilling() {
    let parts = [0, 1, 2, 4, 5]
    #expect(calendar((habit(), parts)).streak(on: day(5)).figures == [2, 3, 5])
    #expect(calendar((habit(), parts + [3])).streak(on: day(5)).figures == [6, 6, 6])
  }

  @Test("14: A rate counts what was due, and has no value where nothing was")
  func rates() {
    #expect(HabitCalendar([]).figures(of: day(0)).rate == nil)
    let flexible = habit("Swim", on: .frequencyWeekly(1))
    #expect(calendar((habit(), [0]), (habit("Walk"), [])).figures(of: day(0)).rate == 0.5)
    // Not required and not done: it does not count.
    #expect(calendar((habit(), [0]), (flexible, [])).figures(of: day(0)).rate == 1)
    #expect(calendar((flexible, [])).figures(of: day(0)).rate == nil)
    func rate(_ complete: Int, of due: Int) -> HabitRate {
      HabitRate(
        habit: UUID(), name: "", due: due, complete: complete, logged: complete,
        loggedComplete: complete)
    }
    #expect(!rate(1, of: 2).isStruggling() && rate(49, of: 100).isStruggling())
    #expect(!rate(0, of: 0).isStruggling() && rate(0, of: 0).rate == nil)
    #expect(rate(1, of: 4).rate == 0.25 && rate(1, of: 4).loggedRate == 1)
    // Today counts when it is complete.
    let history = HabitHistory(habit(), completeDays: [day(0), day(2)])
    #expect(history.counts(through: day(2)) == (3, 2) && history.counts(through: day(3)) == (3, 2))
    #expect(history.counts(through: day(4)) == (4, 2))
  }

  @Test("16: Days of 23 and of 25 hours count as one each, and midnight parts two days")
  func clocks() throws {
    #expect(HabitAction(clock("2025-10-06T21:59:00Z").now, offset: 120).day == day(0))
    #expect(HabitAction(clock("2025-10-06T22:01:00Z").now, offset: 120).day == day(1))
    for (first, days) in [("2025-03-29", 3), ("2025-10-25", 3)] {
      let start = date(first)
      let history = HabitHistory(
        habit(from: start), completeDays: (0..<days).map { start.adding(days: $0) })
      #expect(
        HabitCalendar([history]).streak(on: start.adding(days: 2)).figures == [days, days, days])
    }
  }

  @Test(
    "Levels begin at 300 · (L − 1)² XP",
    arguments: [
      (0, 1, 0, 300), (299, 1, 299, 300), (300, 2, 0, 900), (1199, 2, 899, 900),
      (1200, 3, 0, 1500), (2699, 3, 1499, 1500), (2700, 4, 0, 2100), (4799, 4, 2099, 2100),
      (4800, 5, 0, 2700), (7500, 6, 0, 3300), (30_000, 11, 0, 6300), (-5, 1, 0, 300),
    ])
  func levels(xp: Int, level: Int, within: Int, width: Int) {
    let answer = HabitLevel(totalXP: xp)
    #expect(answer.totalXP == max(xp, 0) && answer.currentLevel == level)
    #expect(answer.xpForCurrentLevel == within && answer.xpForNextLevel == width)
  }

  @Test(
    "The level of any number of XP holds them", arguments: [Int.max, Int.min, 1 << 40, 299_999])
  func anyLevel(xp: Int) {
    let level = HabitLevel(totalXP: xp)
    #expect(level.currentLevel >= 1 && (0..<level.xpForNextLevel).contains(level.xpForCurrentLevel))
  }
}
