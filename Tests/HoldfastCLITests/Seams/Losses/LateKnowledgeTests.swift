import Foundation
import HoldfastTestSupport
import Testing

/// What a library does not know when it is edited, and learns later from another one.
@Suite("Words and links that another library knows", .temporaryFolder)
struct LateKnowledgeTests {
  private let library = LibraryFolder()
  private let other = LibraryFolder("other")

  /// Makes two libraries that imported one source, each with words of its own. The recording of the
  /// first one, or of the second, has the smaller ID, which both keep.
  private func makeTwins(isFirstKept: Bool) async throws {
    for library in [library, other] {
      _ = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    }
    let ids = try await [id(library), id(other)]
    if (ids[0] < ids[1]) != isFirstKept { try await swapLibraries() }
    try await edit(library, "Alpha", "a-words")
    try await edit(other, "Zeta", "z-words")
  }

  private func swapLibraries() async throws {
    let script = "mv \"$0\" \"$0.2\" && mv \"$1\" \"$0\" && mv \"$0.2\" \"$1\""
    _ = try await Command.output(of: "sh", ["-c", script, library.path, other.path])
  }

  private func id(_ library: LibraryFolder) async throws -> String {
    try await library.column("SELECT id FROM recording")[0]
  }

  private func edit(_ library: LibraryFolder, _ title: String, _ notes: String) async throws {
    let result = try await library.holdfast(
      "edit", id(library), "--title", title, "--notes", notes)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  private func words(_ library: LibraryFolder) async throws -> [[String]] {
    try await library.sql("SELECT title, replace(notes, char(10), '/') FROM recording")
  }

  private func run(_ library: LibraryFolder, _ arguments: String...) async throws {
    let result = try await library.holdfast(arguments)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  @Test(
    "An older copy that is merged first hides no edit", arguments: [true, false], [true, false])
  func oldCopy(isFirstKept: Bool, byDocument: Bool) async throws {
    try await makeTwins(isFirstKept: isFirstKept)
    try await run(library, "export", "--format", "json", "--output", temporary("old.json"))
    try await run(library, "backup", temporary("backup"))
    try await edit(library, "Alpha 2", "a-important")
    try await edit(other, "Zeta 2", "z-later")
    if byDocument {
      try await run(other, "import-data", temporary("old.json"))
      try await run(library, "export", "--format", "json", "--output", temporary("new.json"))
      try await run(other, "import-data", temporary("new.json"))
    } else {
      try await run(other, "merge", temporary("backup"))
      try await run(other, "merge", library.path)
    }
    try await run(library, "merge", other.path)
    try await run(other, "merge", library.path)
    let merged = try await words(library)
    for word in ["Alpha 2", "a-important", "Zeta 2", "z-later"] {
      #expect(merged.joined().joined().contains(word), "\(merged)")
    }
    #expect(try await words(other) == merged)
    // Once a person has edited both, an older copy brings nothing back.
    try await edit(library, "Both", "mine")
    try await run(other, "merge", library.path)
    try await run(other, "merge", temporary("backup"))
    try await run(library, "merge", other.path)
    #expect(try await words(library) == [["Both", "mine"]])
    #expect(try await words(other) == [["Both", "mine"]])
  }

  @Test("A document brings the same words as its library", arguments: [true, false])
  func document(isFirstKept: Bool) async throws {
    try await makeTwins(isFirstKept: isFirstKept)
    let copy = LibraryFolder(at: "copy")
    let path = temporary("other.json")
    for step in 1...3 {
      try await run(other, "export", "--format", "json", "--output", "\(path)\(step)")
      _ = try await Command.output(
        of: "sh", ["-c", "rm -rf \"$1\"; cp -a \"$0\" \"$1\"", library.path, copy.path])
      try await run(library, "merge", other.path)
      try await run(copy, "import-data", "\(path)\(step)")
      #expect(try await words(copy) == words(library), "\(step)")
      // Both have the words of both only after the second merge.
      if step == 1 { try await edit(other, "Zeta 2", "z-later") }
      if step == 2 { try await run(other, "merge", library.path) }
    }
  }

  @Test("A document whose words were refused is not known as merged")
  func refused() async throws {
    try await makeTwins(isFirstKept: true)
    let long = { (word: String) in String(repeating: word + " ", count: 800) }
    try await edit(library, "Alpha", long("alpha"))
    try await edit(other, "Zeta", long("zeta"))
    let path = temporary("other.json")
    try await run(other, "export", "--format", "json", "--output", path)
    let result = try await library.holdfast("import-data", path)
    #expect(result.status == 3 && result.errorOutput.contains("shorten one of them"))
    #expect(try await library.column("SELECT count(*) FROM alias") == ["0"])
    try await edit(library, "Alpha", "short")
    try await run(library, "import-data", path)
    let merged = try await words(library).joined().joined()
    #expect(merged.contains("short") && merged.contains("zeta zeta"), "\(merged.prefix(80))")
  }

  @Test("Of two recordings that became one here, a document changes the one that it means")
  func bothInDocument() async throws {
    try await run(other, "import", Fixtures.path("aac.m4a"))
    let library = try await other.copy(to: "copy")
    try await run(other, "import", "--allow-duplicates", Fixtures.path("aac.m4a"))
    let ids = try await other.column("SELECT id FROM recording ORDER BY createdAt")
    try await library.changeCatalog(
      "INSERT INTO alias (id, recordingId) VALUES ('\(ids[1])', '\(ids[0])')")
    for (id, title) in zip(ids, ["First", "Second"]) {
      try await run(other, "edit", id, "--title", title)
    }
    let path = temporary("other.json")
    try await run(other, "export", "--format", "json", "--output", path)
    let result = try await library.holdfast("import-data", path)
    #expect(result.lines.first == "recordings: 1 updated, 1 no file", "\(result.output)")
    #expect(try await words(library).first?.first == "First")
  }

  @Test("A link that was lost with its recording is kept, and comes back with it")
  func lostLinks() async throws {
    try await run(library, "import", Fixtures.path("aac.m4a"))
    let recording = try await id(library)
    try await run(library, "craving", "log", "--intensity", "5", "--recording", recording)
    let craving = try await library.column("SELECT id FROM craving")[0]
    let other = try await library.copy(to: "other-copy")
    try await run(library, "delete", "--yes", recording)
    try await run(library, "craving", "edit", craving, "--notes", "edited after")
    let link = "SELECT notes, recordingId FROM craving"
    let kept = [["edited after", recording]]
    for isDocument in [true, false] {
      let copy = try await other.copy(to: "kept-\(isDocument)")
      let path = temporary("\(isDocument).json")
      try await run(library, "export", "--format", "json", "--output", path)
      if isDocument {
        try await run(copy, "import-data", path)
      } else {
        try await run(copy, "merge", library.path)
      }
      #expect(try await copy.sql(link) == kept)
    }
    // The same source may come again before the merge.
    for isImported in [true, false] {
      let copy = try await library.copy(to: "back-\(isImported)")
      let other = try await other.copy(to: "other-\(isImported)")
      if isImported { try await run(copy, "import", Fixtures.path("aac.m4a")) }
      let merged = try await copy.holdfast("merge", other.path)
      #expect(merged.status == 0, "\(merged.errorOutput)")
      if !isImported { #expect(merged.lines.contains("cravings: 1 updated"), "\(merged.output)") }
      let now = try await id(copy)
      #expect(try await copy.sql(link) == [["edited after", now]])
      // A link that a person removes afterwards stays removed.
      try await run(copy, "craving", "unlink", craving)
      try await run(copy, "merge", other.path)
      #expect(try await copy.sql(link) == [["edited after", ""]])
      try await run(other, "merge", copy.path)
      #expect(try await other.sql(link) == [["edited after", ""]])
    }
  }

  @Test("A reference that was lost with its record is kept, and comes back with it")
  func lostReferences() async throws {
    try await run(library, "journal", "enable", "food")
    try await run(
      library, "food", "ingredient", "add", "oats", "--name", "Oats", "--calories", "370",
      "--protein", "1", "--carbohydrates", "2", "--fat", "3", "--category", "grain")
    try await run(
      library, "food", "log", "--name", "Oats", "--quantity", "50", "--unit", "g", "--ingredient",
      "oats")
    let entry = try await library.column("SELECT id FROM foodEntry")[0]
    let other = try await library.copy(to: "other-copy")
    try await run(library, "food", "ingredient", "delete", "--yes", "oats")
    try await run(library, "food", "edit", entry, "--said", "new words")
    let link = "SELECT rawDescription, matchedIngredientId FROM foodEntry"
    for (one, two) in [(library, other), (other, library)] {
      let copy = try await one.copy(to: "merged-\(one.path == library.path)")
      try await run(copy, "merge", two.path)
      #expect(try await copy.sql(link) == [["new words", "oats"]])
    }
  }

  @Test("Another recording with the same ID is not the one that a link names")
  func namesake() async throws {
    try await run(library, "import", Fixtures.path("aac.m4a"))
    let recording = try await id(library)
    try await run(library, "craving", "log", "--intensity", "5", "--recording", recording)
    let craving = try await library.column("SELECT id FROM craving")[0]
    try await run(other, "import", Fixtures.path("alac.m4a"))
    let path = try await other.column("SELECT filePath FROM recording")[0]
    let old = try await id(other)
    let new = path.replacing(old, with: recording)
    try FileManager.default.moveItem(
      atPath: "\(other.path)/\(path)", toPath: "\(other.path)/\(new)")
    try await other.changeCatalog(
      "UPDATE recording SET id = '\(recording)', filePath = '\(new)'; DELETE FROM sound;")
    for step in 1...2 {
      let merged = try await other.holdfast("merge", library.path)
      #expect(merged.status == 3, "\(merged.output)")
      if step == 1 { try await run(other, "craving", "edit", craving, "--notes", "there") }
      _ = try await library.holdfast("merge", other.path)
      #expect(
        try await library.sql("SELECT notes, recordingId FROM craving") == [["there", recording]])
    }
  }

  @Test("A document brings the taps of both on a habit's first day")
  func taps() async throws {
    try await run(library, "journal", "enable", "habits")
    try await run(library, "habit", "add", "Water", "--goal", "4")
    let other = try await library.copy(to: "other-copy")
    for library in [library, other] { try await run(library, "habit", "done", "Water") }
    let path = temporary("other.json")
    try await run(other, "export", "--format", "json", "--output", path)
    for _ in 1...2 {
      try await run(library, "import-data", path)
      #expect(try await library.column("SELECT progressCount FROM habitDay") == ["2"])
    }
  }
}
