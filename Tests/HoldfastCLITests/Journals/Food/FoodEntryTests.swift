import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: entries", .temporaryFolder)
struct FoodEntryTests {
  private static let figures = [
    "--calories", "1", "--protein", "1", "--carbohydrates", "1", "--fat", "1",
  ]
  private static let soup = ["log", "--name", "Soup", "--quantity", "1", "--unit", "cup"]

  @Test("An entry is printed as an export has it, and on its own clock")
  func log() async throws {
    let library = try await LibraryFolder.withFood()
    let result = try await library.holdfast(
      [
        "food", "log", "--name", "Soup", "--quantity", "1.5", "--unit", "cup", "--calories", "150",
        "--protein", "6", "--carbohydrates", "20.5", "--fat", "0", "--said", "a cup and a half",
        "--confidence", "0.9", "--at", "2025-11-04T05:15+05:45", "--json",
      ])
    #expect(
      result.output.withoutChance == """
        {"calories":150,"carbohydrates":20.5,"confidence":0.9,"createdAt":"NOW","day":"2025-11-04",\
        "fat":0,"foodName":"Soup","id":"ID","protein":6,"quantity":1.5,\
        "rawDescription":"a cup and a half","timestamp":"2025-11-03T23:30:00.000Z",\
        "timestampOffset":345,"unit":"cup"}

        """)
    #expect(
      try await library.column("SELECT day FROM foodEntry") == ["2025-11-04"])
    let id: String = try #require(try await library.foods("list").first?.id)
    #expect(try await library.food("show", id).foodName == "Soup")
    let shown = try await library.holdfast("food", "show", id)
    #expect(shown.lines.contains("when        2025-11-04 05:15 +05:45"), "\(shown.output)")
    #expect(shown.lines.contains("amount      1.5 cup"))
    #expect(shown.lines.contains("said        a cup and a half"))
    let list = try await library.holdfast("food", "list")
    #expect(list.lines.last?.contains("2025-11-04 05:15 +05:45") == true, "\(list.output)")
    #expect(list.lines.last?.hasSuffix("Soup, 1.5 cup") == true)
  }

  /// The fault of an otherwise complete `food log`.
  private static let badLogs: [[String]] = [
    ["--confidence", "1.01"], ["--confidence", "-0.01"], ["--calories", "nan"],
    ["--calories", "-0.1"], ["--fat", "inf"], ["--quantity", "0"], ["--name", "  "],
    ["--at", "2999-01-01"],
  ].map { (options: [String]) -> [String] in soup + figures + options }
  /// Commands with incomplete nutrition.
  private static let incomplete: [[String]] = [
    [], ["--calories", "1"], ["--ingredient", "x", "--fat", "1"],
  ].map { (options: [String]) -> [String] in soup + options }
  private static let others: [[String]] = [
    ["list", "--today", "--days", "2"], ["list", "--day", "2025-02-30"],
    ["list", "--min-confidence", "1.1"], ["list", "--days", "0"], ["edit", "abcd"],
    ["edit", "abcd", "--compute", "--fat", "1"], ["day", "yesterday"],
  ]

  @Test("Bad usage is exit status 64, and writes nothing", arguments: badLogs + incomplete + others)
  func badUsage(command: [String]) async throws {
    let library = try await LibraryFolder.withFood()
    try await library.expectFoodRefusal(command, status: 64, saying: "Usage: holdfast food")
  }

  @Test("A missing entry, ingredient or recording is named")
  func missing() async throws {
    let library = try await LibraryFolder.withFood()
    for command in [["show", "abcd"], ["detach", "abcd"], ["delete", "--yes", "abcd"]] {
      try await library.expectFoodRefusal(
        command, status: 1,
        saying: #"no food entry's id begins with "abcd"; holdfast food list shows them"#)
    }
    try await library.expectFoodRefusal(
      Self.soup + ["--ingredient", "leek"], status: 1,
      saying: #"there is no ingredient "leek"; holdfast food ingredient list shows them"#)
    try await library.expectFoodRefusal(
      Self.soup + Self.figures + ["--recording", "abcd"], status: 1,
      saying: "no recording's id begins with")
  }

  @Test("With an ingredient, the nutrition is that of the amount, and its use is counted")
  func ingredient() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    let command = ["log", "--name", "Toast", "--ingredient", "bread", "--quantity"]
    let entry: FoodRecord = try await library.holdfast(
      ["food"] + command + ["3", "--unit", "Slices", "--json"]
    ).json()
    #expect(abs((entry.calories ?? 0) - 222.6) < 1e-9)
    #expect((entry.matchedIngredientId, entry.unit) == ("bread", "Slices"))
    try await library.expectFoodRefusal(
      command + ["1", "--unit", "cup"], status: 1, saying: "give the nutrition, or a serving")
    #expect(try await library.column("SELECT usageCount FROM ingredient") == ["1"])
    let half = try await library.food(
      "edit", entry.id, "--quantity", "0.1", "--unit", "kg", "--compute")
    #expect(half.calories == 265)
    let without = try await library.food("edit", entry.id, "--ingredient", "", "--quantity", "2")
    #expect((without.matchedIngredientId, without.calories) == (nil, 265))
    try await library.expectFoodRefusal(
      ["edit", entry.id, "--compute"], status: 1, saying: "no ingredient to compute from")
  }

  @Test("An edit changes what it names, and moves the entry to its new day")
  func edit() async throws {
    let library = try await LibraryFolder.withFood()
    let soup = try await library.logFood("Soup", at: "2025-11-03T23:59Z", "--said", "soup")
    let edited = try await library.food(
      "edit", soup.id, "--name", "Stew", "--calories", "120", "--said", "", "--confidence", "0.5",
      "--at", "2025-11-04T00:00Z")
    var expected = soup
    expected.foodName = "Stew"
    expected.calories = 120
    expected.rawDescription = ""
    expected.confidence = 0.5
    expected.timestamp = "2025-11-04T00:00:00.000Z"
    expected.day = "2025-11-04"
    expected.modifiedAt = edited.modifiedAt
    #expect(edited == expected && edited.modifiedAt != nil)
    #expect(try await library.foodDay("2025-11-03") == FoodDayRecord(day: "2025-11-03"))
    #expect(try await library.foodDay("2025-11-04").totalCalories == 120)
    try await library.expectFoodRefusal(
      ["edit", soup.id, "--quantity", "-1"], status: 1, saying: "quantity -1.0: it is more than 0")
  }

  @Test("A detached entry is kept outside every day until it is attached again")
  func detach() async throws {
    let library = try await LibraryFolder.withFood()
    let soup = try await library.logFood("Soup")
    #expect(try await library.food("detach", soup.id).day == nil)
    #expect(try await library.foodDay("2025-11-03") == FoodDayRecord(day: "2025-11-03"))
    let shown = try await library.holdfast("food", "show", soup.id)
    #expect(shown.output.contains("none: its figures are in no day's sums"))
    for _ in 1...2 { #expect(try await library.food("attach", soup.id).day == "2025-11-03") }
    #expect(try await library.foodDay("2025-11-03").entryCount == 1)
  }

  @Test("The list can be limited to days and sure entries, and has pages")
  func list() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.logFood("old", at: "2025-11-02T12:00Z", "--confidence", "0.7999")
    try await library.logFood("sure", at: "2025-11-03T12:00Z", "--confidence", "0.8")
    try await library.logFood("now", at: ago(0))
    func names(_ options: String...) async throws -> [String?] {
      let foods: [FoodRecord] = try await library.holdfast(
        ["food", "list", "--json"] + options
      ).json()
      return foods.map(\.foodName)
    }
    #expect(try await names() == ["now", "sure", "old"])
    #expect(try await names("--today") == ["now"])
    #expect(try await names("--days", "7") == ["now"])
    #expect(try await names("--day", "2025-11-02") == ["old"])
    #expect(try await names("--min-confidence", "0.8") == ["now", "sure"])
    #expect(try await names("--limit", "1", "--offset", "1") == ["sure"])
    let page = try await library.holdfast("food", "list", "--limit", "2")
    #expect(page.errorOutput == "2 entries; --offset 2 shows more.\n")
  }

  @Test("A deletion asks first, keeps the day, and leaves no trace of the words")
  func delete() async throws {
    let library = try await LibraryFolder.withFood()
    let soup = try await library.logFood("Gooseberry")
    let command = ["food", "delete", soup.id]
    let no = try await library.answering("n", command)
    #expect(no.status == 1 && no.errorOutput.contains("Gooseberry, 1 piece: 100 kcal"))
    let yes = try await library.answering("y", command + ["--json"])
    #expect(yes.output == #"{"event":"deleted","id":"\#(soup.id)"}"# + "\n")
    #expect(try await library.column("SELECT day FROM foodDay") == ["2025-11-03"])
    let found = try await Command.run("grep", ["-rai", "gooseberry", library.path])
    #expect(found.status == 1, "\(found.output)")
  }
}
