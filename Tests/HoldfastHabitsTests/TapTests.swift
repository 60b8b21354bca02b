import Foundation
import Holdfast
import HoldfastHabits
import HoldfastTestSupport
import Testing

@Suite("Habits: taps and rewards", .temporaryFolder)
struct TapTests {
  @Test("8: A day gives its XP once, when it is complete, and removes them when it is not")
  func twoHabits() throws {
    let library = try openTracker()
    let (a, b) = (habit("A"), habit("B"))
    for habit in [a, b] { try library.habits.add(habit, clock: clock(0)) }
    let first = try library.habits.complete(a.id, clock: clock(0))
    #expect(first.isComplete && !first.dayComplete && first.xp == 0 && !first.becameComplete)
    #expect(first.achievements.map(\.achievementID) == ["first_habit"])

    let second = try library.habits.complete(b.id, clock: clock(0))
    #expect(second.xp == 50 && second.becameComplete && second.dayComplete && !second.levelUp)
    #expect(second.progress == HabitLevel(totalXP: 50) && second.streak.figures == [1, 1, 1])
    #expect(second.achievements.isEmpty)

    let again = try library.habits.complete(b.id, clock: clock(0))
    #expect(again.record?.progressCount == 2 && again.xp == 0 && !again.becameComplete)
    let still = try library.habits.undo(b.id, clock: clock(0))
    #expect(still.dayComplete && still.xp == 0 && still.removedMoments == 1)

    let undone = try library.habits.undo(b.id, clock: clock(0))
    #expect(undone.becameIncomplete && !undone.dayComplete && undone.xp == -50)
    #expect(undone.progress.totalXP == 0 && undone.streak == HabitStreak())
    let nothing = try library.habits.undo(b.id, clock: clock(0))
    #expect(!nothing.isChanged && nothing.xp == 0 && nothing.record?.progressCount == 0)
    let never = try library.habits.undo(b.id, on: day(-3), clock: clock(0))
    #expect(!never.isChanged && never.record == nil)
    #expect(try library.habits.transactions().map(\.amount).sorted() == [-50, 50])
    #expect(try library.habits.transactions().allSatisfy { $0.day == day(0) })
  }

  @Test("9: A day that is filled in later gives its own XP, and removes them when undone")
  func backfilling() throws {
    let library = try openTracker()
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    for number in [0, 1, 3] { try library.habits.complete(read.id, clock: clock(number)) }
    let joined = try library.habits.complete(read.id, on: day(2), clock: clock(3))
    #expect(joined.streak.figures == [4, 4, 4] && joined.xp == 50)
    // The time on that day is unknown.
    #expect(joined.record?.actions == [])
    #expect(try library.habits.transactions().contains { $0.day == day(2) && $0.amount == 50 })
    let parted = try library.habits.undo(read.id, on: day(2), clock: clock(3))
    #expect(parted.streak.figures == [1, 2, 3] && parted.xp == -50)
    #expect(parted.streak.lastCompleteDate == day(3))
    #expect(try library.habits.streak(on: day(3)) == parted.streak)
  }

