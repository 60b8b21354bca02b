import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastHabits

@Suite("Habits: what was earned stays", .temporaryFolder)
struct EarnedTests {
  /// A count and a goal, a new goal, and the day's goal after it.
  struct Change: CustomTestStringConvertible {
    var type: HabitType
    var count: Int
    var goal: Int
    var new: Int
    var expected: Int

    init(_ type: HabitType, _ count: Int, of goal: Int, to new: Int, _ expected: Int) {
      (self.type, self.count, self.goal) = (type, count, goal)
      (self.new, self.expected) = (new, expected)
    }

    var testDescription: String { "\(type) \(count) of \(goal), then \(new)" }
  }

  @Test(
    "A complete day keeps its goal if the new one is harder",
    arguments: [
      Change(.formation, 5, of: 5, to: 8, 5), Change(.formation, 9, of: 5, to: 8, 5),
      Change(.formation, 5, of: 5, to: 3, 3), Change(.formation, 3, of: 5, to: 8, 8),
      Change(.formation, 3, of: 5, to: 2, 2), Change(.formation, 5, of: 5, to: 5, 5),
      Change(.breaking, 5, of: 5, to: 3, 5), Change(.breaking, 0, of: 5, to: 3, 5),
      Change(.breaking, 5, of: 5, to: 8, 8), Change(.breaking, 6, of: 5, to: 3, 3),
      Change(.breaking, 6, of: 5, to: 8, 8),
    ])
  func goals(change: Change) {
    var before = habit(goal: change.goal)
    before.habitType = change.type
    var after = before
    after.goalCount = change.new
    var record = HabitDay(
      habitID: before.id, day: day(0), goalCount: change.goal, createdAt: clock(0).now)
    record.setProgress(change.count)
    #expect(record.goal(changing: before, to: after) == change.expected)
  }

  @Test("A complete day stays complete when its habit becomes one to give up")
  func types() {
    let before = habit(goal: 5)
    var after = before
    (after.habitType, after.goalCount) = (.breaking, 3)
    var record = HabitDay(habitID: before.id, day: day(0), goalCount: 5, createdAt: clock(0).now)
    record.setProgress(5)
    #expect(record.goal(changing: before, to: after) == 5)
  }

  @Test(
    "Only less progress, or a use over the limit, makes a complete day incomplete",
    arguments: [
      (HabitType.formation, 5, 4, true), (.formation, 5, nil, true), (.formation, 7, 5, false),
      (.formation, 4, 3, false), (.formation, 4, nil, false), (.formation, 4, 5, false),
      (.breaking, 5, 6, true), (.breaking, 0, nil, true), (.breaking, 6, 7, false),
      (.breaking, 6, 5, false), (.breaking, 3, 5, false),
    ] as [(HabitType, Int, Int?, Bool)])
  func takingBack(type: HabitType, old: Int, new: Int?, expected: Bool) {
    #expect(type.isTakenBack(5, from: old, to: new) == expected)
  }

