import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data: forms of documents and values", .temporaryFolder)
struct AppFormsTests {
  private let id = { LibraryFolder.id($0) }
  private let time = "2025-06-08T07:48:12Z"

  private func library(_ name: String = "library") async throws -> LibraryFolder {
    let library = LibraryFolder(name)
    for journal in ["food", "habits", "faith"] {
      _ = try await library.holdfast("journal", "enable", journal)
    }
    return library
  }

  @discardableResult
  private func importing(
    _ json: String, into library: LibraryFolder, _ options: String..., status: Int32 = 0
  ) async throws -> String {
    let path = temporary("app.json")
    try Data(json.utf8).write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC(["import-app", path] + options)
    #expect(result.status == status, "\(result.errorOutput)")
    return result.output + result.errorOutput
  }

  @Test("A list of each model is recognised by what its elements have")
  func bareLists() async throws {
    let library = try await library()
    let lists = [
      ("bookmark", #""reference":"R","text":"t","translation":"K","notes":"n","createdAt":"T""#),
      ("verse", #""reference":"R","text":"t","translation":"K","date":"T","isBookmarked":true"#),
      ("study topic", #""title":"T","description":"d","verses":["a"],"createdAt":"T""#),
      ("prompt", #""prompt":"p","category":"c","isUsed":false,"createdAt":"T""#),
      (
        "session",
        #""title":"S","details":"d","hostId":"h","startTime":"T","maxParticipants":5,"tags":[]"#
      ),
      ("participant", #""sessionId":"I","userId":"h","joinedAt":"T","role":"Host""#),
      ("message", #""sessionId":"I","userId":"h","userName":"n","message":"m","timestamp":"T""#),
      ("subscription", #""userId":"u","planType":"Free","startDate":"T","autoRenew":false"#),
      ("profile", #""name":"A","preferences":{},"createdAt":"T","updatedAt":"T""#),
      ("reading plan", #""title":"S","startDate":"T","endDate":"T","dailyReadings":["a"]"#),
      ("devotional", #""title":"S","scripture":"R","content":"c","date":"T""#),
      ("XP", #""userId":"u","amount":5,"reason":"r","timestamp":"T""#),
      (
        "achievement",
        #""userId":"u","achievementId":"f","title":"t","unlockedAt":"T","xpAwarded":0"#
      ),
    ]
    for (name, values) in lists {
      let element = "{\"id\":\"I\",\(values)}"
        .replacing("\"T\"", with: "\"\(time)\"").replacing("\"I\"", with: "\"\(id(1))\"")
      let output = try await importing("[\(element)]", into: library)
      #expect(output.contains("1 added"), "\(name): \(output)")
    }
    #expect(
      try await library.column(
        "SELECT createdAt FROM verseOfDay UNION ALL SELECT createdAt FROM subscription")
        == [String](repeating: "2025-06-08 07:48:12.000", count: 2))
    try await library.expectSound()
  }

  @Test("Records inside others come too, and name what they belong to")
  func nested() async throws {
    let library = try await library()
    try await importing(
      """
      {"dailyTotals": [{"id": "\(id(1))", "date": "\(time)", "totalCalories": 90, "entries": [
         {"id": "\(id(2))", "timestamp": "\(time)", "rawDescription": "an apple",
          "foodName": "Apple", "quantity": 1, "unit": "piece", "calories": 90, "protein": 0,
          "carbohydrates": 20, "fat": 0, "confidence": 1}]}],
       "habits": [{"id": "\(id(3))", "name": "Read", "habitType": "Habit Building",
         "goal": "1 time per day", "startDate": "2025-06-01T00:00:00Z", "progressRecords": [
           {"id": "\(id(4))", "dateString": "2025-06-08", "date": "\(time)", "progressCount": 1,
            "goalCount": 1, "timestamps": ["\(time)"]}]}],
       "reminders": [{"id": "\(id(6))", "habitId": "\(id(3))", "time": "\(time)"}],
       "userProgress": [{"userId": "default", "totalXP": 0, "achievements": [
         {"id": "\(id(5))", "achievementId": "first", "title": "First", "unlockedAt": "\(time)"}]}]}
      """, into: library)
    #expect(
      try await library.sql("SELECT foodName, day FROM foodEntry") == [["Apple", "2025-06-08"]])
    #expect(
      try await library.sql("SELECT day, progressCount, createdAt FROM habitDay")
        == [["2025-06-08", "1", "2025-06-08 07:48:12.000"]])
    #expect(try await library.column("SELECT time FROM habitReminder") == ["07:48"])
    #expect(
      try await library.sql("SELECT userId, achievementId FROM achievement")
        == [["me", "first"]])
    try await library.expectSound()
  }

  @Test("What a person wrote or marked about entries, verses and plans is kept")
  func words() async throws {
    let library = try await library()
    let json = """
      {"journalEntries": [{"id": "\(id(1))", "title": "Sea", "content": "Calm.", "date": "\(time)",
         "activities": ["Walk", "Tea"], "triggersJSON": "[\\"Noise\\"]", "createdAt": "\(time)"}],
       "bibleNotes": [{"id": "\(id(2))", "verseReference": "John 3:16", "note": "For me.",
         "createdAt": "\(time)"}],
       "bibleHighlights": [{"id": "\(id(3))", "verseReference": "John 1:1", "verseText": "In the",
         "translation": "KJV", "createdAt": "\(time)"},
         {"id": "\(id(6))", "verseReference": "John 1:1", "translation": "KJV",
         "verseText": "In the", "createdAt": "\(time)"},
         {"id": "\(id(7))", "verseText": "He wept.", "note": "Start", "createdAt": "\(time)"}],
       "readingPlans": [{"id": "\(id(4))", "title": "Psalms", "planDescription": "A week",
         "startDate": "2025-06-08", "endDate": "2025-06-11", "dailyReadings": ["a", "b", "c", "d"],
         "progress": {"a": true, "1": true, "2025-06-10": true, "3": false, "z": true}}],
       "userProfiles": [{"id": "\(id(5))", "name": "A", "preferences": {},
         "profileImageURL": "file:///var/mobile/A/Documents/me%201.jpg", "createdAt": "\(time)"}]}
      """
    try await importing(json, into: library)
    let again = try await importing(json, into: library)
    #expect(!again.contains("updated") && !again.contains(" added"), "\(again)")
    #expect(
      try await library.column(
        "SELECT replace(content, char(10), '|') FROM journalEntry ORDER BY id")
        == ["Calm.||Activities: Walk, Tea||Triggers: Noise", "For me.", "“He wept.”||Start"])
    #expect(
      try await library.sql("SELECT reference, text, notes FROM bookmarkedVerse")
        == [["John 1:1", "In the", ""]])
    #expect(
      try await library.column("SELECT doneAt IS NOT NULL FROM readingPlanDay ORDER BY position")
        == ["1", "1", "1", "0"])
    #expect(try await library.column("SELECT image FROM profile") == ["me 1.jpg"])
    try await library.expectSound()
  }

  @Test("A prayer that the app calls answered is answered, whatever its status says")
  func answered() async throws {
    let library = try await library()
    let output = try await importing(
      """
      {"prayerRequests": [{"id": "\(id(1))", "title": "Work", "status": "Active",
        "isAnswered": true, "createdAt": "\(time)", "updatedAt": "2025-07-01T00:00:00Z"}]}
      """, into: library)
    #expect(
      try await library.sql("SELECT status, answerDate FROM prayer")
        == [["Answered", "2025-07-01 00:00:00.000"]])
    #expect(output.contains("answerDate: 1 prayer, missing, read as the time of the last change"))
    #expect(output.contains("status: 1 prayer, active, but with an answer; read as answered"))
  }

  @Test("A reference to a record that is not there is named, and so is a list of another type")
  func dangling() async throws {
    let library = try await library()
    let output = try await importing(
      """
      {"foodEntries": [{"id": "\(id(2))", "timestamp": "\(time)", "rawDescription": "an apple",
        "foodName": "Apple", "quantity": 1, "unit": "piece", "calories": 90, "protein": 0,
        "carbohydrates": 20, "fat": 0, "confidence": 1, "matchedIngredientID": "gone"}],
       "cravings": "x", "habits": 5}
      """, into: library)
    for note in [
      "matchedIngredientId: 1 food entry, not linked", "cravings: 1 row, not kept",
      "habits: 1 row, not kept",
    ] { #expect(output.contains(note), "\(output)") }
  }

  @Test("A store's drawing is kept byte for byte")
  func drawing() async throws {
    let library = try await library()
    let app = try AppFolder()
    try sqlite3(
      app.store,
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'JournalEntry');
      CREATE TABLE ZJOURNALENTRY (Z_PK INTEGER PRIMARY KEY, ZID BLOB, ZTITLE VARCHAR,
        ZCONTENT VARCHAR, ZDATE TIMESTAMP, ZCREATEDAT TIMESTAMP, ZDRAWINGDATA BLOB);
      INSERT INTO ZJOURNALENTRY VALUES
        (1, \(AppFolder.id(1)), 'a', '', \(AppFolder.moment), \(AppFolder.moment), X'0144524157'),
        (2, \(AppFolder.id(2)), 'b', '', \(AppFolder.moment), \(AppFolder.moment), X'44524157'),
        (3, \(AppFolder.id(3)), 'c', '', \(AppFolder.moment), \(AppFolder.moment),
          CAST(X'02' || '\(LibraryFolder.id(9))' || X'00' AS BLOB));
      """)
    let values =
      (app.store as NSString).deletingLastPathComponent + "/.default_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: values, withIntermediateDirectories: true)
    try Data("DRAW".utf8).write(to: URL(filePath: "\(values)/\(LibraryFolder.id(9))"))
    let result = try await library.holdfast("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT hex(drawing) FROM journalEntry ORDER BY id")
        == [String](repeating: "44524157", count: 3))
    // Without its file, a value stays as it was, also after a change that the app dates.
    try FileManager.default.removeItem(atPath: values)
    try sqlite3(
      app.store,
      "ALTER TABLE ZJOURNALENTRY ADD ZUPDATEDAT; UPDATE ZJOURNALENTRY SET ZUPDATEDAT = 783000000")
    let later = try await library.holdfast("import-app", app.store)
    #expect(
      later.errorLines == [
        "note: drawingData: 1 journal entry, in a file that is not beside the store, not kept"
      ])
    #expect(
      try await library.column("SELECT hex(drawing) FROM journalEntry ORDER BY id")
        == [String](repeating: "44524157", count: 3))
  }

  @Test("Of two documents in a folder, the later version of each record counts")
  func twoDocuments() async throws {
    let library = try await library()
    let app = try AppFolder()
    for (name, notes, change) in [("10-01", "old", 1), ("11-28", "new", 2), ("9-01", "older", 0)] {
      try Data(
        """
        {"cravings": [
          {"id": "\(id(1))", "timestamp": "\(time)", "intensity": 5, "notes": "\(notes)",
           "modifiedAt": "2025-11-0\(change + 1)T00:00:00Z"},
          {"id": "\(id(2 + change))", "timestamp": "\(time)", "intensity": 5}]}
        """.utf8
      ).write(to: URL(filePath: "\(app.path)/Documents/export-\(name).json"))
    }
    for _ in 1...2 {
      let result = try await library.holdfast("import-app", app.path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(
        try await library.sql("SELECT count(*), max(notes) FROM craving") == [["4", "new"]])
    }
  }

  @Test("A voice note links to the recording that is here from its file, also if it comes later")
  func voiceNote() async throws {
    let library = try await library()
    let json = """
      {"journalEntries": [{"id": "\(id(1))", "title": "Sea", "content": "", "date": "\(time)",
        "audioURL": "file:///var/mobile/A/Documents/Audio/aac.m4a", "createdAt": "\(time)"}]}
      """
    try await importing(json, into: library, status: 3)
    _ = try await library.holdfast("import", Fixtures.path("aac.m4a"), "--title", "Mine")
    for _ in 1...2 {
      try await importing(json, into: library)
      #expect(
        try await library.column(
          "SELECT recording.title FROM recording JOIN journalEntry ON recordingId = recording.id")
          == ["Mine"])
    }
    try await library.expectSound()
  }

  @Test("A file that the app names by a URL keeps the name that it has on disk")
  func escapedNames() async throws {
    let library = try await library()
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a note é.m4a")
    try app.copy("portrait.mov", to: "b c.mov")
    let json = """
      {"journalEntries": [{"id": "\(id(1))", "title": "Sea", "content": "", "date": "\(time)",
         "audioURL": "file:///var/A/Documents/Recordings/a%20note%20%C3%A9.m4a"}],
       "recordings": [{"id": "\(id(2))", "fileURL": "Recordings/b%20c.mov"}]}
      """
    try Data(json.utf8).write(to: URL(filePath: app.path + "/Documents/app.json"))
    let result = try await library.holdfast("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT originalFilename FROM recording ORDER BY id")
        == ["a note é.m4a", "b c.mov"])
  }

  @Test("A day's verse that is marked gets one bookmark, unless there is one")
  func bookmarks() async throws {
    let library = try await library()
    let verses = { (translations: [String]) in
      let list = translations.enumerated().map { number, translation in
        """
        {"id": "\(id(number))", "reference": "R", "text": "t", "date": "2025-06-0\(number + 1)",
         "translation": "\(translation)", "isBookmarked": true}
        """
      }
      return "{\"versesOfTheDay\": [\(list.joined(separator: ","))]}"
    }
    try await importing(
      #"{"bookmarkedVerses": [{"id": "\#(id(9))", "reference": "R", "text": "t", "#
        + #""translation": "K", "createdAt": "\#(time)"}]}"#, into: library)
    for _ in 1...2 { try await importing(verses(["k", "L", "L"]), into: library) }
    #expect(
      try await library.sql(
        "SELECT translation, createdAt FROM bookmarkedVerse ORDER BY translation")
        == [["K", "2025-06-08 07:48:12.000"], ["L", "2025-06-02 00:00:00.000"]])
  }

  @Test("Of several people's records, those of one person can be imported")
  func user() async throws {
    let library = try await library()
    let habit = { (number: Int, user: String) in
      """
      {"id": "\(id(number))", "name": "\(user)", "habitType": "Habit Building", "userId": "\(user)",
       "goal": "1 time per day", "startDate": "2025-06-01T00:00:00Z"}
      """
    }
    let output = try await importing(
      "{\"habits\": [\(habit(1, "ann")), \(habit(2, "ben"))]}", into: library, "--user", "ann")
    #expect(output.contains("1 row of other people left out"), "\(output)")
    #expect(try await library.column("SELECT name FROM habit") == ["ann"])
    // A single person is the one who imports.
    #expect(output.contains("habits: those of ann are yours here"), "\(output)")
    let listed = try await library.holdfast("habit", "list")
    #expect(listed.output.contains("ann"), "\(listed)")
    try await importing(
      "{\"habits\": [\(habit(3, "cat")), \(habit(4, "dan"))]}", into: library)
    #expect(
      try await library.column("SELECT userId FROM habit ORDER BY name") == ["me", "cat", "dan"])
    // A person who is known here keeps the name, however many people a later document has.
    let xp = #"{"id": "\#(id(9))", "userId": "ann", "amount": 5, "reason": "r", "timestamp": "T"}"#
      .replacing("\"T\"", with: "\"\(time)\"")
    try await importing(
      """
      {"habits": [\(habit(1, "ann")), \(habit(5, "ann")), \(habit(6, "eve"))],
       "xpTransactions": [\(xp)]}
      """, into: library)
    try await importing("{\"habits\": [\(habit(7, "cat"))]}", into: library)
    #expect(
      try await library.column("SELECT name || ' ' || userId FROM habit ORDER BY id")
        == ["ann me", "cat cat", "dan dan", "ann me", "eve eve", "cat cat"])
    #expect(try await library.column("SELECT DISTINCT userId FROM xpTransaction") == ["me"])
  }
}
