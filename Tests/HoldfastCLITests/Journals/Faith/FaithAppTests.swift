import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: an app's data", .temporaryFolder)
struct FaithAppTests {
  @Test("A backup document of the app comes in whole")
  func backup() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "faith")
    let id = { LibraryFolder.id($0) }
    let path = temporary("backup.json")
    try Data(
      """
      {"metadata": {"version": "1.0", "timestamp": "2025-10-12T12:00:00Z"},
       "journalEntries": [{"id": "\(id(1))", "title": "Morning", "content": "Quiet.",
         "date": "2025-10-12T06:00:00Z", "tags": ["rest"], "mood": "Peaceful", "isPrivate": true,
         "photoURLs": ["file:///var/mobile/A/Documents/photo%201.jpg"],
         "createdAt": "2025-10-12T06:00:00Z", "updatedAt": "2025-10-12T07:00:00Z"}],
       "prayerRequests": [
         {"id": "\(id(2))", "title": "Health", "details": "For Ann", "status": "Answered",
          "isAnswered": true, "answerDate": "2025-10-14T06:00:00Z", "isPrivate": false, "tags": [],
          "createdAt": "2025-10-12T06:00:00Z", "updatedAt": "2025-10-14T06:00:00Z"},
         {"id": "\(id(3))", "title": "Work", "isAnswered": false,
          "createdAt": "2025-10-12T06:00:00Z"}],
       "moodEntries": [{"id": "\(id(4))", "date": "2025-10-12T06:00:00Z", "mood": "Joyful",
         "intensity": 7, "notes": "Sun", "activities": ["Walk"], "energyLevel": 3}],
       "bookmarkedVerses": [{"id": "\(id(5))", "verseReference": "John 3:16",
         "verseText": "For God", "translation": "KJV", "createdAt": "2025-10-12T06:00:00Z"}],
       "readingPlans": [{"id": "\(id(6))", "title": "Psalms", "planDescription": "A week",
         "duration": 7, "startDate": "2025-10-12T00:00:00Z", "currentDay": 2}]}
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    for word in ["added", "unchanged"] {
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(
        result.lines.filter { $0.contains(word) } == [
          "journal entries: 1 \(word)", "prayers: 2 \(word)", "moods: 1 \(word)",
          "bookmarks: 1 \(word)", "reading plans: 1 \(word)",
        ], "\(result.output)")
      #expect(
        Set(result.errorLines) == [
          "note: photoURLs: 1 journal entry, an absolute path, kept as the file's name",
          "note: currentDay: 1 reading plan, not kept",
        ])
    }
    #expect(
      try await library.sql("SELECT title, mood, isPrivate, modifiedAt FROM journalEntry")
        == [["Morning", "Peaceful", "1", "2025-10-12 07:00:00.000"]])
    #expect(try await library.column("SELECT reference FROM entryPhoto") == ["photo 1.jpg"])
    #expect(
      try await library.sql("SELECT status, answerDate FROM prayer ORDER BY id")
        == [["Answered", "2025-10-14 06:00:00.000"], ["Active", ""]])
    #expect(
      try await library.column("SELECT notes FROM moodEntry")
        == ["Sun\\nActivities: Walk\\nIntensity: 7\\nEnergy: 3"].map {
          $0.replacing("\\n", with: "\n")
        })
    #expect(
      try await library.sql("SELECT startDay, endDay FROM readingPlan")
        == [["2025-10-12", "2025-10-18"]])
  }

  @Test("White space, blank words and repeated tags refuse nothing")
  func whiteSpace() async throws {
    let library = try await LibraryFolder.withFaith()
    let path = temporary("faith.json")
    let (date, id) = (#""date": "2025-10-12T08:00:00Z""#, { LibraryFolder.id($0) })
    try Data(
      """
      {"journalEntries": [
         {"id": "\(id(1))", "title": "a", "content": "", \(date), "mood": "Joyful ",
          "tags": [" Family", "family", " "], "audioURL": ""},
         {"id": "\(id(2))", "title": "b", "content": "", \(date), "mood": " "}],
       "moodEntries": [{"id": "\(id(3))", "mood": "Calm ", \(date)}],
       "prayerRequests": [
         {"id": "\(id(4))", "title": "c", "details": "Please", \(date), "answerNotes": ""},
         {"id": "\(id(5))", "title": "d", "details": "", \(date), "status": "Answered",
          "answerDate": "2025-10-10T08:00:00Z"}],
       "bookmarkedVerses": [{"id": "\(id(6))", "reference": "John 3:16 ", "text": "t",
         "createdAt": "2025-10-12T08:00:00Z"}],
       "metadata": {"version": "1.0"}, "streakFreeze": 3}
      """.utf8
    ).write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.errorLines == [
        "note: answerDate: 1 prayer, before the prayer, read as its date",
        "note: streakFreeze: 1 value, not kept",
      ])
    #expect(
      try await library.sql("SELECT title, ifnull(mood, 'none') FROM journalEntry ORDER BY title")
        == [["a", "Joyful"], ["b", "none"]])
    #expect(try await library.column("SELECT tag FROM entryTag") == ["Family"])
    #expect(
      try await library.sql(
        "SELECT title, details, ifnull(answerDate, '-') FROM prayer ORDER BY id")
        == [["c", "Please", "-"], ["d", "", "2025-10-12 08:00:00.000"]])
    #expect(
      try await library.column(
        "SELECT mood FROM moodEntry UNION SELECT reference FROM bookmarkedVerse")
        == ["Calm", "John 3:16"])
  }

  @Test("The title of a private entry is no title of its voice note")
  func privateVoiceNote() async throws {
    let library = try await LibraryFolder.withFaith()
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try Data(
      """
      {"journalEntries": [{"id": "\(LibraryFolder.id(1))", "title": "Secret", "content": "",
        "date": "2025-10-12T08:00:00Z", "isPrivate": true, "audioURL": "Recordings/a.m4a"}]}
      """.utf8
    ).write(to: URL(filePath: app.path + "/Documents/app.json"))
    let result = try await library.holdfast("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(!result.lines.contains { $0.hasPrefix("recordings:") }, "\(result.output)")
    #expect(
      try await library.sql(
        "SELECT ifnull(recording.title, ''), journalEntry.title FROM recording "
          + "JOIN journalEntry ON recordingId = recording.id") == [["", "Secret"]])
  }

  @Test(
    "The days of a phone in another time zone are the phone's", arguments: ["UTC", "Asia/Tokyo"])
  func days(zone: String) async throws {
    let library = try await LibraryFolder.withFaith()
    let path = temporary("faith.json")
    let verses = (1...3).map { day in
      """
      {"id": "\(LibraryFolder.id(day))", "reference": "John \(day)", "text": "t",
       "translation": "KJV", "date": "2025-06-0\(day)T22:00:00Z",
       "createdAt": "2025-06-0\(day + 1)T05:00:00Z"}
      """
    }
    try Data(
      """
      {"versesOfTheDay": [\(verses.joined(separator: ", "))],
       "readingPlans": [{"id": "\(LibraryFolder.id(4))", "title": "Mark",
         "dailyReadings": ["1", "2"],
         "startDate": "2025-06-01T22:00:00Z", "endDate": "2025-06-02T22:00:00Z",
         "createdAt": "2025-06-02T08:00:00Z"}]}
      """.utf8
    ).write(to: URL(filePath: path))
    let result = try await Command.run(
      Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT day FROM verseOfDay ORDER BY day")
        == ["2025-06-02", "2025-06-03", "2025-06-04"])
    #expect(
      try await library.sql("SELECT startDay, endDay FROM readingPlan")
        == [["2025-06-02", "2025-06-03"]])
  }

  @Test("What the app changed without a date comes, unless the record was edited here")
  func undated() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "faith")
    let id = { LibraryFolder.id($0) }
    let path = temporary("backup.json")
    let write = { (mood: String, notes: String, done: String) in
      try Data(
        """
        {"moodEntries": [
          {"id": "\(id(1))", "date": "2025-10-12T06:00:00Z", "mood": "\(mood)",
           "notes": "\(notes)"},
          {"id": "\(id(2))", "date": "2025-10-12T06:00:00Z", "mood": "\(mood)", "notes": "b"}],
         "bookmarkedVerses": [{"id": "\(id(3))", "verseReference": "John 3:16",
           "verseText": "For God", "translation": "KJV", "notes": "\(notes)",
           "createdAt": "2025-10-12T06:00:00Z"}],
         "journalPrompts": [{"id": "\(id(4))", "prompt": "What?", "category": "x"
           \(done.isEmpty ? "" : ", \"usedDate\": \"\(done)\"")}],
         "devotionals": [{"id": "\(id(5))", "title": "Dev", "date": "2025-10-12"
           \(done.isEmpty ? "" : ", \"completedAt\": \"\(done)\"")}],
         "readingPlans": [{"id": "\(id(6))", "title": "Plan", "duration": 3,
           "startDate": "2025-10-12", "readings": [{"reading": "Luke 1"
           \(done.isEmpty ? "" : ", \"doneAt\": \"\(done)\"")}]}]}
        """.utf8
      ).write(to: URL(filePath: path))
    }
    try write("Happy", "a", "")
    _ = try await library.holdfastInUTC("import-app", path)
    _ = try await library.holdfast("faith", "mood", "edit", id(2), "--notes", "mine")
    try write("Sad", "", "2025-10-13T06:00:00Z")
    let later = ["1 updated, 1 unchanged", "1 updated", "1 updated"]
    for words in [later, ["2 unchanged", "1 unchanged", "1 unchanged"]] {
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(
        result.lines.contains("moods: \(words[0])")
          && result.lines.contains("devotionals: \(words[1])")
          && result.lines.contains("reading plans: \(words[2])"), "\(result.output)")
      // What the app no longer says is kept.
      #expect(
        try await library.sql("SELECT mood, notes FROM moodEntry ORDER BY id")
          == [["Sad", "a"], ["Happy", "mine"]])
      #expect(try await library.column("SELECT notes FROM bookmarkedVerse") == ["a"])
      #expect(
        try await library.column(
          """
          SELECT usedDate FROM journalPrompt UNION ALL SELECT completedAt FROM devotional
          UNION ALL SELECT doneAt FROM readingPlanDay
          """) == Array(repeating: "2025-10-13 06:00:00.000", count: 3))
    }
    // Another clock at this machine does not change when it was.
    let elsewhere = try await Command.run(
      Command.holdfast, library.command(["import-app", path]), environment: ["TZ": "Asia/Tokyo"])
    #expect(elsewhere.lines.contains("moods: 2 unchanged"), "\(elsewhere.output)")
  }

  @Test("A store's voice note becomes a recording, and the entry's link")
  func voiceNote() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "faith")
    let app = try AppFolder()
    try FileManager.default.copyItem(
      atPath: Fixtures.path("aac.m4a"), toPath: app.path + "/Documents/note.m4a")
    try app.makeStore(
      tables: """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'JournalEntry', 2);
        CREATE TABLE ZJOURNALENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID BLOB, ZTITLE VARCHAR, ZCONTENT VARCHAR, ZDATE1 TIMESTAMP,
          ZTAGSJSON VARCHAR, ZAUDIOURL VARCHAR,
          ZAUDIOTRANSCRIPT VARCHAR, ZISPRIVATE INTEGER, ZCREATEDAT TIMESTAMP);
        """,
      new: """
        INSERT INTO ZJOURNALENTRY VALUES (1, 1, 1, \(AppFolder.id(1)), 'Evening', 'Spoken.',
          782000000, '["thanks","night"]', 'file:///var/mobile/A/Documents/note.m4a', 'Thank you',
          0, 782000000);
        """)
    for _ in 0..<2 {
      let result = try await library.holdfastInUTC("import-app", app.path)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(
      try await library.sql(
        """
        SELECT entry.content, recording.title, type FROM journalEntry AS entry
        JOIN recording ON recordingId = recording.id
        """) == [["Spoken.\n\nTranscript: Thank you", "Evening", "audio"]])
    #expect(
      try await library.column("SELECT tag FROM entryTag ORDER BY tag") == ["night", "thanks"])
  }
}
