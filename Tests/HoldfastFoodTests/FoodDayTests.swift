import Foundation
import Holdfast
import HoldfastFood
import HoldfastTestSupport
import Testing

@Suite("Food: days", .temporaryFolder)
struct FoodDayTests {
  private func total(_ library: Library, _ day: String = "2025-11-03") throws -> FoodDayTotal {
    try library.food.total(of: Day(day))
  }

  @Test("3: The sums of a day follow its entries")
  func sums() async throws {
    let library = try openDiary()
    var ids: [UUID] = []
    for (calories, confidence) in [(100.0, 0.9), (200, 0.5), (50, 1)] {
      let entry = try meal(calories: calories, confidence: confidence)
      try library.food.log(entry)
      ids.append(entry.id)
    }
    var day = try total(library)
    #expect(day.totalCalories == 350 && day.entryCount == 3 && day.hasEntries)
    #expect(abs(day.averageConfidence - 0.8) < 1e-12)
    #expect(day.totalProtein == 12 && day.totalCarbohydrates == 60 && day.totalFat == 9)

    try library.delete(FoodEntry.self, id: ids[1])
    day = try total(library)
    #expect(day.totalCalories == 150 && day.entryCount == 2 && day.averageConfidence == 0.95)

    try library.food.attach(id: ids[2], false)
    day = try total(library)
    #expect(day.totalCalories == 100 && day.entryCount == 1 && day.averageConfidence == 0.9)
    #expect(try library.food.entries().count == 2)

    let attached = try library.food.attach(id: ids[2])
    #expect(try library.food.attach(id: ids[2]) == attached)
    day = try total(library)
    #expect(day.totalCalories == 150 && day.entryCount == 2)

    try library.delete(FoodEntry.self, id: ids[0])
    try library.delete(FoodEntry.self, id: ids[2])
    day = try total(library)
    #expect(day.totalCalories == 0 && day.entryCount == 0 && day.averageConfidence == 0)
    #expect(!day.hasEntries)
    #expect(try await sqlite("SELECT day FROM foodDay") == "2025-11-03")
    // Reading a day does not create it.
    #expect(try total(library, "2025-11-09").entryCount == 0)
    #expect(try await sqlite("SELECT count(*) FROM foodDay") == "1")
  }

  @Test("4: A change of an entry's figures or of its time changes the sums of both days")
  func edits() throws {
    let library = try openDiary()
    let entry = try meal(calories: 100)
    try library.food.log(entry)
    try library.food.edit(id: entry.id) { $0.calories = 120 }
    #expect(try total(library).totalCalories == 120)
    try library.food.edit(id: entry.id) {
      $0.timestamp = try moment("2025-11-04 00:00").addingTimeInterval(-0.001)
    }
    #expect(try total(library).totalCalories == 120)
    try library.food.edit(id: entry.id) { $0.timestamp = try moment("2025-11-04 00:00") }
    #expect(try total(library).entryCount == 0)
    #expect(try total(library, "2025-11-04").totalCalories == 120)
    // An entry outside every day stays outside.
    try library.food.attach(id: entry.id, false)
    try library.food.edit(id: entry.id) { $0.timestamp = try moment("2025-11-05 00:00") }
    #expect(try library.food.totals().map(\.entryCount) == [0, 0])
  }

