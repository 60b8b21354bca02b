import Foundation
import HoldfastTestSupport
import Testing

/// Merges after a merge, which must undo nothing and do nothing twice.
@Suite("Merging again", .temporaryFolder)
struct MergeAgainTests {
  let library = LibraryFolder()

  private func merge(_ other: LibraryFolder, into library: LibraryFolder) async throws {
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
  }

  private func copy(_ library: LibraryFolder, _ name: String) async throws -> LibraryFolder {
    _ = try await Command.output(of: "cp", ["-aT", library.path, temporary(name)])
    return LibraryFolder(at: name)
  }

  private func notes(_ library: LibraryFolder) async throws -> String {
    try await library.column("SELECT notes FROM recording WHERE type = 'audio'")[0]
  }

  @Test("An edit made after two recordings were joined stays")
  func edited() async throws {
    try await library.importing("aac.m4a", options: ["--notes", "mine"])
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a", options: ["--notes", "theirs", "--title", "Theirs"])
    try await merge(other, into: library)
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.holdfast("edit", id, "--notes", "Rewritten.", "--title", "")
    try await merge(other, into: library)
    try await merge(library, into: other)
    for library in [library, other] {
      #expect(
        try await library.sql("SELECT title, notes FROM recording") == [["", "Rewritten."]])
    }
  }

  @Test("An edit in a library that has not seen the other's notes keeps them, and its title")
  func unseen() async throws {
    try await library.importing("aac.m4a", options: ["--notes", "mine", "--title", "Mine"])
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a", options: ["--notes", "theirs"])
    try await merge(other, into: library)
    let document = try await copy(library, "document")
    let id = try await other.column("SELECT id FROM recording")[0]
    _ = try await other.holdfast("edit", id, "--title", "Later")
    try await merge(library, into: other)
    try await merge(other, into: library)
    for library in [library, other] {
      let row = try await library.sql("SELECT title, notes FROM recording")[0]
      #expect(row[0] == "Later")
      #expect(
        row[1].components(separatedBy: "\n\n").sorted() == ["Title: Mine", "mine", "theirs"])
    }
    // The same edit as a document.
    let exported = temporary("exported.json")
    let plain = try await copy(other, "plain")
    try await plain.changeCatalog("DELETE FROM alias; UPDATE recording SET notes = 'theirs'")
    _ = try await plain.holdfast("export", "--format", "json", "--output", exported)
    _ = try await document.holdfast("import-data", exported)
    let row = try await document.sql("SELECT title, notes FROM recording")[0]
    #expect(row[0] == "Later" && row[1].contains("mine") && row[1].contains("theirs"), "\(row)")
  }

  @Test(
    "Of two recordings to which an app gave one ID, each library keeps its own",
    arguments: [nil, "audio_11111111-0000-0000-0000-000000000001.m4a"])
  func oneID(name: String?) async throws {
    let id = "11111111-0000-0000-0000-000000000001"
    let other = LibraryFolder("other")
    let app = temporary("app/Documents/Recordings")
    var made: [[String]] = []
    for (library, fixture) in [(library, "aac.m4a"), (other, "alac.m4a")] {
      try? FileManager.default.removeItem(atPath: app)
      try FileManager.default.createDirectory(atPath: app, withIntermediateDirectories: true)
      let name = name ?? fixture
      try FileManager.default.copyItem(atPath: Fixtures.path(fixture), toPath: "\(app)/\(name)")
      try Data(
        #"""
        {"journalEntries":[{"id":"\#(id)","title":"One","content":"Words","tags":[],
        "date":"2026-11-01T10:00:00Z","createdAt":"2026-11-01T10:00:00Z","isPrivate":false,
        "updatedAt":"2026-11-01T10:00:00Z","audioURL":"Recordings/\#(name)"}]}
        """#.utf8
      ).write(to: URL(filePath: temporary("app/Documents/faith.json")))
      _ = try await library.holdfast("init")
      _ = try await library.holdfast("journal", "enable", "faith")
      let imported = try await library.holdfast("import-app", temporary("app"))
      #expect(imported.status == 0, "\(imported.errorOutput)")
      made += try await library.sql("SELECT id, originalFilename, fileSHA256 FROM recording")
    }
    #expect(made.map { $0[0] } == [id, id])
    let words = temporary("words")
    try Data("Only the other's words.\n".utf8).write(to: URL(filePath: words))
    _ = try await other.holdfast("transcript", "edit", id, "--file", words)
    for (from, into) in [(other, library), (library, other)] {
      let result = try await into.holdfast("merge", from.path)
      #expect(result.status == 3)
      #expect(result.errorOutput.contains("another recording with its ID"))
    }
    let exported = temporary("exported.json")
    _ = try await other.holdfast("export", "--format", "json", "--output", exported)
    _ = try await library.holdfast("import-data", exported)
    for (library, made) in zip([library, other], made) {
      #expect(
        try await library.sql("SELECT id, originalFilename, fileSHA256 FROM recording") == [made])
    }
    #expect(try await library.column("SELECT count(*) FROM transcriptSegment") == ["0"])
    try await library.expectSound()
    // As after a deletion, when the app brought the other one.
    let backup = temporary("backup")
    _ = try await library.holdfast("backup", backup)
    let hashes = ["5", "6"].map { String(repeating: $0, count: 64) }
    try await library.changeCatalog(
      "UPDATE recording SET sourceSHA256 = '\(hashes[0])', fileSHA256 = '\(hashes[1])'")
    let restored = try await library.holdfast("restore", backup, "--recording", id)
    #expect(restored.status == 3 && restored.output == "", "\(restored.output)")
    #expect(restored.errorOutput.contains("another recording with its ID"))
  }

  @Test("The notes of three libraries appear once, in whatever order they are merged")
  func threeNotes() async throws {
    let all = [library, LibraryFolder("second"), LibraryFolder("third")]
    for (library, notes) in zip(all, ["x", "y", "z"]) {
      try await library.importing("aac.m4a", options: ["--notes", notes])
    }
    let before = [
      try await copy(all[0], "a"), try await copy(all[1], "b"), try await copy(all[2], "c"),
    ]
    try await merge(before[2], into: all[0])
    try await merge(before[1], into: all[0])
    try await merge(before[2], into: all[1])
    try await merge(before[0], into: all[1])
    try await merge(all[1], into: all[0])
    try await merge(all[0], into: all[1])
    let both = try await [notes(all[0]), notes(all[1])]
    #expect(both[0] == both[1])
    #expect(both[0].components(separatedBy: "\n\n").sorted() == ["x", "y", "z"])
  }

  @Test("A merge with a rebuilt catalog removes nothing")
  func rebuilt() async throws {
    let source = temporary("IMG_1.MOV")
    try FileManager.default.copyItem(atPath: Fixtures.path("portrait.mov"), toPath: source)
    _ = try await library.holdfast("import", source, "--purpose", "craving", "--title", "Why")
    let columns = """
      SELECT title, purpose, originalFilename, sourceSHA256, conversion, timestamp, rebuiltAt
      FROM recording
      """
    let row = try await library.sql(columns)
    let other = try await copy(library, "other")
    try FileManager.default.removeItem(atPath: "\(other.path)/catalog.sqlite")
    #expect(try await other.holdfast("restore", "--rebuild").status == 0)
    let rebuilt = try await copy(other, "rebuilt")
    try await merge(rebuilt, into: library)
    try await merge(library, into: other)
    for library in [library, other] { #expect(try await library.sql(columns) == row) }
    let again = try await library.holdfast("import", "--json", source)
    #expect(again.output.contains("duplicate"), "\(again.output)")
  }

  @Test("Plays after a deleted recording was restored are not lost in a merge")
  func playsAfterRestore() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    func play(_ count: Int) async throws {
      for _ in 1...count { _ = try await library.holdfast("play", id, "--count-only") }
    }
    try await play(3)
    _ = try await library.holdfast("backup", temporary("backups"))
    try await play(2)
    let other = LibraryFolder("other")
    try await merge(library, into: other)
    _ = try await library.holdfast("delete", "--yes", id)
    _ = try await library.holdfast("restore", temporary("backups"), "--recording", id)
    try await play(2)
    try await merge(library, into: other)
    #expect(try await other.column("SELECT playCount FROM recording") == ["7"])
  }

  @Test("A recording with an impossible number of plays is named, and the rest is merged")
  func hugeCount() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a", "voice.wav")
    try await other.changeCatalog(
      """
      INSERT INTO plays SELECT id, '\(UUID().uuidString)', 9223372036854775807 FROM recording
      WHERE originalFilename = 'aac.m4a'
      """)
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("9223372036854775807"), "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT originalFilename FROM recording") == ["voice.wav"])
  }

  @Test("A recording that was imported twice on purpose stays two, and nothing changes after that")
  func twice() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a")
    try await merge(other, into: library)
    // Another one with a smaller ID, which the other library adopts.
    let first = try await library.column("SELECT id FROM recording")[0]
    var second = ""
    repeat {
      if !second.isEmpty { _ = try await library.holdfast("delete", "--yes", second) }
      _ = try await library.holdfast("import", "--allow-duplicates", Fixtures.path("aac.m4a"))
      second = try await library.column("SELECT id FROM recording WHERE id <> '\(first)'")[0]
    } while second > first
    let both = try await copy(library, "both")
    _ = try await library.holdfast("delete", "--yes", first)
    try await merge(library, into: other)
    try await merge(both, into: library)
    try await merge(other, into: library)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    #expect(try await library.column("SELECT count(*) FROM alias") == ["0"])
    let again = try await library.holdfast("merge", other.path)
    #expect(again.output.contains("recordings: 1 unchanged"), "\(again.output)")
    try await library.expectSound()
  }
}
