import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast craving", .temporaryFolder)
struct CravingTests {
  @Test("A craving is logged as it was written, and linked to the recording that helped")
  func log() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov", options: ["--title", "Why"])
    let recording = try await library.column("SELECT id FROM recording")[0]
    let craving = try await library.record(
      "craving", "log", "--intensity", "8", "--trigger", "tired", "--trigger", "ANXIOUS",
      "--trigger", "Tired", "--location", "home", "--notes", "late evening", "--at",
      "2025-10-25T15:42:07+02:00", "--recording", String(recording.prefix(8)))
    #expect(craving.intensity == 8)
    #expect(craving.intensityCategory == "strong")
    #expect(craving.triggers == ["Anxious", "Tired"])
    #expect(craving.timestamp == "2025-10-25T13:42:07.000Z")
    #expect(
      try await library.sql(
        "SELECT timestamp, intensity, location, notes, recordingId FROM craving")
        == [["2025-10-25 13:42:07.000", "8", "Home", "late evening", recording]])
    #expect(
      try await library.column("SELECT trigger FROM cravingTrigger ORDER BY 1")
        == ["Anxious", "Tired"])
    let shown = try await library.holdfast("craving", "show", String(craving.id.prefix(4)))
    #expect(shown.output.contains("intensity   8, Strong (urgent)"))
    #expect(shown.output.contains("helped by   Why (\(recording.prefix(8)))"))
    let helped = try await library.holdfast("show", recording)
    #expect(helped.output.contains("8, Strong (urgent)"))
    #expect(helped.output.contains(craving.id.prefix(8)))
  }

  @Test("The default time is now, and one more than a week ago is accepted with a warning")
  func moments() async throws {
    let library = LibraryFolder()
    let now = try await library.holdfast("craving", "log", "--intensity", "1")
    #expect(now.status == 0)
    #expect(!now.errorOutput.contains("back"))
    let age = try await library.column(
      "SELECT (julianday('now') - julianday(timestamp)) * 86400 FROM craving")[0]
    // The test may have to wait for its turn, but not for an hour.
    #expect((-1..<3600).contains(try #require(Double(age))))
    let recent = try await library.holdfast(
      "craving", "log", "--intensity", "1", "--at", ago(6.9 * day))
    #expect(recent.errorOutput.isEmpty)
    let old = try await library.holdfast("craving", "log", "--intensity", "1", "--at", ago(9 * day))
    #expect(old.status == 0)
    #expect(old.errorOutput.contains("9 days ago"))
    #expect(try await library.column("SELECT count(*) FROM craving") == ["3"])
    let id = try await library.column("SELECT id FROM craving ORDER BY timestamp DESC")[0]
    let moved = try await library.holdfast("craving", "edit", id, "--at", ago(30 * day))
    #expect(moved.errorOutput.contains("30 days ago"))
    let noted = try await library.holdfast("craving", "edit", id, "--notes", "x")
    #expect(noted.errorOutput.isEmpty)
  }

  @Test("Bad input is refused in a sentence, and nothing is written")
  func refusals() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let craving = try await library.record("craving", "log", "--intensity", "5").id
    let log = ["craving", "log", "--intensity", "5"]
    let long = String(repeating: "🌊", count: 501)
    for (arguments, words) in [
      (["craving", "log", "--intensity", "0"], "intensity 0: an intensity goes from 1 to 10"),
      (["craving", "log", "--intensity", "11"], "intensity 11: an intensity goes from 1 to 10"),
      (["craving", "log", "--intensity", "five"], "is not a number"),
      (log + ["--trigger", "Angri"], "did you mean Angry?"),
      (log + ["--location", "Hom"], "did you mean Home?"),
      (log + ["--location", "91,0"], "a latitude goes from -90 to 90"),
      (log + ["--location", "0,180.1"], "a longitude from -180 to 180"),
      (log + ["--notes", long], "501 characters; at most 500"),
      (log + ["--at", ago(-day)], "is in the future"),
      (log + ["--at", "yesterdayish"], "is not a time"),
      (log + ["--at", "2025-02-30 10:00"], "no such day or time"),
      (log + ["--recording", "00000000"], "no recording's id begins with \"00000000\""),
      (["craving", "edit", craving], "Name what to change"),
      (["craving", "edit", craving, "--intensity", "12"], "from 1 to 10"),
      (["craving", "edit", craving, "--at", ago(-day)], "is in the future"),
      (["craving", "show", "abc"], "has less than 4 characters of an id"),
      (["craving", "show", "zzzz"], "no craving's id begins with"),
      (["craving", "link", craving, "ffffffff"], "no recording's id begins with"),
      (["craving", "delete", craving, "0000"], "no craving's id begins with"),
      (["craving", "list", "--days", "0"], "give 1 to 36500 days"),
      (["craving", "list", "--limit=-1"], "must not be negative"),
    ] { try await library.expectRefusal(arguments, saying: words) }
    // The longest accepted notes: 500 scalars, not 500 bytes.
    _ = try await library.record(
      "craving", "log", "--intensity", "5", "--notes", String(long.dropLast()))
  }

  @Test("An edit changes the given fields and keeps the others")
  func edit() async throws {
    let library = LibraryFolder()
    let before = try await library.record(
      "craving", "log", "--intensity", "3", "--trigger", "Bored", "--location", "Car", "--notes",
      "x", "--at", "2025-10-25 10:00")
    let one = try await library.record("craving", "edit", before.id, "--intensity", "10")
    #expect(one.intensityCategory == "overwhelming")
    #expect(one.triggers == ["Bored"])
    #expect(one.location == "Car")
    #expect(one.timestamp == before.timestamp)
    #expect(one.createdAt == before.createdAt)
    #expect(before.modifiedAt == nil)
    #expect(try #require(one.modifiedAt) > (try #require(before.createdAt)))
    let two = try await library.record(
      "craving", "edit", before.id, "--location", "", "--notes", "", "--no-triggers")
    #expect(two.location == nil)
    #expect(two.notes == nil)
    #expect(two.triggers == [])
    let three = try await library.record(
      "craving", "edit", before.id, "--location", "-33.86, 151.2", "--trigger", "Sad")
    #expect(three.location == "-33.86,151.2")
    #expect(three.triggers == ["Sad"])
  }

  @Test("Coordinates appear only in show, JSON and exports")
  func coordinates() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let recording = try await library.column("SELECT id FROM recording")[0]
    let entry = ["--location", "-33.868,151.209", "--trigger", "Sad"]
    let logged = try await library.holdfast(
      ["craving", "log", "--intensity", "5", "--recording", recording] + entry)
    let used = try await library.holdfast(
      ["usage", "log", "--method", "Dab", "--amount", "1"] + entry)
    let craving = try await library.column("SELECT id FROM craving")[0]
    let usage = try await library.column("SELECT id FROM usage")[0]
    for commands in [
      ["craving", "list"], ["usage", "list"], ["craving", "edit", craving, "--intensity", "6"],
      ["usage", "edit", usage, "--amount", "2"], ["craving", "link", craving, recording],
      ["show", recording], ["stats"],
    ] {
      let result = try await library.holdfast(commands)
      #expect(result.output.contains("Current Location"), "\(commands)")
      #expect(!result.output.contains("33.868") && !result.output.contains("oordinates"))
    }
    for result in [logged, used] {
      #expect(result.output.hasSuffix("; Sad, Current Location\n"))
    }
    for commands in [
      ["craving", "show", craving], ["craving", "list", "--json"], ["usage", "show", usage],
      ["usage", "list", "--json"], ["show", recording, "--json"], ["export", "--format", "json"],
    ] {
      let result = try await library.holdfast(commands)
      #expect(result.output.contains("-33.868,151.209"), "\(commands)")
      #expect(!result.output.contains("Current Location"))
    }
    for (noun, id) in [("craving", craving), ("usage", usage)] {
      let deleted = try await library.holdfast(noun, "delete", "--yes", id)
      #expect(deleted.output.hasSuffix("; Sad, Current Location\n"))
    }
  }

  @Test("In the statistics by place, a craving without one counts as Unknown")
  func unknownPlace() async throws {
    let library = LibraryFolder()
    for place in ["Home", "Home", "1,2", "", "", ""] {
      _ = try await library.record("craving", "log", "--intensity", "5", "--location", place)
    }
    let stats = try await library.holdfast("stats")
    let places = stats.lines.drop { $0 != "Cravings by place" }.dropFirst().prefix(3)
    #expect(
      places.map { $0.prefix(19) } == [
        "Home              2", "Current Location  1", "Unknown           3",
      ])
  }

  @Test("Lists are newest first, filtered, and paged")
  func list() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let recording = try await library.column("SELECT id FROM recording")[0]
    for (days, intensity, trigger) in [(40, 2, "Bored"), (20, 9, "Sad"), (3, 7, "Bored")] {
      _ = try await library.record(
        "craving", "log", "--intensity", "\(intensity)", "--trigger", trigger, "--at",
        ago(Double(days) * day))
    }
    func intensities(_ options: String...) async throws -> [Int?] {
      let result = try await library.holdfast(["craving", "list", "--json"] + options)
      return try result.json([Record].self).map(\.intensity)
    }
    #expect(try await intensities() == [7, 9, 2])
    #expect(try await intensities("--days", "30") == [7, 9])
    #expect(try await intensities("--min-intensity", "8") == [9])
    #expect(try await intensities("--trigger", "bored") == [7, 2])
    #expect(try await intensities("--trigger", "Bored", "--days", "7") == [7])
    #expect(try await intensities("--limit", "1", "--offset", "1") == [9])
    #expect(try await intensities("--recording", recording) == [])
    let newest = try await library.records("craving", "list", "--limit", "1")[0]
    let linked = try await library.record("craving", "link", newest.id, recording)
    #expect(linked.recordingId == recording)
    #expect(try await intensities("--recording", recording) == [7])
    let page = try await library.holdfast("craving", "list", "--limit", "2")
    #expect(page.errorLines == ["2 cravings; --offset 2 shows more."])
    #expect(page.lines.count == 3)
    let summary = try await library.holdfast("craving", "list", "--summary")
    #expect(summary.output == "3 cravings, average intensity 6.0.\n")
    let none = try await library.holdfast("craving", "list", "--summary", "--trigger", "Hungry")
    #expect(none.output == "0 cravings.\n")
  }

  @Test("Deleting a craving keeps its recording, and deleting a recording keeps its cravings")
  func deleting() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let recording = try await library.column("SELECT id FROM recording")[0]
    var ids: [String] = []
    for intensity in 1...3 {
      ids.append(
        try await library.record(
          "craving", "log", "--intensity", "\(intensity)", "--recording", recording, "--trigger",
          "Sad"
        ).id)
    }
    let deleted = try await library.holdfast(
      "craving", "delete", "--yes", ids[0], ids[0].lowercased())
    #expect(deleted.status == 0)
    #expect(deleted.lines.count == 1)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    #expect(try await library.column("SELECT count(*) FROM cravingTrigger") == ["2"])
    let unlinked = try await library.record("craving", "unlink", ids[1])
    #expect(unlinked.recordingId == nil)
    #expect(try await library.holdfast("delete", recording, "--yes").status == 0)
    #expect(
      try await library.sql("SELECT id, recordingId FROM craving ORDER BY intensity")
        == [[ids[1], ""], [ids[2], ""]])
    try await library.expectSound()
  }
}
