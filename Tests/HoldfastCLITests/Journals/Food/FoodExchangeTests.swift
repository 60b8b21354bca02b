import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: recordings, exports, erasing", .temporaryFolder)
struct FoodExchangeTests {
  @Test("A recording shows the entry that was spoken in it, and stays when that is deleted")
  func links() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.importing("voice.wav", options: ["--allow-duplicates"])
    let recording = try #require(try await library.column("SELECT id FROM recording").first)
    let soup = try await library.logFood("Soup", "--recording", String(recording.prefix(8)))
    #expect(soup.recordingId == recording)
    let shown = try await library.holdfast("show", recording)
    let line = "spoken for  \(soup.id.prefix(8))  2025-11-03 12:00"
    #expect(shown.lines.contains { $0.hasPrefix(line) }, "\(shown.output)")
    let json = try await library.holdfast("show", recording, "--json")
    #expect(json.output.contains(#""foodEntries":[{"calories":100,"#), "\(json.output)")
    #expect(try await library.foods("list", "--recording", recording).map(\.id) == [soup.id])
    #expect(try await library.food("unlink", soup.id).recordingId == nil)
    #expect(try await library.foods("list", "--recording", recording) == [])
    #expect(try await library.food("link", soup.id, recording).recordingId == recording)
    _ = try await library.holdfast("delete", "--yes", recording)
    #expect(try await library.food("show", soup.id).recordingId == nil)
  }

  @Test("When a recording has more entries than are shown, the way to all of them is named")
  func manyLinks() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.importing("voice.wav", options: ["--allow-duplicates"])
    let recording = try #require(try await library.column("SELECT id FROM recording").first)
    let soup = try await library.logFood("Soup", "--recording", recording)
    try await library.changeCatalog(
      """
      WITH RECURSIVE number(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM number WHERE n < 30)
      INSERT INTO foodEntry SELECT replace(id, substr(id, 1, 8), 'AAAAAA' || n), timestamp,
        timestampOffset, rawDescription, foodName, quantity, unit, calories, protein,
        carbohydrates, fat, confidence, matchedIngredientId, day, recordingId, createdAt, modifiedAt
      FROM foodEntry, number WHERE id = '\(soup.id)'
      """)
    let shown = try await library.holdfast("show", recording)
    let words = "and more: holdfast food list --recording \(recording.prefix(8))"
    #expect(shown.output.contains(words), "\(shown.output)")
  }

  @Test("An export brings the whole diary into another library that has the journal")
  func exchange() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    _ = try await library.food(
      "log", "--name", "Toast", "--quantity", "2", "--unit", "slices", "--ingredient", "bread")
    try await library.logFood("Soup", "--said", "a bowl of soup", "--confidence", "0.5")
    let document = temporary("export.json")
    let exported = try await library.holdfast("export", "--format", "json", "--output", document)
    #expect(exported.status == 0 && exported.output.contains("1 ingredient"))
    let other = LibraryFolder("other")
    let refused = try await other.holdfast("import-data", document)
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("holdfast journal enable NAME makes its tables"))
    _ = try await other.holdfast("journal", "enable", "food")
    let imported = try await other.holdfast("import-data", document)
    #expect(imported.status == 0, "\(imported.errorOutput)")
    #expect(imported.lines.contains("food entries: 2 added"), "\(imported.output)")
    #expect(try await other.foodRows() == library.foodRows())
    let again = try await other.holdfast("import-data", document)
    #expect(again.lines.contains("food entries: 2 unchanged"), "\(again.output)")
    #expect(try await other.foodRows() == library.foodRows())
    let tables = try await library.holdfast(
      "export", "--format", "csv", "--output", temporary("tables"))
    #expect(tables.status == 0, "\(tables.errorOutput)")
    let csv = try String(contentsOfFile: temporary("tables/foodEntries.csv"), encoding: .utf8)
    #expect(csv.contains("a bowl of soup"))
  }

  @Test("Erasing leaves an empty diary that is still enabled, and no trace of its words")
  func erase() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    try await library.logFood("Gooseberry", "--said", "a gooseberry")
    let marker = try String(contentsOfFile: "\(library.path)/holdfast.json", encoding: .utf8)
    let uuid = try #require(marker.firstMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/)?.0)
    let erased = try await library.holdfast("erase", "--everything", "--yes", String(uuid))
    #expect(erased.status == 0, "\(erased.errorOutput)")
    #expect(try await library.foodRows() == [])
    #expect(try await library.foods("list") == [])
    let found = try await Command.run("grep", ["-rai", "gooseberry\\|rye bread", library.path])
    #expect(found.status == 1, "\(found.output)")
    try await library.expectSound()
  }

  @Test("A library is restored with its journal")
  func journals() async throws {
    let library = try await LibraryFolder.withFood("diary")
    try await library.logFood("Soup")
    let backups = try makeFolder("backups")
    _ = try await library.holdfast("backup", backups)
    let restored = try await LibraryFolder.restored(from: backups, to: "restored")
    #expect(try await restored.foodRows() == (try await library.foodRows()))
    #expect(try await restored.export() == (try await library.export()))
  }

  @Test("An ingredient that was deleted in a copy comes back from a merge with its entries' links")
  func deletedIngredient() async throws {
    let library = try await LibraryFolder.withFood()
    let added = try await library.holdfast(
      "food", "ingredient", "add", "oats", "--name", "Oats", "--category", "grain", "--calories",
      "370", "--protein", "13", "--carbohydrates", "60", "--fat", "7")
    #expect(added.status == 0, "\(added.errorOutput)")
    _ = try await library.holdfast(
      "food", "log", "--name", "Oats", "--quantity", "50", "--unit", "g", "--ingredient", "oats")
    let copy = try await library.copy(to: "copy")
    _ = try await copy.holdfast("food", "ingredient", "delete", "oats", "--yes")
    let query = "SELECT ifnull(matchedIngredientId, 'none') FROM foodEntry"
    #expect(try await copy.column(query) == ["none"])
    for (into, from) in [(library, copy), (copy, library), (library, copy)] {
      _ = try await into.holdfast("merge", from.path)
    }
    for folder in [library, copy] { #expect(try await folder.column(query) == ["oats"]) }
  }
}