  @Test("5: A day is that of the clock where the entry was logged")
  func zones() async throws {
    let library = try openDiary()
    try library.food.log(meal("east", at: "2025-11-03 23:30", offset: 60))
    try library.food.log(meal("west", at: "2025-11-03 23:30", offset: -60))
    #expect(
      try await sqlite("SELECT foodName, day FROM foodEntry ORDER BY foodName")
        == "east|2025-11-04\nwest|2025-11-03")
    #expect(
      try await sqliteRefuses("UPDATE foodEntry SET day = '2025-11-03' WHERE foodName = 'east'"))
    for (text, isDay) in [
      ("2025-02-30", false), ("2025-2-3", false), ("20250203", false), ("2024-02-29", true),
    ] {
      let sql = """
        INSERT INTO foodDay (day, id, createdAt) VALUES (
          '\(text)', '\(UUID())', '2025-11-03 12:00:00.000')
        """
      if isDay { _ = try await sqlite(sql) } else { #expect(try await sqliteRefuses(sql)) }
      #expect((try? Day(text)) != nil || !isDay)
    }
    for text in ["2025-02-30", "2025-2-3", "20250203", "", "today"] {
      #expect(throws: RuleError.self) { try Day(text) }
    }
  }

  @Test(
    "6: A day of 23 or of 25 hours is one day",
    arguments: [
      ("2025-03-30", "2025-03-29 23:30", 60, "2025-03-30 21:30", 120),
      ("2025-10-26", "2025-10-25 22:30", 120, "2025-10-26 22:30", 60),
    ])
  func clockChanges(day: String, first: String, firstOffset: Int, last: String, lastOffset: Int)
    throws
  {
    // 00:30 and 23:30 in Berlin.
    let library = try openDiary()
    try library.food.log(meal(at: first, offset: firstOffset))
    try library.food.log(meal(at: last, offset: lastOffset))
    #expect(try library.food.totals().map(\.day.description) == [day])
    #expect(try total(library, day).entryCount == 2)
  }

  @Test("7: Several tasks that log the first entry of a day at once make one day")
  func together() async throws {
    _ = try openDiary()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let library = try openDiary()
          for _ in 0..<5 { try library.food.log(meal("\(number)")) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await sqlite("SELECT count(*) FROM foodDay") == "1")
    #expect(try total(openDiary()).entryCount == 20)
  }

  @Test("8: Deleting a record deletes what belongs to it, and nothing else")
  func deleting() async throws {
    let library = try openDiary()
    try library.food.add(ingredient())
    for (name, time) in [
      ("a", "2025-11-03 00:00"), ("b", "2025-11-03 23:59"), ("c", "2025-11-04 00:00"),
    ] {
      try library.food.log(meal(name, at: time, ingredient: "bread"))
    }
    #expect(try library.food.delete(Day("2025-11-03")) == 2)
    #expect(try library.food.entries().map(\.foodName) == ["c"])
    #expect(throws: HoldfastError.self) { try library.food.delete(Day("2025-11-03")) }
    try library.delete(Ingredient.self, id: "bread")
    let entry = try #require(try library.food.entries().first)
    #expect(entry.matchedIngredientID == nil && entry.calories == 100)
    #expect(try await sqlite("SELECT count(*) FROM foodDay") == "1")
  }

  @Test("15: The sums come from one covering index, and the lists are not sorted")
  func plans() async throws {
    let library = try openDiary()
    try library.food.log(meal())
    func plan(_ sql: String) async throws -> String {
      try await sqlite("EXPLAIN QUERY PLAN \(sql)")
    }
    let day = try await plan(
      """
      SELECT total(calories), total(protein), total(carbohydrates), total(fat), count(day),
      avg(confidence) FROM foodEntry WHERE day = '2025-11-03'
      """)
    #expect(day.contains("COVERING INDEX foodEntry_day"))
    let days = try await plan(
      """
      SELECT foodDay.day, total(calories), total(protein), total(carbohydrates), total(fat),
      count(foodEntry.day), coalesce(avg(confidence), 0)
      FROM foodDay LEFT JOIN foodEntry ON foodEntry.day = foodDay.day AND foodEntry.day IS NOT NULL
      WHERE foodDay.day BETWEEN '2025-10-28' AND '2025-11-03'
      GROUP BY foodDay.day ORDER BY foodDay.day DESC
      """)
    #expect(
      days.contains("COVERING INDEX foodEntry_day") && !days.contains("TEMP B-TREE"), "\(days)")
    for (clause, index) in [
      ("ORDER BY timestamp DESC, id", "foodEntry_recent"),
      ("WHERE recordingId = 'x' ORDER BY timestamp DESC, id", "foodEntry_recording"),
    ] {
      let list = try await plan("SELECT * FROM foodEntry \(clause) LIMIT 20")
      #expect(list.contains(index) && !list.contains("TEMP B-TREE"), "\(list)")
    }
  }
}