  @Test("10: The XP are the sum of the transactions after any taps")
  func sums() async throws {
    let library = try openTracker()
    let habits = [habit("A", goal: 2), habit("B"), smoking()]
    for habit in habits { try library.habits.add(habit, clock: clock(0)) }
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<120 {
      let habit = habits[Int.random(in: 0..<3, using: &numbers)]
      let day = day(Int.random(in: 0...3, using: &numbers))
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: try library.habits.undo(habit.id, on: day, clock: clock(3))
      case 1:
        try library.habits.set(
          habit.id, to: Int.random(in: 0...7, using: &numbers), on: day, clock: clock(3))
      default: try library.habits.complete(habit.id, on: day, clock: clock(3))
      }
    }
    let sum = try await sqlite("SELECT coalesce(sum(amount), 0) FROM xpTransaction")
    let streak = try library.habits.streak(on: day(3))
    #expect(Int(sum) == streak.totalCompleteDays * 50)
    #expect(try library.habits.level().totalXP == streak.totalCompleteDays * 50)
    #expect(
      try await sqlite(
        "SELECT count(*) FROM (SELECT sum(amount) AS s FROM xpTransaction GROUP BY day "
          + "HAVING s NOT IN (0, 50))") == "0")
  }

  @Test("10: Removing more XP than there are removes all of them")
  func removing() throws {
    let library = try openTracker()
    try library.habits.addXP(400, reason: "a gift")
    #expect(try library.habits.level().currentLevel == 2)
    #expect(try library.habits.removeXP(1000, reason: "too much") == 400)
    #expect(try library.habits.removeXP(1, reason: "nothing left") == 0)
    #expect(try library.habits.level() == HabitLevel(totalXP: 0))
    #expect(try Set(library.habits.transactions().map(\.amount)) == [400, -400])
    #expect(throws: HoldfastError.self) { try library.habits.addXP(-1, reason: "no") }
    #expect(throws: HoldfastError.self) { try library.habits.addXP(1, reason: " ") }
    // A day that gave 50 XP, with 20 left, takes back only 20.
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    try library.habits.complete(read.id, clock: clock(0))
    try library.habits.removeXP(30, reason: "for once")
    #expect(try library.habits.undo(read.id, clock: clock(0)).xp == -20)
    #expect(try library.habits.level().totalXP == 0)
  }

  @Test("13: A new goal starts today, unless it is harder and today is complete")
  func goal() throws {
    let library = try openTracker()
    let read = habit(goal: 5)
    try library.habits.add(read, clock: clock(0))
    for number in 0...1 {
      #expect(try library.habits.set(read.id, to: 5, on: day(number), clock: clock(1)).xp == 50)
    }
    let edited = try library.habits.edit(read.id, clock: clock(1)) { $0.goalCount = 8 }
    #expect(edited.dayComplete && edited.xp == 0 && edited.keepsGoal)
    #expect(edited.streak.figures == [2, 2, 2])
    #expect(try library.habits.days(of: read.id).map(\.goalCount) == [5, 5])
    #expect(try !library.habits.set(read.id, to: 5, on: day(2), clock: clock(2)).dayComplete)
    let lower = try library.habits.edit(read.id, clock: clock(2)) { $0.goalCount = 4 }
    #expect(lower.becameComplete && lower.xp == 50 && !lower.keepsGoal)
    #expect(try library.habits.days(of: read.id).map(\.goalCount) == [4, 5, 5])
    // A harder goal holds at once on an incomplete day.
    try library.habits.set(read.id, to: 1, on: day(3), clock: clock(3))
    try library.habits.edit(read.id, clock: clock(3)) { $0.goalCount = 6 }
    #expect(try library.habits.days(of: read.id).map(\.goalCount) == [6, 4, 5, 5])
  }

  @Test("A habit that is added in the evening, or deleted, takes no XP back")
  func adding() throws {
    let library = try openTracker()
    let (a, b) = (habit("A"), habit("B"))
    try library.habits.add(a, clock: clock(0))
    try library.habits.complete(a.id, clock: clock(0))
    let added = try library.habits.add(b, clock: clock(0))
    #expect(added.dayComplete && !added.becameIncomplete && added.xp == 0)
    #expect(added.streak.figures == [1, 1, 1])
    #expect(try library.habits.complete(b.id, clock: clock(0)).xp == 0)
    let c = try library.habits.add(habit("C"), isStartChosen: false, clock: clock(0))
    #expect(c.habit.startDay == day(1) && c.dayComplete)
    try library.habits.delete(c.habit.id)
    // A deletion removes no XP.
    try library.habits.delete(a.id)
    try library.habits.delete(b.id)
    #expect(try library.habits.level().totalXP == 50)
    #expect(try library.habits.streak(on: day(0)).figures == [1, 1, 1])
  }

  @Test("7, 8.2: A check-in with 0 completes the day, silence does not, and a use undoes it")
  func checkIn() throws {
    let library = try openTracker()
    let (smoke, read) = (smoking(), habit())
    try library.habits.add(smoke, clock: clock(0))
    #expect(try library.habits.calendar().state(of: day(0)) == .incomplete)
    let checked = try library.habits.checkIn(smoke.id, clock: clock(0))
    #expect(checked.record?.progressCount == 0 && checked.dayComplete && checked.xp == 50)
    #expect(try library.habits.complete(smoke.id, times: 5, clock: clock(0)).dayComplete)
    #expect(try !library.habits.checkIn(smoke.id, clock: clock(0)).isChanged)
    let over = try library.habits.complete(smoke.id, clock: clock(0))
    #expect(over.becameIncomplete && over.xp == -50 && over.record?.isOverGoal == true)
    #expect(try library.habits.undo(smoke.id, clock: clock(0)).xp == 50)
    try library.habits.add(read, clock: clock(0))
    #expect(throws: HoldfastError.self) { try library.habits.checkIn(read.id, clock: clock(0)) }
    let cleared = try library.habits.clear(smoke.id, on: day(0), clock: clock(0))
    #expect(cleared.record == nil && !cleared.dayComplete)
    #expect(throws: HoldfastError.self) {
      try library.habits.clear(smoke.id, on: day(0), clock: clock(0))
    }
  }

  @Test("16: Taps at 23:59 and at 00:01 are two days, whatever the zone of the machine")
  func midnight() throws {
    let library = try openTracker()
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    let late = clock("2025-10-06T21:59:00Z", offset: 120)
    let early = clock("2025-10-06T22:01:00Z", offset: 120)
    #expect(try library.habits.complete(read.id, clock: late).day == day(0))
    let second = try library.habits.complete(read.id, clock: early)
    #expect(second.day == day(1) && second.streak.figures == [2, 2, 2])
    #expect(second.record?.actions == [HabitAction(early.now, offset: 120)])
    // Back over the date line, tomorrow's taps can still be undone, but none added.
    let west = clock("2025-10-06T23:00:00Z", offset: -600)
    #expect(throws: HoldfastError.self) {
      try library.habits.complete(read.id, on: day(1), clock: west)
    }
    #expect(try library.habits.undo(read.id, on: day(1), clock: west).xp == -50)
    #expect(throws: HoldfastError.self) {
      try library.habits.undo(read.id, on: day(2), clock: west)
    }
    // The night to Sunday 2025-10-26 has 25 hours, and the one to 2025-03-30 has 23.
    let before = HabitAction(clock("2025-10-25T23:30:00Z").now, offset: 120)
    let after = HabitAction(clock("2025-10-26T22:30:00Z").now, offset: 60)
    for action in [before, after] {
      let outcome = try library.habits.complete(
        read.id, at: action, clock: clock("2025-10-27T12:00:00Z"))
      #expect(outcome.day == date("2025-10-26"))
    }
  }

  @Test("A future day, a day on which the habit does not appear, and a wrong moment are refused")
  func refusals() throws {
    let library = try openTracker()
    let swim = habit("Swim", on: .specificWeekdays([.monday, .friday]), through: day(20))
    try library.habits.add(swim, clock: clock(0))
    func refusal(_ number: Int, at action: HabitAction? = nil, times: Int = 1) -> String {
      let error = #expect(throws: HoldfastError.self) {
        try library.habits.complete(
          swim.id, on: day(number), at: action, times: times, clock: clock(25))
      }
      return error?.description ?? ""
    }
    #expect(refusal(28).contains("2025-11-03 is in the future"))
    #expect(refusal(1).contains("the nearest days are 2025-10-06 and 2025-10-10"))
    #expect(refusal(-1).contains("begins on 2025-10-06"))
    #expect(refusal(21).contains("ended on 2025-10-26"))
    #expect(refusal(0, at: HabitAction(clock(1).now, offset: 0)).contains("is not on 2025-10-06"))
    #expect(refusal(0, times: 0).contains("1 to 1000"))
    #expect(refusal(0, times: 1001).contains("1 to 1000"))
    #expect(throws: HoldfastError.self) {
      try library.habits.complete(
        swim.id, at: HabitAction(clock(25).now + 60, offset: 0), clock: clock(25))
    }
    #expect(throws: HoldfastError.self) { try library.habits.complete(UUID(), clock: clock(0)) }
    #expect(throws: HoldfastError.self) {
      try library.habits.rate(swim.id, difficulty: 3, on: day(0), clock: clock(0))
    }
    #expect(try library.habits.days().isEmpty && library.habits.transactions().isEmpty)
  }

  @Test("A count is set with the given moments, and never exceeds its limit")
  func counts() throws {
    let library = try openTracker()
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    for _ in 0..<3 { try library.habits.complete(read.id, clock: clock(0)) }
    #expect(try !library.habits.set(read.id, to: 3, clock: clock(0)).isChanged)
    #expect(try library.habits.set(read.id, to: 7, clock: clock(0)).removedMoments == 3)
    let moment = HabitAction(clock(0).now, offset: 0)
    #expect(throws: HoldfastError.self) {
      try library.habits.set(read.id, to: 1, at: [moment, moment], clock: clock(0))
    }
    for count in [-1, 1_000_000_001, .max] {
      #expect(throws: HoldfastError.self) {
        try library.habits.set(read.id, to: count, clock: clock(0))
      }
    }
    try library.habits.set(read.id, to: 1_000_000_000, clock: clock(0))
    #expect(throws: HoldfastError.self) { try library.habits.complete(read.id, clock: clock(0)) }
    try library.habits.set(read.id, to: 0, clock: clock(0))
    let many = try library.habits.complete(read.id, times: 1000, clock: clock(0))
    #expect(many.record?.actions.count == 1000)
    let more = try library.habits.complete(read.id, clock: clock(0))
    #expect(more.record?.progressCount == 1001 && more.record?.actions.count == 1000)
  }

  @Test("Seven complete days unlock an achievement once; it is never taken back")
  func achievements() throws {
    let library = try openTracker()
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    for number in 0...4 {
      #expect(try !library.habits.complete(read.id, clock: clock(number)).levelUp)
    }
    // 300 XP: level 2 begins.
    let sixth = try library.habits.complete(read.id, clock: clock(5))
    #expect(sixth.levelUp && sixth.progress.currentLevel == 2)
    let week = try library.habits.complete(read.id, clock: clock(6))
    #expect(week.achievements.map(\.achievementID) == ["week_streak"])
    #expect(!week.levelUp)
    try library.habits.undo(read.id, clock: clock(6))
    #expect(try library.habits.complete(read.id, clock: clock(6)).achievements.isEmpty)
    #expect(
      try library.habits.achievements().map(\.achievementID) == ["week_streak", "first_habit"])
    let own = Achievement(
      achievementID: "marathon", title: "Marathon", text: "", unlockedAt: clock(6).now,
      xpAwarded: 100)
    #expect(try library.habits.unlock(own) && !library.habits.unlock(own))
    #expect(try library.habits.level().totalXP == 450)
    #expect(try library.habits.streak(on: day(6)).figures == [7, 7, 7])
  }

  @Test("Every figure is of one user")
  func users() throws {
    let library = try openTracker()
    let mine = habit()
    let hers = Habit(userID: "Ada", name: "Row", startDay: day(0), createdAt: clock(0).now)
    for habit in [mine, hers] { try library.habits.add(habit, clock: clock(0)) }
    #expect(try library.habits.complete(mine.id, clock: clock(0)).dayComplete)
    #expect(try library.habits.streak(of: "Ada", on: day(0)) == HabitStreak())
    #expect(try library.habits.level(of: "Ada").totalXP == 0)
    #expect(try library.habits.complete(hers.id, clock: clock(0)).xp == 50)
    #expect(
      try library.habits.level().totalXP == 50 && library.habits.level(of: "Ada").totalXP == 50)
    #expect(try library.habits.habits(of: nil).count == 2)
    #expect(try library.habits.achievements().count == 1)
  }
}
