import Foundation
import HoldfastTestSupport
import Testing

/// A document and a library may describe one recording under two IDs, because both imported it by
/// themselves. An edit in the document was taken for a later version of the words that were typed
/// here, so they were replaced, or removed, without a word.
@Suite("Data about a recording that was also imported here", .temporaryFolder)
struct FirstMatchTests {
  let library = LibraryFolder()
  private let other = LibraryFolder("other")

  private func words(_ library: LibraryFolder) async throws -> [[String]] {
    try await library.sql("SELECT ifnull(title, ''), ifnull(notes, ''), purpose FROM recording")
  }

  /// The document of another library that imported the same source, where only the purpose was
  /// edited, or the words.
  private func document(_ edits: String...) async throws -> String {
    try await other.importing("portrait.mov", options: ["--allow-duplicates"])
    let id = try await other.column("SELECT id FROM recording")[0]
    _ = try await other.holdfast(["edit", id, "--purpose", "milestone"] + edits)
    return try await other.export(to: "other.json")
  }

  @Test("An edit of another value there does not remove a title and notes that were typed here")
  func otherValue() async throws {
    let document = try await document()
    try await library.importing(
      "portrait.mov", options: ["--title", "T3", "--notes", "typed here"])
    _ = try await library.importData(document)
    #expect(try await words(library) == [["T3", "typed here", "milestone"]])
    #expect(try await library.importData(document).lines[0] == "recordings: 1 unchanged")
  }

  @Test("Both notes and both titles are kept, whichever was edited")
  func both() async throws {
    let document = try await document("--title", "Theirs", "--notes", "their notes")
    try await library.importing(
      "portrait.mov", options: ["--title", "Mine", "--notes", "my notes"])
    _ = try await library.importData(document)
    // The edited title wins, as in a merge.
    let row = try await words(library)[0]
    #expect([row[0], row[2]] == ["Theirs", "milestone"])
    #expect(
      row[1].components(separatedBy: "\n\n").sorted()
        == ["Title: Mine", "my notes", "their notes"])
    // The other library has not seen the notes from here, so its later edit does not remove them.
    let id = try await other.column("SELECT id FROM recording")[0]
    _ = try await other.holdfast("edit", id, "--notes", "changed later")
    _ = try await library.importData(other.export(to: "later.json"))
    let later = try await words(library)[0][1].components(separatedBy: "\n\n")
    #expect(Set(["my notes", "changed later"]).isSubset(of: later), "\(later)")
  }

  @Test("Notes that do not fit together stay apart, with the figure")
  func tooLong() async throws {
    let document = try await document("--notes", String(repeating: "a", count: 3000))
    let notes = String(repeating: "b", count: 3000)
    try await library.importing("portrait.mov", options: ["--notes", notes])
    let result = try await library.importData(document, status: 3)
    #expect(result.errorOutput.contains("more than 5000 characters together; shorten one of them"))
    #expect(try await words(library)[0][1] == notes)
  }

  @Test("An app's older edit does not replace words that were typed here, and neither is lost")
  func app() async throws {
    let app = try await AppFolder.whole()
    try await library.importing(
      "portrait.mov", options: ["--title", "mine", "--notes", "my own later words"])
    let dry = try await library.holdfast("import-app", app.path, "--dry-run")
    #expect(dry.output.contains("1 updated"), "\(dry.output)")
    let result = try await library.holdfast("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    let query = "SELECT title, notes FROM recording WHERE type = 'video'"
    let all = [["mine", "my own later words\n\nMy own notes\n\nTitle: Thirty days"]]
    #expect(try await library.sql(query) == all)
    // The app's ID is known now.
    #expect(
      try await library.column("SELECT id FROM alias") == [LibraryFolder.id(1)])
    _ = try await library.holdfast("import-app", app.path)
    #expect(try await library.sql(query) == all)
  }

  @Test("What an app says about a recording that was edited here is kept too")
  func editedHere() async throws {
    let app = try await AppFolder.whole()
    try await library.importing("portrait.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.holdfast("edit", id, "--title", "local")
    _ = try await library.holdfast("import-app", app.path)
    #expect(
      try await library.sql("SELECT title, notes FROM recording WHERE type = 'video'")
        == [["local", "My own notes\n\nTitle: Thirty days"]])
  }

  @Test("Plays that an app counted are counted once, when two libraries that read its data merge")
  func plays() async throws {
    let app = try await AppFolder.whole()
    let query = "SELECT id, playCount FROM recording WHERE playCount > 0 ORDER BY id"
    // Each has the clip under an ID of its own, and the sound under the app's.
    for library in [library, other] {
      try await library.importing("portrait.mov")
      _ = try await library.holdfast("import-app", app.path)
    }
    let counted = try await library.sql("SELECT playCount FROM recording ORDER BY playCount")
    #expect(counted.contains { $0 != ["0"] })
    for _ in 1...2 {
      _ = try await library.holdfast("merge", other.path)
      _ = try await other.holdfast("merge", library.path)
    }
    #expect(
      try await library.sql("SELECT playCount FROM recording ORDER BY playCount") == counted)
    #expect(try await library.sql(query) == other.sql(query))
  }
}
