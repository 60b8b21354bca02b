import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing data", .temporaryFolder)
struct ImportDataTests {
  let library = LibraryFolder()

  /// A craving's JSON.
  private func craving(_ number: Int, intensity: Int = 5, _ more: String = "") -> String {
    """
    {"id":"\(LibraryFolder.id(number))","timestamp":"2026-01-01T10:00:00.000Z",\
    "intensity":\(intensity),"triggers":[],"createdAt":"2026-01-01T10:00:00.000Z",\
    "modifiedAt":"2026-01-01T10:00:00.000Z"\
    \(more)}
    """
  }

  /// Imports a document, after a dry run with the same result that writes nothing.
  private func importData(
    _ document: String, into library: LibraryFolder, options: [String] = []
  ) async throws -> CommandResult {
    let before = try await Find.snapshot(TemporaryFolder.current)
    let dry = try await library.holdfast(["import-data", "--dry-run", document] + options)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
    let result = try await library.holdfast(["import-data", document] + options)
    #expect((result.status, result.output) == (dry.status, dry.output))
    #expect(result.errorLines == dry.errorLines)
    return result
  }

  @Test("An older copy of a library becomes the same as its document, byte for byte")
  func sameFiles() async throws {
    try await library.fill()
    try await library.changeCatalog(
      """
      UPDATE recording SET modifiedAt = '2026-01-03 10:00:00.000';
      UPDATE message SET modifiedAt = '2026-01-03 10:00:00.000';
      """)
    let document = try await library.export(to: "export.json")
    let copy = try await library.copy(to: "copy")
    let older = "'2020-01-01 00:00:00.000'"
    try await copy.changeCatalog(
      """
      UPDATE recording SET title = 'old', notes = NULL, purpose = 'craving', searchText = 'old',
        timestamp = \(older), timestampOffset = 5, timestampSource = 'fileName', playCount = 0,
        lastPlayedAt = NULL, modifiedAt = \(older);
      DELETE FROM cravingTrigger;
      UPDATE craving SET intensity = 2, notes = 'old', recordingId = NULL, modifiedAt = \(older)
        WHERE id < '\(LibraryFolder.id(3))';
      DELETE FROM craving WHERE id = '\(LibraryFolder.id(3))';
      UPDATE usage SET amount = 5, modifiedAt = \(older);
      INSERT INTO usageTrigger VALUES ('Sad', '\(LibraryFolder.id(5))');
      UPDATE message SET timesShown = 0, lastShownAt = NULL, isActive = 1, modifiedAt = \(older);
      UPDATE message SET content = 'old', priority = 0 WHERE isCustom;
      """)
    let result = try await importData(document, into: copy)
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "recordings: 2 updated", "cravings: 1 added, 2 updated",
        "usage: 2 updated", "messages: 12 updated",
      ])
    #expect(try await copy.export() == library.export())
    #expect(
      try await importData(document, into: copy).lines.allSatisfy {
        $0.hasSuffix("unchanged")
      })
    // The searched text was written too.
    #expect(
      try await copy.sql("SELECT id, searchText FROM recording ORDER BY id")
        == library.sql("SELECT id, searchText FROM recording ORDER BY id"))
    try await copy.expectSound()
  }

  @Test("Entries go into an empty library, and are linked once their recordings are back")
  func emptyLibrary() async throws {
    try await library.fill()
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    let result = try await importData(document, into: other)
    #expect(result.status == 3)
    #expect(
      result.lines == [
        "recordings: 2 no file", "cravings: 3 added", "usage: 2 added",
        "messages: 1 added, 1 updated, 10 unchanged",
      ])
    let ids = try await library.sql("SELECT originalFilename, id FROM recording ORDER BY id")
    #expect(
      result.errorLines
        == ids.map {
          "no file   \($0[0]) (\($0[1])): not in the library; import the file, then the data again"
        })
    for query in [
      "SELECT id, timestamp, timestampOffset, intensity, location, notes, createdAt, modifiedAt "
        + "FROM craving ORDER BY id",
      "SELECT * FROM usage ORDER BY id", "SELECT * FROM message ORDER BY id",
      "SELECT * FROM cravingTrigger ORDER BY 1, 2", "SELECT * FROM usageTrigger ORDER BY 1, 2",
    ] { #expect(try await other.sql(query) == library.sql(query)) }
    #expect(
      try await other.column("SELECT count(*) FROM craving WHERE recordingId IS NULL") == ["3"])

    // The recordings come back with their ids: the library's own files and rows.
    _ = try await Command.output(
      of: "cp", ["-a", "\(library.path)/Recordings", "\(other.path)/"])
    try await other.changeCatalog(
      "ATTACH '\(library.path)/catalog.sqlite' AS old; "
        + "INSERT INTO recording SELECT * FROM old.recording; "
        + "INSERT INTO plays SELECT * FROM old.plays;")
    #expect(
      try await importData(document, into: other).lines == [
        "recordings: 2 unchanged", "cravings: 1 updated, 2 unchanged",
        "usage: 2 unchanged",
        "messages: 12 unchanged",
      ])
    #expect(try await other.export() == library.export())
    try await other.expectSound()
  }

  @Test("An unedited record never replaces an edited one, however late it was imported")
  func uneditedTwin() async throws {
    let (edited, later) = (LibraryFolder("edited"), LibraryFolder("later"))
    try await edited.importing("portrait.mov")
    let id = try await edited.column("SELECT id FROM recording")[0]
    _ = try await edited.record(
      "edit", id, "--title", "Why I stopped", "--notes", "for Anna", "--purpose", "milestone")
    try await later.importing("portrait.mov", options: ["--allow-duplicates"])
    let words = "SELECT title, notes, purpose, modifiedAt FROM recording"
    let kept = try await edited.sql(words)
    let unedited = try await later.export(to: "unedited.json")
    #expect(try await importData(unedited, into: edited).lines[0] == "recordings: 1 unchanged")
    #expect(try await edited.sql(words) == kept)
    // In the other direction the edit is imported, although the file was imported after it.
    let document = try await edited.export(to: "edited.json")
    #expect(try await importData(document, into: later).lines[0] == "recordings: 1 updated")
    #expect(try await later.sql(words) == kept)
  }

  @Test("A title given at import stays, and fills in a missing one")
  func importedTitle() async throws {
    let (titled, plain) = (LibraryFolder("titled"), LibraryFolder("plain"))
    try await titled.importing("portrait.mov", options: ["--title", "Day one"])
    try await plain.importing("portrait.mov", options: ["--allow-duplicates"])
    let words = "SELECT title, modifiedAt FROM recording"
    _ = try await importData(try await plain.export(to: "plain.json"), into: titled)
    #expect(try await titled.sql(words) == [["Day one", ""]])
    _ = try await importData(try await titled.export(to: "titled.json"), into: plain)
    #expect(try await plain.sql(words) == [["Day one", ""]])
  }

  @Test("Entries of version 1 get this machine's time zone, and an edit only if there was one")
  func firstVersion() async throws {
    _ = try await library.holdfast("init", library.path)
    let edited = craving(2).replacing(
      #""modifiedAt":"2026-01-01T10"#, with: #""modifiedAt":"2026-07-01T10"#)
    let document = try LibraryFolder.document(#","cravings":[\#(craving(1)),\#(edited)]"#)
    let result = try await Command.run(
      Command.holdfast, library.command(["import-data", document]),
      environment: ["TZ": "America/St_Johns"])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.sql("SELECT timestampOffset, modifiedAt FROM craving ORDER BY id")
        == [["-210", ""], ["-210", "2026-07-01 10:00:00.000"]])
  }

  @Test("Recordings that were imported again are recognised by their files")
  func sameFile() async throws {
    try await library.fill()
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    try await other.importing("portrait.mov")
    // Converted by the same program, the file is the same; only its id is another.
    try #require(
      try await other.column("SELECT fileSHA256 FROM recording")
        == library.column("SELECT fileSHA256 FROM recording WHERE type = 'video'"))
    try await library.changeCatalog(
      "UPDATE recording SET title = 'later', modifiedAt = '2099-01-01 00:00:00.000'")
    let newer = try await library.export(to: "newer.json")
    let lines = try await importData(newer, into: other, options: ["--json"]).lines
    // One line for each record, imported or not, and the summary.
    let added = try await other.column(
      "SELECT (SELECT count(*) FROM craving) + (SELECT count(*) FROM usage)"
        + " + (SELECT sum(isCustom) FROM message)")
    #expect(lines.count(where: { $0.contains("\"event\":\"added\"") }) == Int(added[0]))
    #expect(lines.count(where: { $0.contains("\"event\":\"noFile\"") }) == 1)
    let audio = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    #expect(
      lines.first { $0.contains("noFile") }
        == "{\"event\":\"noFile\",\"id\":\"\(audio)\",\"kind\":\"recordings\",\"name\":\"aac.m4a\"}"
    )
    #expect(
      lines.last?.hasSuffix(
        "\"recordings\":{\"added\":0,\"noFile\":1,\"refused\":0,\"unchanged\":0,\"updated\":1},"
          + "\"transcripts\":"
          + "{\"added\":0,\"noFile\":0,\"refused\":0,\"unchanged\":0,\"updated\":0},"
          + "\"usage\":{\"added\":2,\"noFile\":0,\"refused\":0,\"unchanged\":0,\"updated\":0}}")
        == true)
    #expect(try await other.column("SELECT title FROM recording") == ["later"])
    #expect(
      try await other.column("SELECT recordingId FROM craving WHERE id = '\(LibraryFolder.id(1))'")
        == other.column("SELECT id FROM recording"))
    #expect(
      try await importData(document, into: other).lines.first
        == "recordings: 1 unchanged, 1 no file")
    try await other.expectSound()
  }

  @Test("A record that breaks a rule is refused, and the others are imported")
  func refused() async throws {
    let document = try LibraryFolder.document(
      """
      ,"cravings":[\(craving(1)),{"id":"x\\u001b[31m"},\(craving(3, intensity: 11)),7,\
      \(craving(2, ",\"notes\":\"\(String(repeating: "n", count: 501))\""))],"usage":[{}]
      """)
    let result = try await importData(document, into: library)
    #expect(result.status == 3)
    #expect(
      result.lines == [
        "cravings: 1 added, 4 refused", "usage: 1 refused",
      ])
    let refused = result.errorLines.filter { $0.hasPrefix("refused") }
    #expect(refused.count == 5)
    #expect(refused[0].hasPrefix("refused   cravings[1] (x\\u{1B}[31m): "))
    #expect(refused[2] == "refused   cravings[3]: it is not an object")
    #expect(
      refused[3]
        == "refused   cravings[4] (\(LibraryFolder.id(2))): the notes have 501 characters; "
        + "at most 500 are allowed")
    #expect(try await library.column("SELECT id FROM craving") == [LibraryFolder.id(1)])
  }

  @Test(
    "A file that is not a document is refused whole",
    arguments: [
      "", "hello", "[]", "{\"format\":\"holdfast\",\"schemaVersion\":3}",
      "{\"format\":\"holdfast\",\"schemaVersion\":1,\"cravings\":[}",
      "{\"format\":\"holdfast\",\"schemaVersion\":1,\"cravings\":"
        + String(repeating: "[", count: 9999),
      "\u{0}\u{0}\u{0}",
    ])
  func foreign(text: String) async throws {
    let path = temporary("document.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let result = try await importData(path, into: library)
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errorLines.count == 1)
    #expect(result.errorOutput.hasPrefix("Error: \(path): "))
    #expect(try await library.column("SELECT count(*) FROM craving") == ["0"])
  }

  @Test("Folders, pipes and missing files are refused")
  func noFile() async throws {
    _ = try await Command.output(of: "mkfifo", [temporary("pipe")])
    for (name, words) in [
      ("", "not a regular file"), ("pipe", "not a regular file"),
      ("missing", "No such file or directory"),
    ] {
      let result = try await library.holdfast("import-data", temporary(name))
      #expect(result.status == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errorOutput.contains(words))
    }
  }

  @Test("Everything is written in one transaction, or nothing")
  func oneTransaction() async throws {
    try await library.fill()
    let copy = try await library.copy(to: "copy")
    let before = try await copy.export()
    let cravings = (100..<1400).map { craving($0) }.joined(separator: ",")
    let document = try LibraryFolder.document(",\"cravings\":[\(cravings)]")
    // The disk becomes full after a part is written.
    let result = try await Strace.run(
      ["trace=pwrite64", "inject=pwrite64:error=ENOSPC:when=40+"],
      copy.command(["import-data", document])
    ).result
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.contains("the disk is full"))
    #expect(try await copy.export() == before)
  }

  @Test("Only documents are read, and only the library is written")
  func systemCalls() async throws {
    let document = try LibraryFolder.document(",\"cravings\":[\(craving(1))]")
    let trace = try await Strace.run(
      ["trace=open,openat,openat2,creat,%network"], library.command(["import-data", document]))
    #expect(trace.result.status == 0)
    let written = trace.calls.filter { $0.contains("O_WRONLY") || $0.contains("O_RDWR") }
    #expect(written.allSatisfy { $0.contains(library.path) || $0.contains("/dev/") })
    #expect(!trace.calls.contains { $0.hasPrefix("socket(") || $0.hasPrefix("connect(") })
  }

  @Test("An entry in the future is imported with a remark, like the others")
  func future() async throws {
    _ = try await library.record("craving", "log", "--intensity", "5")
    _ = try await library.record("craving", "log", "--intensity", "6")
    try await library.changeCatalog(
      "UPDATE craving SET timestamp = '2099-01-01 00:00:00.000' WHERE intensity = 5")
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    let result = try await importData(document, into: other)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorLines.count { $0.contains("is in the future") } == 1)
    #expect(try await other.export() == library.export())
    // Its notes can still be changed, because its time is not.
    let id = try await library.column("SELECT id FROM craving WHERE intensity = 5")[0]
    #expect(try await library.record("craving", "edit", id, "--notes", "x").notes == "x")
  }

  @Test("A dry run does not even bring an older catalog up to date")
  func olderCatalog() async throws {
    try await library.importing("aac.m4a")
    let document = try await library.export(to: "export.json")
    try await library.changeCatalog("DELETE FROM grdb_migrations WHERE identifier = 'v2'")
    let catalog = "\(library.path)/catalog.sqlite"
    let before = try await sha256(of: catalog)
    for command in [["import-data", document], ["import", Fixtures.path("voice.wav")]] {
      let result = try await library.holdfast(command + ["--dry-run"])
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("; run any command that writes, such as holdfast import"))
    }
    #expect(try await sha256(of: catalog) == before)
  }
}
