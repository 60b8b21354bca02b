import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@testable import HoldfastHabits

@Suite("Habits: one day in two libraries")
struct DayUnionTests {
  @Test(
    "The union has no order and repeats nothing, and each moment of a goal above 1 stays in it",
    arguments: 1...200)
  func union(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let habit = UUID()
    let start = Date(timeIntervalSince1970: 1_760_000_000)
    let isEdited = seed % 2 == 0
    func version() throws -> HabitDay {
      var day = HabitDay(
        habitID: habit, day: try Day("2025-10-06"), goalCount: Int(seed % 3) + 1,
        createdAt: start)
      for _ in 0..<(random.next() % 4) {
        day.increment(
          at: HabitAction(
            start.addingTimeInterval(Double(random.next() % 3) * 3600),
            offset: [0, 120, -240][Int(random.next() % 3)]))
      }
      if isEdited {
        day.modifiedAt = [nil, 1800, 5400][Int(random.next() % 3)].map {
          start.addingTimeInterval($0)
        }
      } else if random.next() % 2 == 0 {
        day.increment(at: nil)
      }
      if random.next() % 2 == 0 { day.setDifficulty(Int(random.next() % 5) + 1) }
      return day
    }
    let days = [try version(), try version(), try version()]
    let both = days[0].union(days[1])
    #expect(both == days[1].union(days[0]))
    #expect(both.union(days[0]) == both)
    #expect(days[1].union(both) == both)
    if both.goalCount > 1 {
      #expect(both.union(days[2]) == days[0].union(days[1].union(days[2])))
      let moments = days[0...1].flatMap { day in
        // What an older version had before the later edit, that edit may have taken back.
        day.actions.map(\.timestamp).filter { moment in
          day.modifiedAt == both.modifiedAt || both.modifiedAt.map { moment > $0 } ?? false
        }
      }
      #expect(Set(both.actions.map(\.timestamp)) == Set(moments))
    }
    for day in days[0...1] where day.modifiedAt == both.modifiedAt {
      #expect(both.progressCount >= day.progressCount)
    }
    try both.validate()
  }
}
