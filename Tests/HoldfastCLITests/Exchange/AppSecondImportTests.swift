import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data a second time", .temporaryFolder)
struct AppSecondImportTests {
  let library = LibraryFolder()
  let id = LibraryFolder.id(1)

  /// Writes the app's document, and imports its folder.
  private func importApp(_ app: AppFolder, plays: Int = 0, title: String = "") async throws {
    let document = """
      {"recordings": [{"id": "\(id)", "filePath": "Recordings/a.m4a", "playCount": \(plays),
        "title": "\(title)",
        "createdAt": "2025-11-01T00:00:00Z"}],
       "cravings": [{"id": "\(LibraryFolder.id(2))", "timestamp": 782000000, "intensity": 8,
        "recordingId": "\(id)"}]}
      """
    try Data(document.utf8).write(to: URL(filePath: app.path + "/Documents/app.json"))
    _ = try await library.holdfast("import-app", app.path)
  }

  @Test("A link whose recording was missing is made when the recording comes, also after an edit")
  func lateRecording() async throws {
    let app = try AppFolder()
    try await importApp(app)
    #expect(try await library.column("SELECT count(recordingId) FROM craving") == ["0"])
    let craving = try await library.column("SELECT id FROM craving")[0]
    _ = try await library.holdfast("craving", "edit", craving, "--notes", "by the sea")
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app)
    #expect(
      try await library.sql("SELECT recordingId, notes FROM craving") == [[id, "by the sea"]])

    // A link that the user removed stays removed.
    _ = try await library.holdfast("craving", "unlink", craving)
    try await importApp(app)
    #expect(try await library.column("SELECT count(recordingId) FROM craving") == ["0"])
  }

  private func importPlan(
    _ dates: [String: String], into other: LibraryFolder? = nil
  ) async throws {
    let readings = (0..<5).map { number in
      let done = dates["\(number)"].map { ", \"completedAt\": \"\($0)\"" } ?? ""
      return "{\"reading\": \"Psalm \(number)\"\(done)}"
    }
    let document = """
      {"readingPlans": [{"id": "\(id)", "title": "Psalms", "startDate": "2025-06-08",
        "endDate": "2025-06-12", "createdAt": "2025-06-01T00:00:00Z",
        "dailyReadings": [\(readings.joined(separator: ","))]}]}
      """
    let path = temporary("plan.json")
    try Data(document.utf8).write(to: URL(filePath: path))
    let result = try await (other ?? library).holdfastInUTC("import-app", path)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  @Test("Readings that were read in the app since the last import are read, also after an edit")
  func plan() async throws {
    _ = try await library.holdfast("journal", "enable", "faith")
    let past = "2025-06-09T07:00:00Z"
    try await importPlan(["0": past, "1": past])
    let between = Date().addingTimeInterval(1).formatted(.iso8601)
    try await Task.sleep(for: .seconds(2))
    _ = try await library.holdfast("faith", "plan", "undo", id, "2")
    _ = try await library.holdfast("faith", "plan", "done", id, "3")
    let copy = try await library.copy(to: "copy")
    let edit = try await library.column("SELECT modifiedAt FROM readingPlan")
    // The app's clock may be ahead.
    let later = Date().addingTimeInterval(600).formatted(.iso8601)
    let done = "SELECT doneAt IS NOT NULL FROM readingPlanDay ORDER BY position"
    for _ in 1...2 {
      try await importPlan(["0": past, "1": past, "3": between, "4": later])
      #expect(try await library.column(done) == ["1", "0", "1", "1", "1"])
    }
    #expect(try await library.column("SELECT modifiedAt FROM readingPlan") == edit)
    for (into, from) in [(copy, library), (library, copy)] {
      _ = try await into.holdfast("merge", from.path)
      #expect(try await into.column(done) == ["1", "0", "1", "1", "1"])
    }
    // What was taken back here stays so.
    _ = try await library.holdfast("faith", "plan", "undo", id, "4")
    try await importPlan(["0": past, "1": past, "3": between])
    #expect(try await library.column(done) == ["1", "0", "1", "0", "1"])
    // What another library imported later joins an edit here.
    let other = LibraryFolder("other")
    _ = try await other.holdfast("journal", "enable", "faith")
    try await importPlan(["0": past, "3": later, "4": later], into: other)
    for (into, from) in [(other, copy), (copy, other)] {
      _ = try await into.holdfast("merge", from.path)
      #expect(try await into.column(done) == ["1", "0", "1", "1", "1"])
    }
  }

  @Test("A reading that was taken back here returns from no other library and no export")
  func planTakenBack() async throws {
    _ = try await library.holdfast("journal", "enable", "faith")
    try await importPlan([:])
    _ = try await library.holdfast("faith", "plan", "done", id, "1")
    let other = try await library.copy(to: "other")
    let folder = temporary("app")
    _ = try await library.holdfast("export", "--format", "app", folder)
    // Then the other library gets a reading of the app, and this one is edited.
    let later = Date().addingTimeInterval(600).formatted(.iso8601)
    try await importPlan(["3": later], into: other)
    _ = try await library.holdfast("faith", "plan", "undo", id, "1")
    let done = "SELECT doneAt IS NOT NULL FROM readingPlanDay ORDER BY position"
    _ = try await library.holdfast("import-app", folder)
    #expect(try await library.column(done) == ["0", "0", "0", "0", "0"])
    for (into, from) in [(library, other), (other, library)] {
      _ = try await into.holdfast("merge", from.path)
      #expect(try await into.column(done) == ["0", "0", "0", "1", "0"])
    }
  }

  @Test("A late link comes with its recording, also if the import is killed before the records")
  func killedBeforeRecords() async throws {
    let app = try AppFolder()
    try await importApp(app)
    let craving = try await library.column("SELECT id FROM craving")[0]
    try app.copy("aac.m4a", to: "a.m4a")
    var writes = 0
    var counts = ["0"]
    while counts == ["0"], writes < 100 {
      writes += 1
      _ = try await Strace.run(
        ["trace=pwrite64", "inject=pwrite64:signal=KILL:when=\(writes)"],
        path: library.path + "/catalog.sqlite", library.command(["import-app", app.path]))
      _ = try await library.holdfast("craving", "edit", craving, "--notes", "edit \(writes)")
      counts = try await library.column("SELECT count(*) FROM recording")
    }
    #expect(try await library.sql("SELECT recordingId FROM craving") == [[id]])
    try await importApp(app)
    #expect(
      try await library.sql("SELECT recordingId, notes FROM craving") == [[id, "edit \(writes)"]])
  }

  @Test("Of two recordings of the app on one file, the first keeps its ID and words")
  func oneFile() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    let rows = (1...3).map { number in
      """
      {"id": "\(LibraryFolder.id(10 - number))", "filePath": "Recordings/a.m4a",
       "title": "Title \(number)", "createdAt": "2025-11-0\(number)T00:00:00Z"}
      """
    }
    try Data("{\"recordings\": [\(rows.joined(separator: ", "))]}".utf8)
      .write(to: URL(filePath: app.path + "/Documents/app.json"))
    let dry = try await library.holdfast("import-app", app.path, "--dry-run")
    let would = dry.errorLines.filter { $0.contains("the same file as") }
    #expect(dry.status == 0 && would.count == 2, "\(dry.errorOutput)")
    for _ in 1...2 {
      let result = try await library.holdfast("import-app", app.path)
      #expect(result.status == 0, "\(result.errorOutput)")
      let notes = result.errorLines.filter { $0.hasPrefix("note: ") }
      #expect(
        notes.count == 2 && notes.allSatisfy { $0.contains("the same file as") },
        "\(result.errorOutput)")
      #expect(
        try await library.sql("SELECT id, title FROM recording")
          == [[LibraryFolder.id(9), "Title 1"]])
    }
  }

  @Test("Files without a list get no other ID with each import")
  func noList() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "\(LibraryFolder.id(7)).m4a")
    for _ in 1...3 {
      let result = try await library.holdfast("import-app", app.path)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    #expect(try await library.column("SELECT count(*) FROM alias") == ["0"])
  }

  @Test("A memo that was recorded again under its ID leaves the words of the first one")
  func secondTake() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, title: "One")
    try FileManager.default.removeItem(atPath: app.recordings + "/a.m4a")
    try app.copy("alac.m4a", to: "a.m4a")
    for _ in 1...2 {
      try await importApp(app, title: "Two")
      #expect(
        try await library.sql(
          """
          SELECT title, originalFilename = 'a.m4a', r.id = '\(id)', count(c.id) FROM recording r
          LEFT JOIN craving c ON c.recordingId = r.id GROUP BY r.id ORDER BY title
          """) == [["One", "1", "1", "0"], ["Two", "1", "0", "1"]])
    }
    let document = try await library.holdfast("import-app", app.path + "/Documents/app.json")
    #expect(document.lines.contains("recordings: 1 unchanged"), "\(document.output)")
  }

  @Test("Plays in the app are added to those here, also if it has none at first")
  func laterPlays() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app)
    for _ in 1...4 { _ = try await library.holdfast("play", id, "--count-only") }
    for (plays, total) in [(0, "4"), (3, "7"), (5, "9"), (5, "9")] {
      try await importApp(app, plays: plays)
      #expect(try await library.column("SELECT playCount FROM recording") == [total])
    }
  }

  @Test("Plays of a recording that was imported by itself are not those in the app")
  func playsOfJoined() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    _ = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    let own = try await library.column("SELECT id FROM recording")[0]
    for _ in 1...4 { _ = try await library.holdfast("play", own, "--count-only") }
    for (plays, total) in [(10, "14"), (12, "16"), (12, "16")] {
      try await importApp(app, plays: plays)
      #expect(try await library.column("SELECT playCount FROM recording") == [total])
    }
  }

  @Test("Plays in the app are added to those here, each once")
  func plays() async throws {
    let app = try AppFolder()
    try app.copy("aac.m4a", to: "a.m4a")
    try await importApp(app, plays: 5)
    for _ in 1...3 { _ = try await library.holdfast("play", id, "--count-only") }
    for (plays, total) in [(5, "8"), (9, "12"), (9, "12"), (7, "12")] {
      try await importApp(app, plays: plays)
      #expect(try await library.column("SELECT playCount FROM recording") == [total])
    }
    #expect(
      try await library.column("SELECT count FROM plays WHERE replica = '\(id)'") == ["9"])
    // Holdfast's own document has the plays that were counted here.
    for name in ["out", "again"] {
      _ = try await library.holdfast("export", "--format", "app", temporary(name))
      _ = try await library.holdfast("import-app", temporary(name))
      #expect(try await library.column("SELECT playCount FROM recording") == ["12"])
    }
    // Nor does a copy, also if it got them by a document before a merge.
    for (number, format) in ["json", "app"].enumerated() {
      let copy = try await library.copy(to: "copy \(format)")
      _ = try await library.holdfast("play", id, "--count-only")
      let path = temporary("exported \(format)")
      _ = try await library.holdfast("export", "--format", format, path)
      _ = try await copy.holdfast(format == "app" ? "import-app" : "import-data", path)
      for (into, from) in [(copy, library), (library, copy)] {
        _ = try await into.holdfast("merge", from.path)
        #expect(try await into.column("SELECT playCount FROM recording") == ["\(13 + number)"])
      }
    }
    // Another library that has read the app's data does not count its plays again.
    let other = LibraryFolder("other")
    _ = try await other.holdfast("import-app", app.path)
    _ = try await library.holdfast("merge", other.path)
    #expect(try await library.column("SELECT playCount FROM recording") == ["14"])
  }
}
