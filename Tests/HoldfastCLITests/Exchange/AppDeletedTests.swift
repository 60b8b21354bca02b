import Foundation
import HoldfastTestSupport
import Testing

@Suite("What came from an app and was deleted here", .temporaryFolder)
struct AppDeletedTests {
  private let library = LibraryFolder()

  private func id(_ number: Int) -> String { LibraryFolder.id(number) }

  /// Writes the app's folder: a recording, records of three journals, and a change that it dates.
  private func makeApp(cravingChange: String = "") throws -> AppFolder {
    let app = try AppFolder(cravingChange.isEmpty ? "app" : "later")
    try app.copy("aac.m4a", to: "a.m4a")
    let entry = #""protein": 0, "carbohydrates": 0, "fat": 0"#
    let document = """
      {"recordings": [{"id": "\(id(1))", "filePath": "Recordings/a.m4a", "title": "Why",
          "createdAt": "2025-06-03T08:00:00Z"}],
       "cravings": [{"id": "\(id(2))", "timestamp": "2025-06-03T08:00:00Z", "intensity": 5,
          "recordingId": "\(id(1))"\(cravingChange)},
         {"id": "\(id(3))", "timestamp": "2025-06-03T09:00:00Z", "intensity": 6}],
       "foodEntries": [{"id": "\(id(4))", "timestamp": "2025-06-08T06:00:00Z", "quantity": 1,
          "rawDescription": "r", "foodName": "f", "unit": "g", "calories": 1, \(entry)}],
       "habits": [{"id": "\(id(5))", "name": "Water", "goal": "2 times everyday",
          "habitType": "Habit Building", "startDate": "2025-06-02T00:00:00Z"}],
       "completions": [{"habitId": "\(id(5))", "dateKey": "2025-06-03", "progress": 2}],
       "reminders": [{"id": "\(id(6))", "habitId": "\(id(5))", "time": "08:00"}]}
      """
    try Data(document.utf8).write(to: URL(filePath: app.path + "/Documents/app.json"))
    return app
  }

  /// How many records of each kind the library has.
  private func counts() async throws -> [String] {
    let tables = [
      "recording", "craving", "foodEntry", "foodDay", "habit", "habitDay", "habitReminder",
    ]
    return try await library.column(
      tables.map { "SELECT count(*) FROM \($0)" }.joined(separator: " UNION ALL "))
  }

  private func importApp(_ path: String, _ options: String...) async throws -> CommandResult {
    let result = try await library.holdfastInUTC(["import-app", path] + options)
    #expect(result.status == 0, "\(result.errorOutput)")
    return result
  }

  @Test("A second import leaves it out and says so, until the app changes it or a person asks")
  func deleted() async throws {
    for journal in ["food", "habits"] {
      _ = try await library.holdfast("journal", "enable", journal)
    }
    let app = try makeApp()
    _ = try await importApp(app.path)
    #expect(try await counts() == ["1", "2", "1", "1", "1", "1", "1"])
    for command in [
      ["delete", id(1)], ["craving", "delete", id(2)], ["food", "delete", id(4)],
      ["habit", "delete", id(5)],
    ] {
      let deleted = try await library.holdfast(command + ["--yes"])
      #expect(deleted.status == 0, "\(deleted.errorOutput)")
    }
    let left = ["0", "1", "0", "1", "0", "0", "0"]
    #expect(try await counts() == left)
    for path in [app.path, app.path + "/Documents/app.json"] {
      let dry = try await importApp(path, "--dry-run")
      let result = try await importApp(path)
      #expect(dry.errorLines == result.errorLines)
      for kind in ["1 recording", "1 craving", "1 food entry", "1 habit", "1 habit day"] {
        #expect(
          result.errorLines.contains(
            "note: \(kind) deleted here, left out; import-app --deleted imports what was deleted"),
          "\(result.errorOutput)")
      }
      #expect(!result.output.contains("added"), "\(result.output)")
      #expect(try await counts() == left)
    }
    let soon = Date(timeIntervalSinceNow: 60).ISO8601Format()
    _ = try await importApp(try makeApp(cravingChange: #", "updatedAt": "\#(soon)""#).path)
    #expect(try await counts() == ["0", "2", "0", "1", "0", "0", "0"])
    let all = try await importApp(app.path, "--deleted")
    #expect(!all.errorOutput.contains("deleted here"), "\(all.errorOutput)")
    #expect(try await counts() == ["1", "2", "1", "1", "1", "1", "1"])
    #expect(
      try await library.column("SELECT id FROM recording WHERE title = 'Why'") == [id(1)])
  }

  @Test("A journal that was erased comes whole from the app again")
  func erasedJournal() async throws {
    for journal in ["food", "habits"] {
      _ = try await library.holdfast("journal", "enable", journal)
    }
    let app = try makeApp()
    _ = try await importApp(app.path)
    let disabled = try await library.holdfast("journal", "disable", "habits", "--erase", "--yes")
    #expect(disabled.status == 0, "\(disabled.errorOutput)")
    _ = try await library.holdfast("journal", "enable", "habits")
    _ = try await importApp(app.path)
    #expect(try await counts() == ["1", "2", "1", "1", "1", "1", "1"])
  }
}
