import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data: nothing vanishes", .temporaryFolder)
struct AppLossTests {
  let library = LibraryFolder()

  private func importApp(_ path: String, _ options: String...) async throws -> CommandResult {
    try await library.holdfast(["import-app", path] + options)
  }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: temporary(name)))
    return temporary(name)
  }

  @Test("A value that the store keeps in a file of its own is read")
  func external() async throws {
    let app = try AppFolder()
    let name = "0A1B2C3D-0000-4000-8000-000000000001"
    let values = app.path + "/Library/Application Support/.default_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: values, withIntermediateDirectories: true)
    try Data(#"["Bored","Social"]"#.utf8).write(to: URL(fileURLWithPath: "\(values)/\(name)"))
    _ = try write(#"["Hungry"]"#, to: "secret")
    try app.makeStore(
      old: [name, "../../../secret"].enumerated().map { number, name in
        """
        INSERT INTO ZCRAVINGMODEL (ZID, ZTIMESTAMP, ZINTENSITY, ZTRIGGERS) VALUES
          (\(AppFolder.id(number + 1)), \(AppFolder.moment), 5, CAST(X'02' || '\(name)' AS BLOB));
        """
      }.joined())
    for path in [app.path, app.store] {
      let library = LibraryFolder(path == app.path ? "whole" : "store")
      let result = try await library.holdfast("import-app", path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(
        try await library.column("SELECT trigger FROM cravingTrigger ORDER BY trigger")
          == ["Bored", "Social"])
      #expect(result.errorOutput.contains("triggers: 1 craving"), "\(result.errorOutput)")
    }
  }

  @Test("A store that is listed, but is not there or is no file, is refused")
  func lostStore() async throws {
    let app = try await AppFolder.whole()
    let domain = "AppDomain-com.example.cravings"
    for file in ["default.store", "default.store-wal"] {
      let backup = try await AppFolder.makeBackup([domain: app.path])
      let path = "Library/Application Support/" + file
      let id = try sqlite3(
        backup + "/Manifest.db", "SELECT fileID FROM Files WHERE relativePath = '\(path)'"
      ).trimmingCharacters(in: .whitespacesAndNewlines)
      try FileManager.default.removeItem(atPath: "\(backup)/\(id.prefix(2))/\(id)")
      let result = try await importApp(backup, "--app", "cravings")
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("lists \(path), but the file is not in the backup"))
    }
    try FileManager.default.moveItem(atPath: app.store, toPath: app.path + "/moved")
    try FileManager.default.createSymbolicLink(
      atPath: app.store, withDestinationPath: app.path + "/moved")
    let linked = try await importApp(app.path)
    #expect(linked.status == 1)
    #expect(linked.errorOutput.contains("default.store, which is not a regular file"))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
  }

  @Test("Values of another type, a second link and an enumeration's own column are not lost")
  func values() async throws {
    let id = { LibraryFolder.id($0) }
    let path = try write(
      """
      {"recordings": [
         {"id": "\(id(1))", "filePath": "a.m4a", "title": 30, "cravingId": "\(id(11))"},
         {"id": "\(id(2))", "filePath": "b.m4a", "title": {"a": 1}, "cravingId": "\(id(11))"}],
       "cravings": [
        {"id": "\(id(11))", "timestamp": 782000000, "intensity": 8, "notes": ["one", "two"],
          "location_latitude": 52.5, "location_longitude": 13.4},
        {"id": "\(id(12))", "timestamp": 782000000, "intensity": 8, "notes": {"a": 1}}],
       "usage": [
        {"id": "\(id(21))", "timestamp": 782000000, "methodRawValue": "Bowls", "amount": 1}]}
      """, to: "cravings.json")
    let result = try await importApp(path)
    #expect(result.errorOutput.contains("notes: 1 craving, an object, not kept"))
    #expect(result.errorOutput.contains("title: 1 recording, an object, not kept"))
    #expect(
      result.errorOutput.contains(
        "craving: 1 recording, not linked, because a craving names one recording"))
    #expect(
      try await library.sql("SELECT notes, location FROM craving ORDER BY id")
        == [["one, two", "52.5,13.4"], ["", ""]])
    #expect(try await library.column("SELECT method FROM usage") == ["Bowls"])
  }

  @Test("Of two elements with one ID, the one that was changed last is imported, and it is named")
  func repeated() async throws {
    let id = { LibraryFolder.id($0) }
    let craving = { (notes: String, updated: String) in
      """
      {"id": "\(id(11))", "timestamp": 782000000, "intensity": 8, "notes": "\(notes)",
       "updatedAt": "2025-11-0\(updated)T00:00:00Z"}
      """
    }
    let (new, old) = (craving("new", "2"), craving("old", "1"))
    for (number, list) in ["\(new), \(old)", "\(old), \(new)"].enumerated() {
      let library = LibraryFolder("library-\(number)")
      let path = try write("{\"cravings\": [\(list)]}", to: "cravings.json")
      for command in ["import-app", "import-data"] {
        let result = try await library.holdfast(command, path)
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(
          result.errorLines == [
            "note: 1 craving with the ID of another one, left out: the version that was changed "
              + "last counts"
          ])
        #expect(try await library.column("SELECT notes FROM craving") == ["new"])
      }
    }
  }

  @Test("Of two recordings with one ID, the one that was changed last is imported")
  func repeatedRecordings() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try app.copy("portrait.mov", to: "b.mov")
    let recording = { (file: String, title: String, day: Int) in
      """
      {"id": "\(LibraryFolder.id(1))", "filePath": "\(file)", "title": "\(title)",
       "createdAt": "2025-11-01T00:00:00Z", "modifiedAt": "2025-11-0\(day)T00:00:00Z"}
      """
    }
    let list = "[\(recording("a.m4a", "new", 3)), \(recording("b.mov", "old", 2))]"
    try Data(list.utf8).write(
      to: URL(fileURLWithPath: app.path + "/Documents/recordings.json"))
    let result = try await importApp(app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.errorOutput.contains("note: 1 recording with the ID of another one, left out"),
      "\(result.errorOutput)")
    #expect(
      try await library.sql("SELECT id, title, type FROM recording")
        == [[LibraryFolder.id(1), "new", "audio"]])
  }

  @Test("A dry run says that an ID is taken here, and keeps links")
  func takenID() async throws {
    let app = try await AppFolder.whole()
    try await library.importing("hevc8.mp4")
    try await library.changeCatalog("UPDATE recording SET id = '\(LibraryFolder.id(1))'")
    let result = try await importApp(app.path, "--dry-run")
    #expect(
      result.errorOutput.contains(
        "another recording here has or had the ID \(LibraryFolder.id(1)), so the app's would get "
          + "a new one"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("not linked"), "\(result.errorOutput)")
  }

  @Test("Notes that are too long, and what belongs to no habit, are named")
  func habits() async throws {
    _ = try await library.holdfast("journal", "enable", "habits")
    let id = { LibraryFolder.id($0) }
    let path = try write(
      """
      {"habits": [{"id": "\(id(1))", "name": "Walk", "goal": "1 time per day",
         "habitType": "Habit Building", "startDate": "2025-10-01T00:00:00Z"}],
       "completions": [{"habitId": "\(id(9))", "date": "2025-10-06T00:00:00Z",
         "isCompleted": true}],
       "habitNotes": [
         {"habitId": "\(id(1))", "content": "\(String(repeating: "river ", count: 400))"},
         {"habitId": "\(id(9))", "content": "By the sea"}]}
      """, to: "habits.json")
    let result = try await importApp(path)
    #expect(try await library.column("SELECT count(*) FROM habit") == ["1"])
    #expect(result.errorOutput.contains("habitNotes: 1 habit, cut to 1999 characters"))
    #expect(result.errorOutput.contains("of a habit that was not imported, left out: By the sea"))
    #expect(
      result.errorOutput.contains(
        "habitId: 1 habit day, of a habit that was not imported, left out"))
  }

  @Test("A backup of an app whose payload was changed is refused")
  func checksum() async throws {
    _ = try await library.holdfast("journal", "enable", "habits")
    let payload =
      #"{"habits":[{"id":"\#(LibraryFolder.id(1))","name":"Walk","#
      + #""goal":"1 time per day","habitType":"Habit Building","#
      + #""startDate":"2025-10-01T00:00:00Z"}]}"#
    let plain = try write(payload, to: "plain")
    let hash = try await Command.output(of: "sha256sum", [plain]).output.prefix(64)
    let text = Data(payload.utf8).base64EncodedString()
    for (checksum, status) in [(String(repeating: "0", count: 64), 1), (String(hash), 0)] {
      let path = try write(
        #"{"version":"1","isCompressed":false,"checksum":"\#(checksum)","payload":"\#(text)"}"#,
        to: "backup.json")
      let result = try await importApp(path)
      #expect(result.status == status, "\(result.errorOutput)")
      #expect(result.errorOutput.contains("does not have its checksum") == (status == 1))
    }
    #expect(try await library.column("SELECT name FROM habit") == ["Walk"])
  }
}
