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

  @Test("Nothing is left of a record that was deleted, or of an erased library")
  func deleted() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, into: library, "Words")
    #expect(
      try await library.column("SELECT kind FROM appVersion ORDER BY kind")
        == ["cravings", "recordings"])
    _ = try await library.holdfast("craving", "delete", "--yes", LibraryFolder.id(2))
    #expect(try await library.column("SELECT kind FROM appVersion") == ["recordings"])
    _ = try await library.holdfast("delete", "--yes", id)
    #expect(try await library.column("SELECT count(*) FROM appVersion") == ["0"])
    try await importApp(app, into: library, "Words")
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let erased = try await library.holdfast("erase", "--everything", "--yes", uuid)
    #expect(erased.status == 0, "\(erased.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM appVersion") == ["0"])
  }
}
