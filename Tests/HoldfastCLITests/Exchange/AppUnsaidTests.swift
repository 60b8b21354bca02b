import Foundation
import HoldfastTestSupport
import Testing

@Suite("What an app's later form does not say", .temporaryFolder)
struct AppUnsaidTests {
  /// A record in two forms of an app's documents.
  struct Forms: Sendable, CustomTestStringConvertible {
    var list: String
    var first: String
    var later: String
    var query: String
    var kept: [String]
    var testDescription: String { "\(list): \(kept.joined(separator: ", "))" }
  }

  private static let moment = #""date": "2025-06-03T22:30:00Z", "dateOffset": 120"#
  private static let forms = [
    Forms(
      list: "prayerRequests", first: #""title": "Ann", \#(moment)"#, later: #""title": "Ann""#,
      query: "SELECT date, dateOffset FROM prayer", kept: ["2025-06-03 22:30:00.000", "120"]),
    Forms(
      list: "prayerRequests",
      first: #"""
        "title": "Ann", \#(moment), "status": "Answered", "answerDate": "2025-07-01T07:00:00Z",
        "answerNotes": "She is well"
        """#,
      later: #""title": "Ann", \#(moment), "isAnswered": true"#,
      query: "SELECT answerDate, answerNotes FROM prayer",
      kept: ["2025-07-01 07:00:00.000", "She is well"]),
    Forms(
      list: "prayerRequests",
      first: #"""
        "title": "Ann", \#(moment), "status": "Answered", "answerDate": "2025-07-01T07:00:00Z",
        "answerNotes": "She is well"
        """#,
      later: #""title": "Ann", \#(moment)"#,
      query: "SELECT status, answerDate, answerNotes FROM prayer",
      kept: ["Answered", "2025-07-01 07:00:00.000", "She is well"]),
    // It was written down after it was answered.
    Forms(
      list: "prayerRequests",
      first: #"""
        "title": "Ann", "status": "Answered", "answerDate": "2025-06-07T07:00:00Z",
        "date": "2025-06-03T22:30:00Z", "dateOffset": 120
        """#,
      later: #""title": "Ann", "isAnswered": true, "answerDate": "2025-06-07T07:00:00Z""#,
      query: "SELECT date, dateOffset, answerDate FROM prayer",
      kept: ["2025-06-03 22:30:00.000", "120", "2025-06-07 07:00:00.000"]),
    Forms(
      list: "bibleNotes",
      first: #""verseReference": "John 3", "note": "n", \#(moment), "isPrivate": true"#,
      later: #""verseReference": "John 3", "note": "n", \#(moment)"#,
      query: "SELECT isPrivate FROM journalEntry", kept: ["1"]),
    Forms(
      list: "cravings",
      first: #""timestamp": "2025-06-03T22:30:00.723Z", "timestampOffset": 120, "intensity": 5"#,
      later: #""timestamp": "2025-06-03T22:30:00Z", "intensity": 5"#,
      query: "SELECT timestamp, timestampOffset FROM craving",
      kept: ["2025-06-03 22:30:00.723", "120"]),
    Forms(
      list: "readingPlans",
      first: #"""
        "title": "Psalms", "startDate": "2025-06-02", "endDate": "2025-06-09",
        "dailyReadings": [{"reading": "Psalm 1", "completedAt": "2025-06-03T22:30:00.723Z"}]
        """#,
      later: #"""
        "title": "Psalms",
        "dailyReadings": [{"reading": "Psalm 1", "completedAt": "2025-06-03T22:30:00Z"}]
        """#,
      query: "SELECT startDay, endDay, doneAt FROM readingPlan, readingPlanDay",
      kept: ["2025-06-02", "2025-06-09", "2025-06-03 22:30:00.723"]),
    Forms(
      list: "habits",
      first: ##""color": "#00FF00FF", "baseline": 9, \##(habit)"##,
      later: #""baseline": 0, \#(habit)"#,
      query: "SELECT color, baselineCount FROM habit", kept: ["#00FF00FF", "9"]),
  ]
  private static let habit =
    #""name": "Smoke", "habitType": "Habit Breaking", "goal": "2 times everyday", "#
    + #""startDate": "2025-06-02T00:00:00Z""#

  @Test(
    "is as it was, whether the app dates a change or not", arguments: forms, [false, true])
  func kept(_ forms: Forms, isDated: Bool) async throws {
    let library = LibraryFolder()
    for journal in ["faith", "habits"] {
      _ = try await library.holdfast("journal", "enable", journal)
    }
    let head = #""id": "\#(LibraryFolder.id(1))", "createdAt": "2025-06-08T07:00:00.456Z""#
    let path = temporary("app.json")
    for (record, zone) in [
      (forms.first, "Europe/Berlin"), (forms.later, "America/New_York"),
      (forms.later, "America/New_York"),
    ] {
      let isLater = record == forms.later
      let change = isLater && isDated ? #", "updatedAt": "2025-06-09T07:00:00Z""# : ""
      let own = isLater ? head.replacing(".456", with: "") : head
      try Data("{\"\(forms.list)\": [{\(own), \(record)\(change)}]}".utf8)
        .write(to: URL(filePath: path))
      let result = try await Command.run(
        Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await library.sql(forms.query) == [forms.kept], "\(zone)")
    }
  }

  @Test("An exact moment of a habit is not counted again in whole seconds")
  func moments() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "habits")
    let path = temporary("app.json")
    for fraction in [".723", ".000", ".723"] {
      let document = """
        {"habits": [{"id": "\(LibraryFolder.id(1))", "name": "Water", "goal": "5 times everyday",
          "habitType": "Habit Building", "startDate": "2025-06-02T00:00:00Z"}],
         "completions": [{"habitId": "\(LibraryFolder.id(1))", "dateKey": "2025-06-03",
          "progress": 5, "createdAt": "2025-06-03T08:00:00Z",
          "timestamps": ["2025-06-03T08:00:00\(fraction)Z", "2025-06-03T09:00:00\(fraction)Z"]}]}
        """
      try Data(document.utf8).write(to: URL(filePath: path))
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(
        try await library.sql(
          "SELECT progressCount, (SELECT count(*) FROM habitAction) FROM habitDay")
          == [["5", "2"]])
    }
  }

  @Test("A craving keeps its recording, whose dates the document has in whole seconds")
  func recording() async throws {
    let app = try AppFolder()
    let library = LibraryFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    let (id, craving) = (LibraryFolder.id(1), LibraryFolder.id(2))
    func document(_ fraction: String, _ cravings: String) -> Data {
      Data(
        """
        {"recordings": [{"id": "\(id)", "filePath": "Recordings/a.m4a", "title": "Why\(fraction)",
          "createdAt": "2025-06-03T08:00:00\(fraction)Z",
          "timestamp": "2025-06-03T08:00:00\(fraction)Z"}], "cravings": [\(cravings)]}
        """.utf8)
    }
    let folder = app.path + "/Documents"
    try document(".723", "").write(to: URL(filePath: folder + "/app.json"))
    #expect(try await library.holdfastInUTC("import-app", folder).status == 0)
    let path = temporary("alone.json")
    try document(
      "",
      """
      {"id": "\(craving)", "timestamp": "2025-06-04T08:00:00Z", "intensity": 5,
       "recordingId": "\(id)"}
      """
    ).write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.column("SELECT recordingId FROM craving") == [id])
    #expect(
      try await library.sql("SELECT title, timestamp FROM recording")
        == [["Why", "2025-06-03 08:00:00.723"]])
  }
}
