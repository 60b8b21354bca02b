import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data: refusals", .temporaryFolder)
struct AppRefusalTests {
  let library = LibraryFolder()

  private func importApp(_ path: String, _ options: String...) async throws -> CommandResult {
    try await library.holdfast(["import-app", path] + options)
  }

  @Test("Files that lie outside the app, are missing or are too long are refused by name")
  func refusals() async throws {
    let app = try AppFolder()
    try app.copy("len-121.m4a", to: "long.m4a")
    _ = try copyFixture("voice.wav", to: "secret.wav")
    try app.makeStore(
      old: [
        "../../secret.wav", "gone.m4a", "long.m4a", "/etc/hostname",
      ].enumerated().map { number, path in
        """
        INSERT INTO ZRECORDINGMODEL (ZID, ZFILEPATH, ZCREATEDAT)
          VALUES (\(AppFolder.id(number + 1)), '\(path)', \(AppFolder.moment));
        INSERT INTO ZCRAVINGMODEL (ZID, ZTIMESTAMP, ZINTENSITY, ZRECORDING)
          VALUES (\(AppFolder.id(number + 11)), \(AppFolder.moment), 5, \(number + 1));
        """
      }.joined())
    let result = try await importApp(app.path)
    #expect(result.status == 3)
    #expect(result.lines.contains("Nothing new: 4 refused."))
    #expect(result.errorLines.filter { $0.hasPrefix("refused") }.count == 4)
    #expect(
      result.errorOutput.contains(
        "recording: 4 cravings, not linked, because the recording is not in the library"))
    #expect(result.errorOutput.contains("4 recordings of the app not in the library"))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    #expect(try await library.column("SELECT count(*) FROM craving") == ["4"])
    let trimmed = try await importApp(app.path, "--over-limit", "trim")
    #expect(trimmed.status == 3)
    #expect(try await library.column("SELECT id FROM recording") == [LibraryFolder.id(3)])
    #expect(
      try await library.column("SELECT id FROM craving WHERE recordingId IS NOT NULL")
        == [LibraryFolder.id(13)])
  }

  @Test("Damaged, foreign and unreadable input gives one sentence, and changes nothing")
  func badInput() async throws {
    let app = try await AppFolder.whole()
    let damaged = try AppFolder("damaged")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: app.store))
    bytes.replaceSubrange(4096..<min(bytes.count, 12288), with: Data(repeating: 7, count: 8192))
    try bytes.write(to: URL(fileURLWithPath: damaged.store))
    let foreign = try AppFolder("foreign")
    try sqlite3(foreign.store, "CREATE TABLE note (text TEXT);")
    let noise = try AppFolder("noise")
    try Data((0..<9000).map { UInt8($0 * 31 % 251) }).write(to: URL(fileURLWithPath: noise.store))
    let files = [
      ("deep.json", String(repeating: "[", count: 100_000)), ("other.json", #"{"a":1}"#),
      ("text.json", "hello"), ("foreign.json", #"{"games":[{"score":1}]}"#),
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: temporary(name)))
    }
    let empty = temporary("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let cases: [(String, String)] = [
      (damaged.path, "is damaged"), (foreign.path, "it has no tables of Core Data"),
      (noise.path, "is not an SQLite store, or is encrypted"), (empty, "is not a folder of an app"),
      (temporary("missing"), "No such file or directory"),
      (temporary("deep.json"), "is not readable JSON, or is nested too deep"),
      (temporary("other.json"), "is not a document of an app that Holdfast knows"),
      (temporary("text.json"), "is not readable JSON"),
      (temporary("foreign.json"), "is not a document of an app that Holdfast knows"),
      (Fixtures.path("portrait.mov"), "looks like a recording; bring it in with holdfast import"),
      (library.path, "is inside a Holdfast library"),
    ]
    for (path, words) in cases {
      for options in [[], ["--dry-run"]] {
        let result = try await library.holdfast(["import-app", path] + options)
        #expect(result.status == 1, "\(path)")
        #expect(result.errorLines.count == 1, "\(path): \(result.errorOutput)")
        #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
      }
    }
    #expect(try await library.find("-path", "*/.staging/*").isEmpty)
    #expect(try await library.column("SELECT count(*) FROM craving") == ["0"])
  }

  @Test("A backup that the app made is imported by its own name, and not with the others")
  func ownBackups() async throws {
    let app = try AppFolder()
    let backups = app.path + "/Documents/Backups"
    try FileManager.default.createDirectory(
      atPath: backups, withIntermediateDirectories: true)
    let craving = #"{"id": "\#(LibraryFolder.id(9))", "timestamp": 782000000, "intensity": 8}"#
    for number in 1...2 {
      try Data("{\"cravings\": [\(craving)]}".utf8)
        .write(to: URL(filePath: "\(backups)/\(number).json"))
    }
    let documents = temporary("documents")
    try FileManager.default.createDirectory(
      atPath: documents, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: backups, toPath: documents + "/Backups")
    let alone = try await importApp(documents)
    #expect(alone.status == 1)
    #expect(alone.errorOutput.contains("import the newest file in Backups by its name"))
    try app.makeStore()
    let beside = try await importApp(app.path)
    #expect(beside.errorOutput.contains("Backups: 2 files left out"), "\(beside.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM craving") == ["0"])
    #expect(try await importApp(backups + "/1.json").status == 0)
    #expect(try await library.column("SELECT count(*) FROM craving") == ["1"])
  }

  @Test("A document that was cut short is named, and the status says so")
  func cut() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try Data(#"{"recordings":[{"id":"\#(LibraryFolder.id(1))","#.utf8)
      .write(to: URL(filePath: app.path + "/Documents/app.json"))
    let result = try await importApp(app.path)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("app.json: is not readable JSON"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("nothing in it was imported"))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
  }

  @Test(
    "A folder that cannot be read is named, and the rest comes in",
    arguments: ["", "Recordings", "Photos"])
  func unreadable(folder: String) async throws {
    let library = try await LibraryFolder.withFaith("faith")
    let documents = temporary("app/Documents")
    for (name, copy) in [("aac.m4a", "Recordings/note.m4a"), ("photo.jpg", "Photos/sea.jpg")] {
      let path = URL(filePath: "\(documents)/\(copy)")
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Fixtures.path(name), toPath: path.path)
    }
    try Data(
      """
      {"journalEntries": [{"id": "\(LibraryFolder.id(1))", "title": "Sea", "content": "",
        "date": "2025-10-12T06:00:00Z", "createdAt": "2025-10-12T06:00:00Z",
        "photoURLs": ["Photos/sea.jpg"], "audioURL": "Recordings/note.m4a"}]}
      """.utf8
    ).write(to: URL(filePath: documents + "/faith.json"))
    let closed = folder.isEmpty ? documents : "\(documents)/\(folder)"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    // Root may read everything, unless it gives up its capabilities.
    let arguments = [try Command.holdfast] + library.command(["import-app", temporary("app")])
    let result =
      geteuid() == 0
      ? try await Command.run("setpriv", ["--bounding-set=-all", "--inh-caps=-all"] + arguments)
      : try await Command.run("env", arguments)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
    #expect(result.status == 3)
    #expect(
      result.errorOutput.contains("\(closed): could not open: Permission denied"),
      "\(result.errorOutput)")
    for falsehood in ["not there", "not in the app", "listed by no"] {
      #expect(!result.errorOutput.contains(falsehood), "\(result.errorOutput)")
    }
    let expected = [
      "": ["0", "0", "0"], "Recordings": ["1", "0", "1"], "Photos": ["1", "1", "0"],
    ]
    func counts() async throws -> [String] {
      try await library.column(
        "SELECT count(*) FROM journalEntry UNION ALL SELECT count(*) FROM recording "
          + "UNION ALL SELECT count(*) FROM entryPhotoFile")
    }
    #expect(try await counts() == expected[folder])
    // The next import brings the rest.
    let again = try await library.holdfast("import-app", temporary("app"))
    #expect(again.status == 0, "\(again.errorOutput)")
    #expect(try await counts() == ["1", "1", "1"])
    #expect(
      try await library.column("SELECT count(*) FROM journalEntry WHERE recordingId IS NOT NULL")
        == ["1"])
    try await library.expectSound()
  }

  @Test("A store with too many rows is refused with the limit")
  func manyRows() async throws {
    let app = try AppFolder()
    try app.makeStore(
      old: """
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500001)
        INSERT INTO ZCRAVINGMODEL (ZINTENSITY) SELECT 5 FROM n;
        """)
    let result = try await importApp(app.path)
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("has more than 500000 rows"), "\(result.errorOutput)")
  }

  @Test("A link in the app's folder is not followed")
  func links() async throws {
    let app = try AppFolder()
    _ = try copyFixture("voice.wav", to: "secret.wav")
    try FileManager.default.createSymbolicLink(
      atPath: app.recordings + "/video_\(LibraryFolder.id(1)).mov",
      withDestinationPath: temporary("secret.wav"))
    try app.makeStore(
      old: """
        INSERT INTO ZRECORDINGMODEL (ZID, ZFILEPATH, ZCREATEDAT) VALUES
          (\(AppFolder.id(1)), 'Recordings/video_\(LibraryFolder.id(1)).mov', \(AppFolder.moment));
        """)
    let result = try await importApp(app.path)
    #expect(result.status == 3)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
  }
}
