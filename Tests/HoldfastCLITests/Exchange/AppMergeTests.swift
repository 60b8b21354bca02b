import Foundation
import HoldfastTestSupport
import Testing

/// An app that does not date its changes, two libraries that import its data, and their merges.
@Suite("Merging libraries that follow an app", .temporaryFolder)
struct AppMergeTests {
  let library = LibraryFolder()
  let other = LibraryFolder("other")
  let id = LibraryFolder.id(1)

  /// Writes the app's document and imports it.
  private func importApp(
    _ app: AppFolder, into library: LibraryFolder, _ words: String
  ) async throws {
    let document = """
      {"recordings": [{"id": "\(id)", "filePath": "Recordings/a.m4a", "title": "\(words)",
        "notes": "\(words)", "createdAt": "2025-11-01T00:00:00Z"}],
       "cravings": [{"id": "\(LibraryFolder.id(2))", "timestamp": 782000000, "intensity": 8,
        "notes": "\(words)", "recordingId": "\(id)"}]}
      """
    try Data(document.utf8).write(to: URL(filePath: app.path + "/Documents/app.json"))
    let result = try await library.holdfast("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  private func words(_ library: LibraryFolder) async throws -> [[String]] {
    try await library.sql(
      """
      SELECT r.title, r.notes, c.notes FROM recording r JOIN craving c ON c.recordingId = r.id
      """)
  }

  private func mergeBoth() async throws {
    for (into, from) in [(library, other), (other, library), (library, other)] {
      let result = try await into.holdfast("merge", from.path)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
  }

  @Test(
    "The app's later version wins in both directions, whichever of the words is greater",
    arguments: [("Alpha", "Zulu"), ("Zulu", "Alpha")])
  func later(_ earlier: String, _ later: String) async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, earlier)
    let copy = try await library.copy(to: "copy")
    try await importApp(app, into: library, later)
    // A library that gets the app's data for the first time has what the app has then.
    try await importApp(app, into: other, "Between")
    try await importApp(app, into: library, later)
    try await mergeBoth()
    for library in [library, other] {
      _ = try await library.holdfast("merge", copy.path)
      #expect(try await words(library) == [[later, later, later]])
    }
    _ = try await copy.holdfast("merge", other.path)
    #expect(try await words(copy) == [[later, later, later]])
  }

  @Test("What a later document of the app lacks is kept, and so are the purpose and the zone")
  func lacking() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    let craving = """
      "id": "\(LibraryFolder.id(2))", "timestamp": "2025-10-12T12:00:00Z", "intensity": 8
      """
    let recording = """
      "id": "\(id)", "filePath": "Recordings/a.m4a", "createdAt": "2025-11-01T00:00:00Z"
      """
    let more = [
      #", "notes": "by the sea", "location": "Home", "triggers": ["Bored"]"#,
      #", "purpose": "Milestone", "title": "Day one", "notes": "Words""#,
    ]
    for (library, zone, rest) in [
      (library, "Europe/Berlin", more), (other, "America/Los_Angeles", ["", ""]),
    ] {
      let document =
        #"{"cravings": [{\#(craving)\#(rest[0])}], "recordings": [{\#(recording)\#(rest[1])}]}"#
      try Data(document.utf8).write(to: URL(filePath: app.path + "/Documents/app.json"))
      let result = try await Command.run(
        Command.holdfast, library.command(["import-app", app.path]), environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    try await mergeBoth()
    for library in [library, other] {
      let rows = try await library.sql(
        """
        SELECT c.notes, location, trigger, c.timestampOffset, purpose, title, r.notes
        FROM craving c JOIN cravingTrigger ON cravingId = c.id JOIN recording r
        """)
      #expect(rows == [["by the sea", "Home", "Bored", "120", "milestone", "Day one", "Words"]])
    }
  }

  @Test("A habit's day that was tapped here and in the app keeps the larger count in a merge")
  func habitDay() async throws {
    let habit = LibraryFolder.id(3)
    func document(_ progress: Int) throws -> String {
      let path = temporary("habits \(progress).json")
      let json = """
        {"habits": [{"id": "\(habit)", "name": "Water", "goal": "8 times everyday",
          "habitType": "Habit Building", "startDate": "2025-10-01T00:00:00Z",
          "createdAt": "2025-10-01T08:00:00Z"}],
         "completions": [{"id": "\(LibraryFolder.id(4))", "habitId": "\(habit)",
          "dateKey": "2025-10-06", "progress": \(progress), "isCompleted": false,
          "createdAt": "2025-10-06T08:00:00Z"}]}
        """
      try Data(json.utf8).write(to: URL(filePath: path))
      return path
    }
    for library in [library, other] {
      _ = try await library.holdfast("journal", "enable", "habits")
    }
    _ = try await library.holdfast("import-app", document(0))
    _ = try await library.holdfast("habit", "done", "Water", "--day", "2025-10-06", "--times", "8")
    _ = try await other.holdfast("import-app", document(1))
    try await mergeBoth()
    for library in [library, other] {
      #expect(
        try await library.sql(
          "SELECT progressCount, (SELECT sum(amount) FROM xpTransaction) FROM habitDay")
          == [["8", "50"]])
    }
  }

