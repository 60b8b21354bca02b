import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: the journal", .temporaryFolder)
struct FoodJournalTests {
  private static let tables = """
    SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'food%'
      OR name LIKE 'ingredient%') ORDER BY name
    """

  @Test("The journal's tables exist while it is enabled, and the list counts its records")
  func enabled() async throws {
    let library = try await LibraryFolder.withFood()
    #expect(
      try await library.column(Self.tables)
        == ["foodDay", "foodEntry", "ingredient", "ingredientServing", "ingredientWord"])
    try await library.logFood("Soup")
    let list = try await library.holdfast("journal", "list")
    #expect(
      list.lines[1].hasPrefix("food     enabled      0 ingredients, 1 food day, 1 "),
      "\(list.output)")
    let json = try await library.holdfast("journal", "list", "--json")
    #expect(
      json.output.contains(
        #"{"isEnabled":true,"name":"food","#
          + #""records":{"foodDays":1,"foodEntries":1,"ingredients":0}}"#
      ), "\(json.output)")
  }

  @Test("A journal with records is not disabled unless they are to be erased")
  func kept() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.logFood("Gooseberry", "--said", "a gooseberry")
    let refused = try await library.holdfast("journal", "disable", "food")
    #expect((refused.status, refused.output) == (1, ""))
    #expect(refused.errorOutput.contains("with --erase its records are deleted"))
    // Without a terminal to ask on.
    let unasked = try await library.holdfast("journal", "disable", "food", "--erase")
    #expect(unasked.status == 1 && unasked.errorOutput.contains("give --yes"))
    for answer in ["n", ""] {
      let result = try await library.answering(answer, ["journal", "disable", "food", "--erase"])
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("Delete them for good? [y/N]"))
    }
    #expect(try await library.column("SELECT foodName FROM foodEntry") == ["Gooseberry"])
    let erased = try await library.answering("y", ["journal", "disable", "food", "--erase"])
    #expect((erased.status, erased.output) == (0, "disabled  food\n"))
    #expect(try await library.column(Self.tables) == [])
    let found = try await Command.run("grep", ["-rai", "gooseberry", library.path])
    #expect(found.status == 1, "\(found.output)")
    try await library.expectSound()
  }

  @Test("The journal of a newer Holdfast is left alone, and no error says to enable it")
  func newer() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.logFood("Soup")
    try await library.changeCatalog("INSERT INTO grdb_migrations VALUES ('food.99')")
    let before = try await library.foodRows()
    let list = try await library.holdfast("food", "list")
    #expect((list.status, list.output) == (1, ""))
    #expect(list.errorOutput.contains("a newer Holdfast has changed the library's journals"))
    for command in [["enable", "food"], ["disable", "food", "--erase", "--yes"]] {
      let result = try await library.holdfast(["journal"] + command)
      #expect((result.status, result.output) == (1, ""))
    }
    #expect(try await library.foodRows() == before)
  }

  @Test("verify names the command that corrects a broken row")
  func brokenRow() async throws {
    let library = try await LibraryFolder.withFood()
    let soup = try await library.logFood("Soup")
    // Past the schema, as a damaged disk does.
    try await library.changeCatalog(
      "PRAGMA ignore_check_constraints = ON; UPDATE foodEntry SET foodName = char(9)")
    let finding = try #require(
      try await library.findings().first { $0.kind == "brokenRule" })
    #expect(finding.detail.hasSuffix("; correct it with holdfast food edit \(soup.id)"))
    _ = try await library.food("edit", soup.id, "--name", "Soup")
    #expect(try await library.findings() == [])
  }

  @Test(
    "Without the journal, its commands say how to enable it",
    arguments: [
      ["list"], ["day"], ["days"], ["show", "abcd"], ["day-delete", "2025-11-03", "--yes"],
      ["log", "--name", "x", "--quantity", "1", "--unit", "g", "--ingredient", "x"],
      ["ingredient", "list"], ["ingredient", "show", "x"], ["ingredient", "verify", "x"],
    ])
  func notEnabled(command: [String]) async throws {
    let library = LibraryFolder()
    let result = try await library.holdfast(["food"] + command)
    #expect((result.status, result.output) == (1, ""))
    #expect(
      result.errorOutput == """
        Error: the journal "food" is not enabled in the library in \(library.path); holdfast \
        journal enable food makes its tables

        """)
  }
}