  @Test("A habit that is added on a complete day begins on the next day that is not")
  func firstDay() {
    let read = habit()
    let cases: [(complete: [Int], end: Int?, expected: Int)] = [
      ([], nil, 0), ([0], nil, 1), ([-1], nil, 0), ([0, 1, 2], nil, 3), ([0], 0, 0), ([0], 1, 1),
      ([0, 1], 1, 1), ([0], -1, 0),
    ]
    for (complete, end, expected) in cases {
      let first = calendar((read, complete))
        .firstDay(ofHabitAddedOn: day(0), endingOn: end.map { day($0) })
      #expect(first == day(expected), "\(complete) to \(end.map { "\($0)" } ?? "no end")")
    }
    #expect(HabitCalendar([]).firstDay(ofHabitAddedOn: day(0)) == day(0))
    #expect(
      HabitCalendar([], earnedDays: [day(0)]).firstDay(ofHabitAddedOn: day(0)) == day(1))
  }

  @Test("A day that has its XP is complete, and adds to the streak, whatever the habits are now")
  func earnedDays() {
    let history = HabitHistory(habit(from: day(1)), completeDays: [day(3)])
    #expect(HabitCalendar([history]).states(0...3) == "niic")
    let earned = HabitCalendar([history], earnedDays: [day(0), day(2)])
    #expect(earned.states(0...3) == "cicc")
    #expect(earned.streak(on: day(3)).figures == [2, 2, 3])
    #expect(earned.byProgress.states(0...3) == "niic")
    #expect(HabitCalendar([], earnedDays: [day(0)]).streak(on: day(2)).figures == [1, 1, 1])
  }

  /// A change of a habit, by its name.
  struct Edit: CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout Habit) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout Habit) -> Void) {
      (testDescription, self.change) = (name, change)
    }
  }

  @Test(
    "No change of a habit removes a complete day, XP or the streak",
    arguments: [
      Edit("goal") { $0.goalCount = 9 }, Edit("unit") { $0.goalUnit = "minutes" },
      Edit("name") { $0.name = "Write" },
      Edit("weekdays") { $0.schedule = .specificWeekdays([.sunday]) },
      Edit("days") { $0.schedule = .everyNDays(2) },
      Edit("days a week") { $0.schedule = .frequencyWeekly(7) },
      Edit("days a month") { $0.schedule = .frequencyMonthly(31) },
      Edit("start") { $0.startDay = day(2) }, Edit("earlier") { $0.startDay = day(-1) },
      Edit("later") { $0.startDay = day(30) }, Edit("end") { $0.endDay = day(2) },
      Edit("ended") { $0.endDay = day(0) },
      Edit("type") { ($0.habitType, $0.baselineCount, $0.goalCount) = (.breaking, 10, 1) },
    ])
  func edits(edit: Edit) throws {
    let library = try openTracker()
    let (read, walk) = (habit(goal: 5), habit("Walk"))
    for habit in [read, walk] { try library.habits.add(habit, clock: clock(0)) }
    for number in 0...2 {
      for habit in [read, walk] {
        try library.habits.set(habit.id, to: 6, on: day(number), clock: clock(number))
      }
    }
    let before = try library.habits.streak(on: day(2))
    #expect(before.figures == [3, 3, 3])
    let outcome = try library.habits.edit(read.id, clock: clock(2), edit.change)
    #expect(outcome.xp == 0 && outcome.dayComplete && outcome.streak == before)
    // Further taps on the day undo nothing either.
    #expect(try library.habits.complete(walk.id, clock: clock(2)).xp == 0)
    try library.habits.delete(read.id)
    #expect(try library.habits.streak(on: day(2)) == before)
    #expect(try library.habits.level().totalXP == 150)
  }

  @Test("After a change of a habit, undo, set, clear and a use over the limit still remove XP")
  func takenBack() throws {
    let library = try openTracker()
    let (read, smoke) = (habit(goal: 2), smoking())
    for habit in [read, smoke] { try library.habits.add(habit, clock: clock(0)) }
    for number in 0...3 {
      try library.habits.set(read.id, to: 2, on: day(number), clock: clock(3))
      try library.habits.checkIn(smoke.id, on: day(number), clock: clock(3))
    }
    #expect(try library.habits.streak(on: day(3)).figures == [4, 4, 4])
    try library.habits.add(habit("Walk"), clock: clock(3))
    try library.habits.edit(read.id, clock: clock(3)) { $0.goalCount = 8 }
    try library.habits.edit(smoke.id, clock: clock(3)) { $0.goalCount = 1 }
    #expect(try library.habits.streak(on: day(3)).figures == [4, 4, 4])
    #expect(try library.habits.undo(read.id, on: day(0), clock: clock(3)).xp == -50)
    #expect(try library.habits.set(read.id, to: 1, on: day(1), clock: clock(3)).xp == -50)
    #expect(try library.habits.clear(smoke.id, on: day(2), clock: clock(3)).xp == -50)
    let limit = try library.habits.complete(smoke.id, times: 5, clock: clock(3))
    #expect(limit.xp == 0 && limit.dayComplete)
    let over = try library.habits.complete(smoke.id, clock: clock(3))
    #expect(over.becameIncomplete && over.xp == -50)
    #expect(over.streak.figures == [0, 0, 0] && over.progress.totalXP == 0)
  }

  @Test("Raising a goal west of the date line undoes neither today nor tomorrow")
  func dateLine() throws {
    let library = try openTracker()
    let read = habit(goal: 2)
    try library.habits.add(read, clock: clock(0))
    let east = clock("2025-10-07T10:00:00Z", offset: 840)
    for number in 0...2 {
      try library.habits.set(read.id, to: 2, on: day(number), clock: east)
    }
    let west = clock("2025-10-07T10:00:00Z", offset: -720)
    #expect(west.today == day(0))
    let edited = try library.habits.edit(read.id, clock: west) { $0.goalCount = 3 }
    #expect(edited.xp == 0 && edited.dayComplete)
    let added = try library.habits.add(
      habit("Walk", from: west.today), isStartChosen: false, clock: west)
    #expect(added.habit.startDay == day(3))
    #expect(try library.habits.streak(on: day(2)).figures == [3, 3, 3])
    #expect(try library.habits.level().totalXP == 150)
  }
}