  @Test("An import that follows one under a clock that was fast is the later one")
  func clock() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, "Zulu")
    try await library.changeCatalog("UPDATE appVersion SET importedAt = '2999-01-01 00:00:00.000'")
    let copy = try await library.copy(to: "copy")
    try await importApp(app, into: library, "Alpha")
    _ = try await library.holdfast("merge", copy.path)
    #expect(try await words(library) == [["Alpha", "Alpha", "Alpha"]])
  }

  @Test("A folder that Holdfast wrote for an app does not count as the app's last version")
  func ownFolder() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, "Zulu")
    _ = try await library.holdfast("export", "--format", "app", temporary("folder"))
    let new = LibraryFolder("new")
    try await importApp(app, into: other, "Alpha")
    _ = try await new.holdfast("import-app", temporary("folder"))
    _ = try await other.holdfast("merge", new.path)
    #expect(try await words(other) == [["Alpha", "Alpha", "Alpha"]])
  }

  @Test("What was edited here stays, also if the app's version comes later")
  func edited() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, "Before")
    try await importApp(app, into: other, "Before")
    let craving = LibraryFolder.id(2)
    _ = try await other.holdfast("craving", "edit", craving, "--notes", "by the sea")
    _ = try await other.holdfast("edit", id, "--title", "The sea")
    try await importApp(app, into: library, "After")
    try await mergeBoth()
    for library in [library, other] {
      #expect(try await words(library) == [["The sea", "Before", "by the sea"]])
    }
  }

  @Test("Of a day that both libraries have as another date, a merge speaks of no document")
  func dates() async throws {
    let path = temporary("food.json")
    try Data(
      """
      {"dailyTotals": [{"id": "\(id)", "date": "2025-06-08T00:00:00Z", "totalCalories": 1,
        "entries": [{"id": "\(LibraryFolder.id(2))", "timestamp": "2025-06-08T06:00:00Z",
          "rawDescription": "r", "foodName": "f", "quantity": 1, "unit": "g", "calories": 1,
          "protein": 0, "carbohydrates": 0, "fat": 0}]}]}
      """.utf8
    ).write(to: URL(filePath: path))
    for (library, zone) in [(library, "Pacific/Auckland"), (other, "America/Los_Angeles")] {
      _ = try await library.holdfast("journal", "enable", "food")
      _ = try await Command.run(
        Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
    }
    let result = try await library.holdfast("merge", other.path)
    #expect(
      result.errorOutput.contains(
        "day: 1 food entry, not linked, because it did not come into this library"),
      "\(result.errorOutput)")
  }

  @Test("Only the ID is left of a record that was deleted, and nothing of an erased library")
  func deleted() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, "Words")
    #expect(
      try await library.column("SELECT kind FROM appVersion ORDER BY kind")
        == ["cravings", "recordings"])
    // An ID may be made of words.
    try await library.changeCatalog(
      "INSERT INTO appVersion VALUES ('cravings', 'my-secret', '2025-06-08 06:00:00.000')")
    _ = try await library.holdfast("craving", "delete", "--yes", LibraryFolder.id(2))
    _ = try await library.holdfast("delete", "--yes", id)
    #expect(
      try await library.column("SELECT id FROM appVersion ORDER BY kind")
        == [LibraryFolder.id(2), id])
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let erased = try await library.holdfast("erase", "--everything", "--yes", uuid)
    #expect(erased.status == 0, "\(erased.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM appVersion") == ["0"])
  }
}
