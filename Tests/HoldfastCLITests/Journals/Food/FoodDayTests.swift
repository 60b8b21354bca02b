import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: days", .temporaryFolder)
struct FoodDayTests {
  @Test("A day has the sums of its entries, and follows them")
  func sums() async throws {
    let library = try await LibraryFolder.withFood()
    let entries = try await [
      library.logFood("one", calories: 100, "--confidence", "0.9"),
      library.logFood("two", calories: 200, "--confidence", "0.5"),
      library.logFood("three", calories: 50, "--confidence", "1"),
    ]
    let day = try await library.holdfast("food", "day", "2025-11-03", "--json")
    #expect(
      day.output == """
        {"averageConfidence":0.8,"day":"2025-11-03","entryCount":3,"totalCalories":350,\
        "totalCarbohydrates":60,"totalFat":15,"totalProtein":30}

        """)
    let text = try await library.holdfast("food", "day", "2025-11-03")
    #expect(
      text.output == """
        day         2025-11-03
        entries     3
        calories    350 kcal
        protein     30 g
        carbs       60 g
        fat         15 g
        confidence  0.8 on average

        """)
    _ = try await library.holdfast("food", "delete", "--yes", entries[1].id)
    #expect(try await library.foodDay("2025-11-03").totalCalories == 150)
    _ = try await library.holdfast("food", "delete", "--yes", entries[0].id, entries[2].id)
    #expect(try await library.foodDay("2025-11-03") == FoodDayRecord(day: "2025-11-03"))
    #expect(try await library.column("SELECT day FROM foodDay") == ["2025-11-03"])
  }

  @Test("A day without entries has sums of 0, and reading it makes no row")
  func empty() async throws {
    let library = try await LibraryFolder.withFood()
    let day = try await library.holdfast("food", "day", "2025-11-03")
    #expect((day.status, day.output) == (0, "Nothing is logged for 2025-11-03.\n"))
    #expect(try await library.foodDay("2025-11-03") == FoodDayRecord(day: "2025-11-03"))
    #expect(try await library.holdfast("food", "days", "--json").output == "[]\n")
    #expect(try await library.column("SELECT count(*) FROM foodDay") == ["0"])
  }

  @Test("The last days count today, newest first")
  func days() async throws {
    let library = try await LibraryFolder.withFood()
    for days in [0.0, 1, 6, 7] { try await library.logFood("Soup", at: ago(days * day)) }
    let week: [FoodDayRecord] = try await library.holdfast("food", "days", "--json").json()
    #expect(week.count == 3 && week.map(\.day) == week.map(\.day).sorted(by: >))
    let all: [FoodDayRecord] = try await library.holdfast(
      "food", "days", "--days", "8", "--json"
    ).json()
    #expect(all.count == 4)
    let today = try await library.holdfast("food", "days", "--days", "1")
    #expect(today.lines.count == 2)
    #expect(today.lines.last?.hasPrefix(week[0].day) == true)
    let none = try await library.holdfast("food", "days", "--days", "0")
    #expect(none.status == 64)
  }

  @Test("Deleting a day asks, says how many entries it has, and deletes these only")
  func delete() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.logFood("one")
    try await library.logFood("two")
    try await library.logFood("next", at: "2025-11-04T12:00Z")
    let command = ["food", "day-delete", "2025-11-03"]
    let no = try await library.answering("", command)
    #expect(no.status == 1 && no.errorOutput.contains("2025-11-03 has 2 entries."))
    #expect(try await library.column("SELECT count(*) FROM foodEntry") == ["3"])
    let yes = try await library.answering("y", command + ["--json"])
    #expect(yes.output == #"{"day":"2025-11-03","entries":2,"event":"deleted"}"# + "\n")
    #expect(try await library.column("SELECT foodName FROM foodEntry") == ["next"])
    for options in [[], ["--yes"]] {
      try await library.expectFoodRefusal(
        ["day-delete", "2025-11-03"] + options, status: 1, saying: "holdfast food days shows them")
    }
  }

  @Test("Two commands that log the first entry of a day at once make one day", arguments: 1...4)
  func atOnce(round: Int) async throws {
    let library = try await LibraryFolder.withFood()
    async let first = library.logFood("one", calories: 100)
    async let second = library.logFood("two", calories: 200)
    _ = try await (first, second)
    #expect(try await library.column("SELECT day FROM foodDay") == ["2025-11-03"])
    let total = try await library.foodDay("2025-11-03")
    #expect((total.entryCount, total.totalCalories) == (2, 300))
  }

  @Test("stats --journal shows an average day on which something was logged")
  func statistics() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.logFood("Soup", calories: 100, at: "2025-11-03T12:00Z")
    try await library.logFood("Bread", calories: 200, at: "2025-11-03T18:00Z")
    try await library.logFood("Stew", calories: 400, at: "2025-11-05T12:00Z")
    let all = try await library.holdfast("stats", "--journal", "food", "--days", "all")
    #expect(
      all.output == """
        Everything so far: 3 entries on 2 days.

        A day on which you logged, on average
        calories 350 kcal, protein 15 g, carbs 30 g, fat 7.5 g

        """)
    let json = try await library.holdfast(
      "stats", "--journal", "food", "--days", "all", "--json")
    #expect(
      json.output == """
        {"averageConfidence":1,"dayAverage":{"calories":350,"carbohydrates":30,"fat":7.5,\
        "protein":15},"entries":3,"loggedDays":2}

        """)
    let none = try await library.holdfast("stats", "--journal", "food")
    #expect(none.output.hasPrefix("The last 30 days: nothing is logged. Log what you eat"))
    let other = LibraryFolder("other")
    let refused = try await other.holdfast("stats", "--journal", "food")
    #expect(refused.status == 1)
    #expect(refused.errorOutput.hasSuffix("; holdfast journal enable food makes its tables\n"))
  }
}
