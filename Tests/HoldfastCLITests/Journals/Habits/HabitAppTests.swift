import Foundation
import HoldfastTestSupport
import Testing

@Suite("Habits: an app's data", .temporaryFolder)
struct HabitAppTests {
  private func makeLibrary() async throws -> LibraryFolder {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "habits")
    return library
  }

  private func document() -> String {
    let id = { LibraryFolder.id($0) }
    return """
      {"metadata": {"version": "1.0", "createdDate": "2025-10-20T12:00:00Z"},
       "habits": [
        {"id": "\(id(1))", "name": "Walk", "habitDescription": "", "colorData": "YnBsaXN0MDA=",
         "icon": "figure", "goal": "30 minutes on weekdays", "habitType": "Habit Building",
         "startDate": "2025-10-01T00:00:00Z", "streak": 4, "isCompleted": false,
         "createdAt": "2025-10-01T08:00:00Z", "updatedAt": "2025-10-02T08:00:00Z", "userId": "me"},
        {"id": "\(id(2))", "name": "Sweets", "goal": "1 time every weekday",
         "habitType": "Habit Breaking", "startDate": "2025-10-01T00:00:00Z",
         "reminder": "7:30 PM", "createdAt": "2025-10-01T08:00:00Z"},
        {"id": "\(id(3))", "name": "Gym", "goal": "2 times on mon, wed",
         "habitType": "Habit Building", "startDate": "2025-10-01T00:00:00Z"},
        {"id": "\(id(4))", "name": "Odd", "goal": "as much as I can 3",
         "habitType": "Habit Building", "startDate": "2025-10-01T00:00:00Z"}],
       "completions": [
        {"id": "\(id(11))", "habitId": "\(id(1))", "date": "2025-10-06T00:00:00Z",
         "isCompleted": true, "createdAt": "2025-10-06T08:00:00Z"}],
       "difficulties": [
        {"id": "\(id(21))", "habitId": "\(id(1))", "date": "2025-10-06T00:00:00Z",
         "difficulty": 3, "createdAt": "2025-10-06T08:00:00Z"}],
       "usageRecords": [
        {"id": "\(id(31))", "habitId": "\(id(2))", "key": "2025-10-07", "value": 2,
         "createdAt": "2025-10-07T08:00:00Z"}],
       "habitNotes": [
        {"id": "\(id(41))", "habitId": "\(id(1))", "content": "Along the river",
         "createdAt": "2025-10-06T08:00:00Z", "updatedAt": "2025-10-06T08:00:00Z"}]}
      """
  }

  private func check(_ library: LibraryFolder) async throws {
    #expect(
      try await library.sql(
        """
        SELECT name, habitDescription, color, habitType, goalCount, goalUnit, baselineCount,
          (SELECT count(*) FROM habitWeekday WHERE habitId = habit.id) FROM habit ORDER BY id
        """) == [
          ["Walk", "Note: Along the river", "#0000FFFF", "formation", "30", "minutes", "", "5"],
          ["Sweets", "", "#0000FFFF", "breaking", "1", "time", "2", "5"],
          ["Gym", "", "#0000FFFF", "formation", "2", "times", "", "2"],
        ])
    #expect(
      try await library.sql("SELECT day, progressCount, difficulty FROM habitDay ORDER BY day")
        == [["2025-10-06", "30", "3"], ["2025-10-07", "2", ""]])
    #expect(try await library.column("SELECT time FROM habitReminder") == ["19:30"])
  }

  @Test("An exported document comes in, and what cannot be read is named")
  func exported() async throws {
    let library = try await makeLibrary()
    let path = temporary("habits.json")
    try Data(document().utf8).write(to: URL(fileURLWithPath: path))
    for word in ["added", "unchanged"] {
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(result.status == 3)
      #expect(result.errorOutput.contains("as much as I can 3"), "\(result.errorOutput)")
      #expect(
        result.errorOutput.contains(
          "baseline: 1 habit, missing, read as one more than the goal unless it is known here"))
      #expect(result.lines.contains("habits: 3 \(word), 1 refused"), "\(result.output)")
      try await check(library)
    }
  }

  /// Writes a document in which Water was done so often at some hour. Smoke is a habit to give up,
  /// whose uses have no date of change.
  private func writeDay(_ count: Int, at hour: Int, goal: Int = 8, rated: Int) throws -> String {
    let id = { LibraryFolder.id($0) }
    let path = temporary("day.json")
    try Data(
      """
      {"habits": [
        {"id": "\(id(1))", "name": "Water", "goal": "\(goal) times everyday",
         "habitType": "Habit Building", "startDate": "2025-10-01T00:00:00Z"},
        {"id": "\(id(2))", "name": "Smoke", "goal": "2 times everyday", "baseline": 9,
         "habitType": "Habit Breaking", "startDate": "2025-10-01T00:00:00Z"}],
       "completions": [
        {"id": "\(id(11))", "habitId": "\(id(1))", "dateKey": "2025-10-06", "progress": \(count),
         "isCompleted": \(count >= goal), "createdAt": "2025-10-06T08:00:00Z",
         "updatedAt": "2025-10-06T\(hour):00:00Z"},
        {"id": "\(id(12))", "habitId": "\(id(1))", "dateKey": "2025-10-05",
         "isCompleted": true, "createdAt": "2025-10-05T08:00:00Z"}],
       "difficulties": [
        {"id": "\(id(21))", "habitId": "\(id(1))", "date": "2025-10-06T00:00:00Z",
         "difficulty": \(rated), "createdAt": "2025-10-06T08:00:00Z"}],
       "usageRecords": [
        {"id": "\(id(31))", "habitId": "\(id(2))", "key": "2025-10-06", "value": \(count),
         "createdAt": "2025-10-06T08:00:00Z"}]}
      """.utf8
    ).write(to: URL(filePath: path))
    return path
  }

  @Test("Silence about a habit to give up is no success, and a refused habit's days are named")
  func silence() async throws {
    let library = try await makeLibrary()
    let habit = { (number: Int, goal: String, type: String) in
      """
      {"id": "\(LibraryFolder.id(number))", "name": "\(number)", "goal": "\(goal)",
       "habitType": "Habit \(type)", "startDate": "2025-10-01T00:00:00Z"}
      """
    }
    let days = [1, 2].flatMap { number in
      (1...3).map { day in
        """
        {"habitId": "\(LibraryFolder.id(number))", "date": "2025-10-0\(day)T00:00:00Z",
         "isCompleted": \(day == 1)}
        """
      }
    }
    let path = temporary("habits.json")
    try Data(
      """
      {"habits": [\(habit(1, "5 cigarettes", "Breaking")), \(habit(2, "steps 3", "Building")),
         \(habit(3, "10,000 steps", "Building"))],
       "completions": [\(days.joined(separator: ", "))],
       "difficulties": [{"habitId": "\(LibraryFolder.id(3))", "date": "2025-10-02T00:00:00Z",
         "difficulty": 9}],
       "usageRecords": [{"habitId": "\(LibraryFolder.id(1))", "key": "2025-10-03", "value": 0}],
       "habitNotes": [{"habitId": "\(LibraryFolder.id(2))", "content": "Up the hill"}]}
      """.utf8
    ).write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 3)
    for note in [
      "progress: 2 habit days, missing for a habit to give up, left out",
      "habitId: 3 habit days, of a habit that was not imported, left out",
      "habitNotes: 1 habit, of a habit that was not imported, left out: Up the hill",
      "3, day 2025-10-02: 1 habit, its difficulty is 9, not a whole number from 1 to 5, left out",
    ] {
      #expect(result.errorLines.contains("note: \(note)"), "\(result.errorOutput)")
    }
    #expect(
      try await library.sql("SELECT goalCount, goalUnit FROM habit ORDER BY id")
        == [["5", "cigarettes"], ["10000", "steps"]])
    #expect(
      try await library.sql("SELECT day, progressCount FROM habitDay ORDER BY day")
        == [["2025-10-02", "0"], ["2025-10-03", "0"]])
  }

  @Test("A day that grows in the app grows here, and one that was edited here stays")
  func laterDay() async throws {
    let library = try await makeLibrary()
    let query = "SELECT progressCount, goalCount, ifnull(difficulty, 0) FROM habitDay ORDER BY day"
    let importDay = { (path: String, expected: [[String]]) in
      for _ in 1...2 {
        let result = try await library.holdfastInUTC("import-app", path)
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(
          try await library.sql(query + ", habitId") == expected, "\(path) \(result.output)")
      }
      let again = try await library.holdfastInUTC("import-app", path)
      #expect(again.lines.contains("habit days: 3 unchanged"), "\(again.output)")
    }
    let whole = ["8", "8", "0"]
    try await importDay(
      writeDay(2, at: 12, rated: 2), [whole, ["2", "8", "2"], ["2", "2", "0"]])
    // A moment that was logged here stays, although the app's day is newer.
    try await library.changeCatalog(
      """
      INSERT INTO habitAction (habitDayId, position, timestamp, timestampOffset)
      SELECT id, 0, '2025-10-06 13:00:00.000', 0 FROM habitDay
      WHERE day = '2025-10-06' AND habitId = '\(LibraryFolder.id(1))'
      """)
    let evening = [whole, ["8", "8", "4"], ["8", "2", "0"]]
    try await importDay(writeDay(8, at: 22, rated: 4), evening)
    #expect(try await library.column("SELECT count(*) FROM habitAction") == ["1"])
    // An older document changes nothing of a later day, and a new goal nothing of the past.
    try await importDay(writeDay(2, at: 12, rated: 2), evening)
    try await importDay(writeDay(8, at: 22, goal: 10, rated: 4), evening)
    _ = try await library.holdfastInUTC(
      "habit", "set", LibraryFolder.id(2), "1", "--day", "2025-10-06")
    try await importDay(
      writeDay(9, at: 23, rated: 4), [whole, ["9", "8", "4"], ["1", "2", "0"]])
  }

  @Test("The app's backup in an envelope comes in, and a compressed one is refused")
  func envelope() async throws {
    for isCompressed in [false, true] {
      let library = LibraryFolder("library-\(isCompressed)")
      _ = try await library.holdfast("journal", "enable", "habits")
      let payload = Data(document().utf8).base64EncodedString()
      try Data(document().utf8).write(to: URL(fileURLWithPath: temporary("payload")))
      let checksum = try await Command.output(of: "sha256sum", [temporary("payload")]).output
      let path = temporary("backup.json")
      try Data(
        """
        {"version": 1, "createdAt": "2025-10-20T12:00:00Z", "isCompressed": \(isCompressed),
         "checksum": "\(checksum.prefix(64))", "payload": "\(payload)"}
        """.utf8
      ).write(to: URL(fileURLWithPath: path))
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(result.status == (isCompressed ? 1 : 3))
      if isCompressed {
        #expect(result.errorOutput.contains("use the app's Export Data"))
        let data = try await library.holdfastInUTC("import-data", path)
        #expect(data.status == 1 && data.errorOutput == result.errorOutput)
      } else {
        try await check(library)
      }
    }
  }

  @Test("A store of the shipped app comes in, without deleted habits and days")
  func store() async throws {
    let library = try await makeLibrary()
    let app = try AppFolder()
    try app.makeStore(
      tables: """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'HabitData', 2), (2, 'CompletionRecord', 2),
          (3, 'DailyAward', 1);
        CREATE TABLE ZHABITDATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB,
          ZNAME VARCHAR, ZGOAL VARCHAR, ZHABITTYPE VARCHAR, ZCOLORDATA BLOB, ZUSERID VARCHAR,
          ZSTARTDATE TIMESTAMP, ZCREATEDAT TIMESTAMP, ZDELETEDAT TIMESTAMP);
        CREATE TABLE ZCOMPLETIONRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID BLOB, ZHABITID BLOB, ZHABIT INTEGER, ZDATE TIMESTAMP, ZDATEKEY VARCHAR,
          ZPROGRESS INTEGER, ZISCOMPLETED INTEGER, ZDELETEDAT TIMESTAMP);
        CREATE TABLE ZDAILYAWARD (Z_PK INTEGER PRIMARY KEY, ZA INTEGER);
        """,
      old: """
        INSERT INTO ZHABITDATA VALUES
          (1, 1, 1, \(AppFolder.id(1)), 'Read', '10 pages everyday', 'Habit Building', X'00', 'me',
            781000000, 781000000, NULL),
          (2, 1, 1, \(AppFolder.id(2)), 'Gone', '1 time everyday', 'Habit Building', NULL, 'me',
            781000000, 781000000, 781500000);
        INSERT INTO ZDAILYAWARD VALUES (1, 1);
        """,
      new: """
        INSERT INTO ZCOMPLETIONRECORD VALUES
          (1, 2, 1, \(AppFolder.id(11)), \(AppFolder.id(1)), 1, 782000000, '2025-10-12', 4, 0,
            NULL),
          (2, 2, 1, \(AppFolder.id(12)), NULL, 1, 782100000, '2025-10-13', 10, 1, NULL),
          (3, 2, 1, \(AppFolder.id(13)), NULL, 1, 782200000, '2025-10-14', 10, 1, 782300000);
        """)
    let result = try await library.holdfastInUTC("import-app", app.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("deletedAt: 1 habit, deleted in the app, left out"))
    #expect(result.errorOutput.contains("DailyAward: 1 row, not kept"))
    #expect(try await library.column("SELECT name FROM habit") == ["Read"])
    #expect(
      try await library.sql("SELECT day, progressCount FROM habitDay ORDER BY day")
        == [["2025-10-12", "4"], ["2025-10-13", "10"]])
  }
}
