import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@testable import HoldfastHabits

@Suite("Habits: one day in two libraries")
struct DayUnionTests {
  @Test("The union has no order, repeats nothing, and keeps every moment", arguments: 1...200)
  func union(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let habit = UUID()
    let start = Date(timeIntervalSince1970: 1_760_000_000)
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
      if random.next() % 2 == 0 { day.increment(at: nil) }
      if random.next() % 2 == 0 { day.setDifficulty(Int(random.next() % 5) + 1) }
      return day
    }
    let days = [try version(), try version(), try version()]
    let both = days[0].union(days[1])
    #expect(both == days[1].union(days[0]))
    #expect(both.union(days[0]) == both)
    #expect(days[1].union(both) == both)
    #expect(both.union(days[2]) == days[0].union(days[1].union(days[2])))
    let moments = Set(days[0...1].flatMap { $0.actions.map(\.timestamp) })
    #expect(Set(both.actions.map(\.timestamp)) == moments)
    #expect(both.progressCount >= max(days[0].progressCount, days[1].progressCount))
    try both.validate()
  }
}
