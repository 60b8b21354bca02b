import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data", .temporaryFolder)
struct ImportAppTests {
  let library = LibraryFolder()

  private func importApp(_ path: String, _ options: String...) async throws -> CommandResult {
    try await library.holdfast(["import-app", path] + options)
  }

  @Test("A container comes in whole, with rows that are only in the WAL, and again as nothing new")
  func container() async throws {
    let app = try await AppFolder.whole()
    let before = try await Find.snapshot(app.path)
    let dry = try await importApp(app.path, "--dry-run")
    #expect(dry.status == 0, "\(dry.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    let result = try await importApp(app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.lines.first
        == "Recognised the container of an app: 2 recordings, 2 cravings, 1 usage, 1 message.")
    #expect(result.lines.suffix(3) == ["cravings: 2 added", "usage: 1 added", "messages: 1 added"])
    #expect(dry.lines.suffix(3) == result.lines.suffix(3))
    #expect(
      Set(result.errorLines) == [
        "note: wasManagedSuccessfully: 2 cravings, not kept", "note: SyncState: 2 rows, not kept",
      ])
    #expect(
      try await library.sql(
        """
        SELECT id, timestamp, purpose, title, notes, playCount, lastPlayedAt, createdAt, modifiedAt
        FROM recording ORDER BY id
        """) == [
          [
            LibraryFolder.id(1), "2025-10-12 22:13:20.500", "milestone", "Thirty days",
            "My own notes", "7", "2025-10-12 22:15:00.000", "2025-10-12 22:13:21.000",
            "2025-10-12 22:30:00.000",
          ],
          [
            LibraryFolder.id(2), "2025-10-12 22:13:20.500", "craving", "", "", "0", "",
            "2025-10-12 22:13:21.000", "",
          ],
        ])
    #expect(
      try await library.sql(
        "SELECT id, intensity, location, notes, recordingId FROM craving ORDER BY id") == [
          [
            LibraryFolder.id(11), "8", "Home", "Mine\nCoping strategy: Breathe out",
            LibraryFolder.id(1),
          ],
          [
            LibraryFolder.id(12), "3", "", "Trigger: Full moon\nLocation: Park",
            LibraryFolder.id(2),
          ],
        ])
    #expect(
      try await library.column("SELECT trigger FROM cravingTrigger ORDER BY cravingId, trigger")
        == ["Anxious", "Bored", "Hungry"])
    #expect(
      try await library.sql("SELECT method, amount, location FROM usage")
        == [["Bowls", "1.5", "52.5,13.4"]])
    #expect(
      try await library.sql(
        "SELECT content, timesShown FROM message WHERE id = '\(LibraryFolder.id(31))'")
        == [["You can.", "3"]])
    #expect(try await Find.snapshot(app.path) == before)

    let again = try await importApp(app.path)
    #expect(again.status == 0)
    #expect(
      again.lines.suffix(5) == [
        "Nothing new: 2 already in the library.", "recordings: 2 unchanged",
        "cravings: 2 unchanged", "usage: 1 unchanged", "messages: 1 unchanged",
      ])
    #expect(try await library.holdfast("verify").status == 0)
  }

  @Test("The parts of a split recording have what the app knows, each at its own time")
  func split() async throws {
    let app = try AppFolder()
    try app.copy("len-121.m4a", to: "a.m4a")
    try Data(
      """
      {"recordings": [{"id": "\(LibraryFolder.id(1))", "filePath": "Recordings/a.m4a",
        "title": "Why", "notes": "n", "purpose": "craving", "playCount": 3,
        "timestamp": "2025-06-03T08:00:00Z", "createdAt": "2025-06-03T08:00:00Z"}]}
      """.utf8
    ).write(to: URL(filePath: app.path + "/Documents/app.json"))
    for _ in 1...2 {
      let result = try await library.holdfast("import-app", app.path, "--over-limit", "split")
      #expect(result.status == 0, "\(result.errorOutput)")
      let rows = try await library.sql(
        """
        SELECT part, title, notes, purpose, playCount, substr(timestamp, 1, 15), timestampSource
        FROM recording ORDER BY part
        """)
      #expect(
        rows.map { Array($0.dropLast(2)) } == [
          ["1", "Why", "n", "craving", "3"], ["2", "Why", "n", "craving", "0"],
        ])
      #expect(rows.allSatisfy { $0[6] == "container" && $0[5] == "2025-06-03 08:0" }, "\(rows)")
      #expect(
        try await library.column("SELECT count(DISTINCT timestamp) FROM recording") == ["2"])
    }
  }

  @Test("A second import brings what the app changed since")
  func newer() async throws {
    let app = try await AppFolder.whole()
    _ = try await importApp(app.path)
    try sqlite3(
      app.store,
      """
      UPDATE ZRECORDINGMODEL SET ZTITLE = 'Forty days', ZMODIFIEDAT = 783000000, ZPLAYCOUNT = 9
        WHERE Z_PK = 1;
      UPDATE ZCRAVINGMODEL SET ZINTENSITY = 5, ZMODIFIEDAT = 783000000 WHERE Z_PK = 2;
      """)
    let result = try await importApp(app.path)
    #expect(
      result.lines.suffix(4) == [
        "recordings: 1 updated, 1 unchanged", "cravings: 1 updated, 1 unchanged",
        "usage: 1 unchanged", "messages: 1 unchanged",
      ])
    #expect(
      try await library.sql("SELECT title, playCount FROM recording WHERE title IS NOT NULL")
        == [["Forty days", "9"]])
  }

  @Test("An ID that another recording has is not used twice, and links follow the new one")
  func takenID() async throws {
    let app = try await AppFolder.whole()
    try await library.importing("voice.wav")
    try await library.changeCatalog(
      "INSERT INTO alias (id, recordingId) SELECT '\(LibraryFolder.id(1))', id FROM recording")
    let result = try await importApp(app.path)
    #expect(result.status == 0)
    #expect(result.errorOutput.contains("another recording here has or had the ID"))
    #expect(
      try await library.column(
        """
        SELECT title FROM recording JOIN craving ON recordingId = recording.id
        WHERE craving.id = '\(LibraryFolder.id(11))'
        """) == ["Thirty days"])
  }

  @Test("Without its file, a recording whose ID another one has changes neither words nor links")
  func takenIDWithoutFile() async throws {
    let app = try await AppFolder.whole()
    try await library.importing("voice.wav")
    try await library.changeCatalog(
      "INSERT INTO alias (id, recordingId) SELECT '\(LibraryFolder.id(1))', id FROM recording")
    _ = try await importApp(app.path)
    let before = try await library.sql("SELECT id, title FROM recording ORDER BY id")
    let links = try await library.sql("SELECT id, recordingId FROM craving ORDER BY id")
    try FileManager.default.removeItem(
      atPath: "\(app.recordings)/video_\(LibraryFolder.id(1)).mov")
    #expect(try await importApp(app.path).status == 3)
    #expect(try await library.sql("SELECT id, title FROM recording ORDER BY id") == before)
    #expect(try await library.sql("SELECT id, recordingId FROM craving ORDER BY id") == links)
  }

  @Test("Of two recordings with one file, the words of the one that is not kept are named")
  func sameFile() async throws {
    let app = try await AppFolder.whole()
    try app.copy("portrait.mov", to: "again.mov")
    try sqlite3(
      app.store,
      """
      INSERT INTO ZRECORDINGMODEL VALUES
        (3, 1, 1, \(AppFolder.id(3)), \(AppFolder.moment), 'video', 'milestone', 2.0,
          'Recordings/again.mov', NULL, 'Second title', 'Second notes', 90, NULL, 782000001, NULL);
      """)
    for _ in 1...2 {
      let result = try await importApp(app.path)
      // Whichever was imported first keeps its words.
      let kept = try await library.sql(
        "SELECT title, playCount FROM recording WHERE title IS NOT NULL")
      let isFirst = kept == [["Thirty days", "7"]]
      #expect(isFirst || kept == [["Second title", "90"]])
      #expect(
        result.errorOutput.contains(
          "not kept: " + (isFirst ? "Second title; Second notes" : "Thirty days; My own notes")))
    }
  }

  @Test("A document alone brings no file beside it, and one in the container changes no row")
  func documentBeside() async throws {
    let app = try await AppFolder.whole()
    let document = "\(app.path)/Documents/cravings.json"
    try Data(
      """
      [{"id":"\(LibraryFolder.id(11))","timestamp":"2025-10-12T22:13:20Z","intensity":9,
      "triggers":[],"modifiedAt":"2025-12-01T00:00:00Z"}]
      """.utf8
    ).write(to: URL(filePath: document))
    let other = LibraryFolder("other")
    let alone = try await other.holdfast("import-app", document)
    #expect(alone.status == 0, "\(alone.errorOutput)")
    #expect(try await other.column("SELECT count(*) FROM recording") == ["0"])
    #expect(try await other.column("SELECT intensity FROM craving") == ["9"])
    let whole = try await importApp(app.path)
    #expect(
      whole.errorOutput.contains("cravings that the store has: 1 row, not kept")
    )
    #expect(try await library.column("SELECT intensity FROM craving ORDER BY id") == ["8", "3"])
  }

  @Test("Several triggers in one text are read apart, and words that follow one are kept")
  func triggers() async throws {
    let document = temporary("cravings.json")
    try Data(
      """
      [{"id":"\(LibraryFolder.id(1))","timestamp":"2025-10-12T22:13:20Z","intensity":5,
      "trigger":"Anxious, full moon; Bored at home"}]
      """.utf8
    ).write(to: URL(filePath: document))
    #expect(try await importApp(document).status == 0)
    #expect(
      try await library.column("SELECT trigger FROM cravingTrigger ORDER BY trigger")
        == ["Anxious", "Bored"])
    #expect(
      try await library.column("SELECT notes FROM craving")
        == ["Trigger: full moon\nTrigger: Bored at home"])
  }

  @Test("A generated column of a store is not read, because it could take any time")
  func generated() async throws {
    let app = try await AppFolder.whole()
    try sqlite3(
      app.store,
      "ALTER TABLE ZCRAVINGMODEL ADD COLUMN ZSLOW AS (length(hex(zeroblob(1000 + Z_PK))))")
    let result = try await importApp(app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(!result.errorOutput.lowercased().contains("slow"), "\(result.errorOutput)")
  }

  @Test("The documents alone bring the recordings, with the IDs in their names")
  func documents() async throws {
    let app = try AppFolder()
    try app.copy("portrait.mov", to: "video_\(LibraryFolder.id(1)).mov")
    try app.copy("aac.m4a", to: "\(LibraryFolder.id(2)).m4a")
    for _ in 0..<2 {
      let result = try await importApp(app.path + "/Documents")
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    let ids = try await library.column("SELECT id FROM recording ORDER BY type")
    #expect(ids.count == 2)
    #expect(ids.last == LibraryFolder.id(1))
    #expect(ids.first != LibraryFolder.id(2))
  }

  @Test("Plain JSON of the models comes in, by either command")
  func plainJSON() async throws {
    let path = temporary("Recordings.json")
    try Data(
      """
      {"cravings": [
        {"id": "\(LibraryFolder.id(11))", "timestamp": "2025-10-12T22:13:20+05:30",
          "intensity": 8, "triggers": ["Anxious"], "wasManagedSuccessfully": true},
        {"id": "\(LibraryFolder.id(12))", "timestamp": 782000000.5, "intensity": 3,
          "trigger": "Bored", "updatedAt": "2025-11-01T10:00:00Z"},
        {"id": "\(LibraryFolder.id(13))", "timestamp": "yesterday", "intensity": 3}],
       "usageModels": [{"id": "\(LibraryFolder.id(21))", "timestamp": "2025-10-12T22:13:20.125Z",
          "method": "Edible", "amount": 10, "location": null}]}
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    for command in ["import-data", "import-app"] {
      let library = LibraryFolder(command)
      let result = try await library.holdfast(command, path)
      #expect(result.status == 3)
      #expect(result.errorOutput.contains("wasManagedSuccessfully: 1 craving, not kept"))
      #expect(result.errorOutput.contains("timestamp \"yesterday\" is not a time"))
      #expect(
        try await library.sql("SELECT timestamp, modifiedAt FROM craving ORDER BY id") == [
          ["2025-10-12 16:43:20.000", ""],
          ["2025-10-12 22:13:20.500", "2025-11-01 10:00:00.000"],
        ])
      #expect(
        try await library.column("SELECT timestampOffset FROM craving ORDER BY id").first == "330")
      #expect(
        try await library.column("SELECT timestamp FROM usage") == ["2025-10-12 22:13:20.125"])
      #expect(
        try await library.column("SELECT trigger FROM cravingTrigger ORDER BY trigger")
          == ["Anxious", "Bored"])
    }
  }

  @Test("A list without a name is recognised by what its elements have")
  func bareList() async throws {
    let path = temporary("list.json")
    try Data(
      #"[{"id":"\#(LibraryFolder.id(1))","method":"Joints","amount":2,"timestamp":782000000}]"#.utf8
    ).write(to: URL(fileURLWithPath: path))
    let result = try await importApp(path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.column("SELECT method FROM usage") == ["Joints"])
  }

  @Test("An app comes in from a phone's backup, and an encrypted backup is refused")
  func backup() async throws {
    let app = try await AppFolder.whole()
    let other = try AppFolder("other")
    try other.makeStore(
      tables: "CREATE TABLE Z_PRIMARYKEY (Z_MAX, Z_NAME); CREATE TABLE ZGAME (Z_PK, ZSCORE);",
      old: "INSERT INTO ZGAME VALUES (1, 2);")
    let apps = [
      "AppDomain-com.example.cravings": app.path, "AppDomain-com.example.game": other.path,
    ]
    let backup = try await AppFolder.makeBackup(apps)
    let result = try await importApp(backup)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("the app com.example.cravings in a phone's backup"))
    #expect(try await library.column("SELECT count(*) FROM craving") == ["2"])
    #expect(
      try await library.column("SELECT originalFilename FROM recording ORDER BY type") == [
        "\(LibraryFolder.id(77)).m4a", "video_\(LibraryFolder.id(1)).mov",
      ])
    let foreign = try await importApp(backup, "--app", "game")
    #expect(foreign.status == 1)
    #expect(foreign.errorOutput.contains("a store of an app that Holdfast does not know"))

    // An app's extensions share its store in a group's folder.
    let group = LibraryFolder("group")
    let shared = try await group.holdfast(
      "import-app", try await AppFolder.makeBackup(["AppDomainGroup-group.example": app.path]))
    #expect(shared.status == 0 && shared.output.contains("the app group.example"))

    let encrypted = try await importApp(
      try await AppFolder.makeBackup(apps, isEncrypted: true))
    #expect(encrypted.status == 1)
    #expect(encrypted.errorOutput.contains("is an encrypted backup"))
    let two = [
      "AppDomain-com.example.cravings": app.path, "AppDomain-com.example.copy": app.path,
    ]
    let several = try await importApp(try await AppFolder.makeBackup(two))
    #expect(several.status == 1)
    #expect(
      several.errorOutput.contains("holds several apps")
        && several.errorOutput.contains("com.example.copy, com.example.cravings"))
    #expect(try await importApp(temporary("backup"), "--app", "Copy").status == 0)
    let longer = [
      "AppDomain-com.example.cravings": app.path, "AppDomain-com.example.cravings2": app.path,
    ]
    let exact = try await importApp(
      try await AppFolder.makeBackup(longer), "--app", "com.example.Cravings")
    #expect(exact.status == 0, "\(exact.errorOutput)")
  }

  @Test("Records of several people are counted by person")
  func people() async throws {
    _ = try await library.holdfast("journal", "enable", "habits")
    let path = temporary("habits.json")
    let habits = ["ann", "ann", "bob"].enumerated().map { number, user in
      "{\"id\": \"\(LibraryFolder.id(number))\", \"name\": \"Run\", \"userId\": \"\(user)\"}"
    }
    try Data("{\"habits\": [\(habits.joined(separator: ","))]}".utf8)
      .write(to: URL(filePath: path))
    let result = try await importApp(path)
    #expect(
      result.errorLines.contains("note: records of 2 people: 2 of ann, 1 of bob"),
      "\(result.errorOutput)")
  }

  @Test("Two recordings on one file become one, and both links name it")
  func oneFile() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try app.makeStore(
      old: (1...2).map { number in
        """
        INSERT INTO ZRECORDINGMODEL (Z_PK, ZID, ZFILEPATH, ZCREATEDAT)
          VALUES (\(number), \(AppFolder.id(number)), 'Recordings/a.m4a', \(AppFolder.moment));
        INSERT INTO ZCRAVINGMODEL (ZID, ZTIMESTAMP, ZINTENSITY, ZRECORDING)
          VALUES (\(AppFolder.id(number + 10)), \(AppFolder.moment), 5, \(number));
        """
      }.joined())
    let result = try await importApp(app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    #expect(
      try await library.column(
        "SELECT count(*) FROM craving JOIN recording ON recordingId = recording.id")
        == ["2"])
  }
}
