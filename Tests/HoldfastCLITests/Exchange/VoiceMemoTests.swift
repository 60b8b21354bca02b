import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing voice memos", .temporaryFolder)
struct VoiceMemoTests {
  private func makeMemos() throws -> String {
    let folder = temporary("memos")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    for (fixture, name) in [
      ("aac.m4a", "20250608 074812-8D5A1B2C.m4a"), ("alac.m4a", "20250609 074812-8D5A1B2D.qta"),
      ("voice.wav", "20250610 074812-8D5A1B2E.m4a"),
    ] {
      try FileManager.default.copyItem(
        atPath: Fixtures.path(fixture), toPath: "\(folder)/\(name)")
    }
    // A memo that the phone has transcribed.
    let json = VoiceMemo.Form.separate.json([("Because", 0, 0.5), (" of the lake.", 0.5, 1)])
    try VoiceMemo.add(
      VoiceMemo.meta(json), to: Fixtures.path("alac.m4a"),
      as: "\(folder)/20250609 074812-8D5A1B2D.qta")
    try sqlite3(
      "\(folder)/CloudRecordings.db",
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'CloudRecording'), (2, 'Folder');
      CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZENCRYPTEDNAME VARCHAR);
      INSERT INTO ZFOLDER VALUES (1, 2, 'Mornings');
      CREATE TABLE ZCLOUDRECORDING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZPATH VARCHAR,
        ZENCRYPTEDTITLE VARCHAR, ZCUSTOMLABEL VARCHAR, ZDATE TIMESTAMP, ZDURATION FLOAT,
        ZUNIQUEID VARCHAR, ZEVICTIONDATE TIMESTAMP, ZFOLDER INTEGER);
      INSERT INTO ZCLOUDRECORDING VALUES
        (1, 1, '20250608 074812-8D5A1B2C.m4a', 'Why I stopped', NULL, 771061692, 2,
          '\(LibraryFolder.id(1))', NULL, 1),
        (2, 1, '20250609 074812-8D5A1B2D.qta', NULL, 'At the lake', 771148092, 2,
          '\(LibraryFolder.id(2))', NULL, NULL),
        (3, 1, '20250610 074812-8D5A1B2E.m4a', 'Old', NULL, 771234492, 2,
          '\(LibraryFolder.id(3))', 771300000, NULL);
      """)
    return folder
  }

  @Test("Titles and folders come from the list, and deleted memos only if asked for")
  func memos() async throws {
    let library = LibraryFolder()
    let folder = try makeMemos()
    let result = try await library.holdfast("import-app", folder)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("1 recording in the app's bin left out"))
    let query = "SELECT id, title, notes, timestamp FROM recording ORDER BY id"
    let two = [
      [LibraryFolder.id(1), "Why I stopped", "Folder: Mornings", "2025-06-08 07:48:12.000"],
      [LibraryFolder.id(2), "At the lake", "", "2025-06-09 07:48:12.000"],
    ]
    #expect(try await library.sql(query) == two)
    #expect(
      try await library.sql("SELECT transcriptId, text FROM transcriptSegment")
        == [[LibraryFolder.id(2), "Because of the lake."]])
    let all = try await library.holdfast("import-app", folder, "--deleted")
    #expect(all.status == 0, "\(all.errorOutput)")
    #expect(try await library.column("SELECT title FROM recording WHERE title = 'Old'") == ["Old"])
  }

  @Test("A memo that the list lacks is named, whichever folder is given")
  func unlisted() async throws {
    let memos = try makeMemos()
    try sqlite3(
      "\(memos)/CloudRecordings.db", "DELETE FROM ZCLOUDRECORDING WHERE ZCUSTOMLABEL IS NOT NULL")
    let parent = temporary("parent")
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: memos, toPath: "\(parent)/Recordings")
    for folder in [memos, parent] {
      let library = LibraryFolder(folder == memos ? "one" : "other")
      let result = try await library.holdfast("import-app", folder)
      #expect(
        result.errorLines.contains(
          "note: 1 file in the app's folder, listed by no recording of the app; left out"),
        "\(result.errorOutput)")
    }
  }

  @Test("A memo that is renamed on the phone is renamed here, unless it was edited here")
  func renamed() async throws {
    let library = LibraryFolder()
    let folder = try makeMemos()
    _ = try await library.holdfast("import-app", folder)
    _ = try await library.holdfast("edit", LibraryFolder.id(2), "--title", "Mine")
    try sqlite3(
      "\(folder)/CloudRecordings.db",
      "UPDATE ZCLOUDRECORDING SET ZENCRYPTEDTITLE = 'Renamed ' || Z_PK, ZFOLDER = NULL")
    for word in ["1 updated, 1 unchanged", "2 unchanged"] {
      let result = try await library.holdfast("import-app", folder)
      #expect(result.lines.contains("recordings: \(word)"), "\(result.output)")
      #expect(
        try await library.sql("SELECT title, notes FROM recording ORDER BY id")
          == [["Renamed 1", "Folder: Mornings"], ["Mine", ""]])
    }
  }

  @Test("Two imports at once bring each memo once, and refuse none")
  func atOnce() async throws {
    let library = LibraryFolder()
    let folder = try makeMemos()
    async let first = library.holdfast("import-app", folder)
    async let second = library.holdfast("import-app", folder)
    for result in try await [first, second] {
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }

  @Test("The words of a memo that the phone transcribes later come alone")
  func transcribedLater() async throws {
    let library = LibraryFolder()
    let (folder, id) = (try makeMemos(), LibraryFolder.id(1))
    _ = try await library.holdfast("import-app", folder)
    let memo = "\(folder)/20250608 074812-8D5A1B2C.m4a"
    let json = VoiceMemo.Form.separate.json([("Because", 0, 0.5), (" of her.", 0.5, 1)])
    try VoiceMemo.add(VoiceMemo.meta(json), to: Fixtures.path("aac.m4a"), as: memo)
    // A program had heard nothing meanwhile.
    try await library.changeCatalog(
      """
      INSERT INTO transcript (id, state, source, program, isLanguageDoubtful, createdAt)
      VALUES ('\(id)', 'silent', 'program', 'vosk', 0, '2025-10-12 06:00:00.000')
      """)
    for _ in 1...2 {
      let again = try await library.holdfast("import-app", folder)
      #expect(again.status == 0, "\(again.errorOutput)")
      #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
      #expect(try await library.sentences() == ["Because of her.", "Because of the lake."])
    }
    // A person's decision stays.
    _ = try await library.holdfast("transcript", "delete", id, "--yes")
    _ = try await library.holdfast("import-app", folder)
    #expect(try await library.sentences() == ["Because of the lake."])
    // One whose file is lost here is not called a duplicate.
    let file = "\(library.path)/Recordings/audio_\(id).m4a"
    try FileManager.default.moveItem(atPath: file, toPath: temporary("lost"))
    let refused = try await library.holdfast("import-app", folder)
    #expect(refused.status == 3 && refused.errorOutput.contains("file is missing"))
    try FileManager.default.moveItem(atPath: temporary("lost"), toPath: file)
    // A memo that was recorded over is another recording.
    try FileManager.default.removeItem(atPath: memo)
    try FileManager.default.copyItem(atPath: Fixtures.path("adts.aac"), toPath: memo)
    _ = try await library.holdfast("import-app", folder)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    try await library.expectSound()
  }

  @Test("Memos come from a phone's backup, older or newer, and files without a row are counted")
  func backup() async throws {
    let folder = try makeMemos()
    try FileManager.default.copyItem(
      atPath: Fixtures.path("adts.aac"), toPath: folder + "/20250611 074812.m4a")
    for (domain, place) in [
      ("MediaDomain", "Media/Recordings"),
      ("AppDomainGroup-group.com.apple.VoiceMemos.shared", "Recordings"),
    ] {
      let phone = temporary("phone-\(domain)")
      try FileManager.default.createDirectory(
        atPath: "\(phone)/\(place)", withIntermediateDirectories: true)
      try FileManager.default.removeItem(atPath: "\(phone)/\(place)")
      try FileManager.default.copyItem(atPath: folder, toPath: "\(phone)/\(place)")
      let library = LibraryFolder(domain)
      let backup = try await AppFolder.makeBackup([domain: phone])
      let unnamed = try await library.holdfast("import-app", backup)
      #expect(unnamed.status == 1 && unnamed.errorOutput.contains("--app VoiceMemos"))
      let result = try await library.holdfast("import-app", backup, "--app", "VoiceMemos")
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(
        result.errorOutput.contains(
          "1 file in the app's folder, listed by no recording of the app"))
      #expect(
        try await library.column("SELECT title FROM recording ORDER BY id")
          == ["Why I stopped", "At the lake"])
      #expect(try await library.sentences() == ["Because of the lake."])
    }
  }
}
