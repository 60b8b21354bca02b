import Foundation
import HoldfastTestSupport
import Testing

@Suite("Habits: recordings, reminders, exchange", .temporaryFolder)
struct HabitExchangeTests {
  @Test(
    "15: A habit, a day and an achievement name recordings, which stay; a deletion unlinks them")
  func links() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.importing("voice.wav")
    let recording = try #require(try await library.column("SELECT id FROM recording").first)
    let read = try await library.addHabit("Read", "--recording", recording)
    #expect(read.habit.recordingId == recording)
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    let linked = try await library.habit("link", "Read", recording, "--day", "2025-10-06")
    #expect(linked.record?.recordingId == recording)
    let achievement = try #require(try await library.column("SELECT id FROM achievement").first)
    let unlocked = try await library.holdfast(
      "habit", "achievements", "link", achievement, recording)
    #expect(unlocked.status == 0, "\(unlocked.errorOutput)")
    let shown = try await library.holdfast("show", recording)
    let (habit, day) = (read.habit.id.prefix(8), (linked.record?.id ?? "").prefix(8))
    for line in [
      "why         \(habit)  2025-10-06  Read, 1 time, every day",
      "recorded on \(day)  2025-10-06  1 of 1", "achieved    \(achievement.prefix(8))  ",
    ] {
      #expect(shown.lines.contains { $0.hasPrefix(line) }, "\(line) in \(shown.output)")
    }
    let days = try await library.holdfast("habit", "days", "--recording", recording, "--json")
    #expect(days.output.contains(recording))
    _ = try await library.holdfast("delete", "--yes", recording)
    for table in ["habit", "habitDay", "achievement"] {
      #expect(
        try await library.column("SELECT count(*) FROM \(table) WHERE recordingId IS NULL") == ["1"]
      )
    }
    let command = ["habit", "delete", "Read"]
    let no = try await library.answering("n", command)
    #expect(no.status == 1 && no.errorOutput.contains("Read, 1 time, every day"))
    let yes = try await library.answering("y", command)
    #expect(yes.status == 0)
    #expect(try await library.column("SELECT count(*) FROM habitDay") == ["0"])
    let found = try await Command.run("grep", ["-rail", "Read, 1 time", library.path])
    #expect(found.status == 1)
  }

  @Test("A recording is imported with the day that it is for, or neither is there")
  func record() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--end", "2025-10-08")
    let memo = Fixtures.path("aac.m4a")
    try await library.expectHabitRefusal(
      ["done", "Read", "--day", "2025-10-09", "--record", memo], status: 1, saying: "ended on")
    #expect(try await library.column("SELECT id FROM recording") == [])
    let answer = try await library.habit("done", "Read", "--day", "2025-10-06", "--record", memo)
    #expect(answer.xp == 50)
    #expect(
      try await library.column("SELECT id FROM recording") == [answer.record?.recordingId ?? ""])
  }

  @Test("Reminders are kept, changed and deleted")
  func reminders() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    let added = try await library.holdfast("habit", "remind", "add", "Read", "7:30")
    let id = try #require(added.output.firstMatch(of: /[0-9A-F]{8}/)?.0)
    #expect(added.lines == ["added  \(id)  07:30"])
    let edited = try await library.holdfast(
      "habit", "remind", "edit", String(id), "--off", "--time", "21:00")
    #expect(edited.lines == ["changed  \(id)  21:00, switched off"])
    let list = try await library.holdfast("habit", "remind", "list", "read")
    #expect(list.lines.last == "\(id)  21:00  off    Read")
    let deleted = try await library.holdfast("habit", "remind", "delete", "--yes", String(id))
    #expect(deleted.status == 0)
    #expect(try await library.column("SELECT count(*) FROM habitReminder") == ["0"])
  }

  @Test("7: A check-in completes the day of a habit to give up, and clear takes it back")
  func checkIn() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Smoke", "--type", "breaking", "--goal", "5", "--baseline", "10")
    let day = ["--day", "2025-10-06"]
    let checked = try await library.habit("checkin", "Smoke", day[0], day[1])
    #expect(checked.becameComplete && checked.record?.progressCount == 0)
    let over = try await library.habit("done", "Smoke", "--times", "6", day[0], day[1])
    #expect(over.becameIncomplete && over.xp == -50)
    let noted = try await library.habit("difficulty", "Smoke", "4", day[0], day[1])
    #expect(noted.record?.difficulty == 4)
    // The id of the day, as in a finding of verify.
    let id = try #require(noted.record?.id)
    let cleared = try await library.holdfast("habit", "clear", String(id.prefix(12)))
    #expect(cleared.lines.first?.hasSuffix("Smoke: nothing logged") == true, "\(cleared)")
    #expect(try await library.column("SELECT count(*) FROM habitDay") == ["0"])
    let privacy = try await library.holdfast("doctor", "--privacy")
    #expect(privacy.status == 0, "\(privacy.output)")
  }

  @Test("17: The old app's habits are imported once; what cannot be read is listed")
  func oldApp() async throws {
    let library = try await LibraryFolder.withHabits()
    let file = temporary("old.json")
    let json = """
      {"totalXP": 120, "habits": [
        {"id": "11111111-1111-4111-8111-111111111111", "name": "Push-ups",
         "habitType": "Habit Building", "goal": "5 times everyday", "startDate": "2025-10-06",
         "completionHistory": {"2025-10-06": 5, "2025-10-07": 4},
         "completionStatus": {"2025-10-07": true}},
        {"id": "x", "name": "Strange\\u202E", "habitType": "formation", "goal": "1 time"}]}
      """
    try Data(json.utf8).write(to: URL(filePath: file))
    let dry = try await library.holdfast("habit", "import-old", file, "--dry-run")
    let first = try await library.holdfast("habit", "import-old", file)
    #expect(dry.status == 3 && first.status == 3 && dry.output == first.output)
    for line in ["habits: 1 added, 1 refused", "habit days: 2 added", "XP transactions: 1 added"] {
      #expect(first.lines.contains(line), "\(first.output)")
    }
    #expect(
      first.errorLines == [
        "note: Push-ups, day 2025-10-07: 1 habit, the old app has it as complete, "
          + "and by its count it is not",
        "refused   habit Strange\\u{202E}: its id is \"x\", not a UUID",
      ])
    #expect(try await library.column("SELECT sum(amount) FROM xpTransaction") == ["120"])
    let rows = try await library.habitRows()
    let second = try await library.holdfast("import-app", file)
    #expect(second.lines.contains("habit days: 2 unchanged"), "\(second.output)")
    #expect(try await library.habitRows() == rows)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == json)
    try await library.expectHabitRefusal(
      ["import-old", "/dev/null"], status: 1, saying: "/dev/null")
  }

  @Test("18: An export brings everything into another library, and erasing leaves no trace")
  func exchange() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Gooseberries", "--on", "monday")
    _ = try await library.habit("done", "Gooseberries", "--at", "2025-10-06T12:00Z")
    _ = try await library.holdfast("habit", "remind", "add", "Gooseberries", "7:30")
    let document = temporary("export.json")
    _ = try await library.holdfast("export", "--format", "json", "--output", document)
    let other = try await LibraryFolder.withHabits("other")
    let imported = try await other.holdfast("import-data", document)
    #expect(imported.status == 0, "\(imported.errorOutput)")
    #expect(try await other.habitRows() == library.habitRows())
    let marker = try String(contentsOfFile: "\(library.path)/holdfast.json", encoding: .utf8)
    let uuid = try #require(marker.firstMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/)?.0)
    let erased = try await library.holdfast("erase", "--everything", "--yes", String(uuid))
    #expect(erased.status == 0, "\(erased.errorOutput)")
    #expect(try await library.habitRows() == [])
    let found = try await Command.run("grep", ["-rai", "gooseberries", library.path])
    #expect(found.status == 1, "\(found.output)")
    try await library.expectSound()
  }
}
