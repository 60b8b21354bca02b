import Foundation
import HoldfastTestSupport
import Testing

/// Raising a goal or adding a habit on a complete day undid the day, its XP and the streak.
@Suite("Habits: what was earned stays", .temporaryFolder)
struct HabitEarnedTests {
  private static let xp = "SELECT day, sum(amount) FROM xpTransaction GROUP BY day ORDER BY day"

  /// A library with Read at 5 of 5, and with Smoke at 0 of at most 5 if it is given up, today.
  private func completeToday(isSmoking: Bool = false) async throws -> LibraryFolder {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "5")
    if isSmoking {
      try await library.addHabit("Smoke", "--type", "breaking", "--goal", "5", "--baseline", "10")
      _ = try await library.habit("checkin", "Smoke")
    }
    let done = try await library.habit("done", "Read", "--times", "5")
    #expect(done.dayComplete && done.xp == 50 && done.streak.currentStreak == 1)
    return library
  }

  @Test("A goal that is raised on a complete day starts tomorrow, and the command says so")
  func raised() async throws {
    let library = try await completeToday()
    let raised = try await library.holdfast("habit", "edit", "Read", "--goal", "8")
    #expect(raised.status == 0)
    #expect(
      raised.errorOutput == "note: it is complete today, so the new goal starts tomorrow\n")
    #expect(!raised.output.contains("open again"), "\(raised.output)")
    #expect(try await library.sql("SELECT goalCount FROM habit") == [["8"]])
    #expect(try await library.sql("SELECT progressCount, goalCount FROM habitDay") == [["5", "5"]])
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["50"])
    let more = try await library.habit("done", "Read")
    #expect(more.dayComplete && more.xp == 0 && more.streak.currentStreak == 1)
    // An easier goal counts at once.
    let lowered = try await library.holdfast("habit", "edit", "Read", "--goal", "3")
    #expect(lowered.errorOutput.isEmpty)
    #expect(try await library.column("SELECT goalCount FROM habitDay") == ["3"])
    // Undoing progress undoes the day.
    let set = try await library.habit("set", "Read", "2")
    #expect(set.becameIncomplete && set.xp == -50 && set.streak.totalCompleteDays == 0)
    // The day is not complete now, so a harder goal counts at once.
    _ = try await library.habit("edit", "Read", "--goal", "9")
    #expect(try await library.column("SELECT goalCount FROM habitDay") == ["9"])
  }

  @Test("A lower limit of a habit to give up starts tomorrow; a use over today's takes back XP")
  func lowered() async throws {
    let library = try await completeToday(isSmoking: true)
    _ = try await library.habit("done", "Smoke", "--times", "4")
    let lowered = try await library.habit("edit", "Smoke", "--goal", "1")
    #expect(lowered.dayComplete && lowered.xp == 0 && lowered.record?.goalCount == 5)
    #expect(try await library.habit("done", "Smoke").dayComplete)
    let over = try await library.habit("done", "Smoke")
    #expect(over.becameIncomplete && over.xp == -50)
  }

  @Test("A habit that is added on a complete day starts tomorrow, unless it has a start")
  func added() async throws {
    let library = try await completeToday()
    let today = try await library.column("SELECT day FROM habitDay")
    let added = try await library.holdfast("habit", "add", "Run")
    #expect(added.errorOutput == "note: today is complete already, so it starts tomorrow\n")
    #expect(
      try await library.column(
        "SELECT date(startDay, '-1 day') FROM habit WHERE name = 'Run'") == today)
    // Another person's day is not complete.
    let ada = try await library.holdfast("habit", "add", "Row", "--user", "Ada")
    #expect(ada.errorOutput.isEmpty)
    // With a start, it is due today, and the day stays complete.
    let chosen = try await library.habit("add", "Swim", "--start", today[0])
    #expect(chosen.dayComplete && !chosen.becameIncomplete && chosen.xp == 0)
    let last = try await library.habit("add", "Once", "--end", today[0])
    #expect(last.dayComplete && last.habit.endDay == today[0])
    let streak = try await library.holdfast("habit", "streak", "--json")
    #expect(streak.output.contains("\"currentStreak\":1"), "\(streak.output)")
    #expect(try await library.sql(Self.xp) == [[today[0], "50"]])
    #expect(try await library.habit("done", "Swim").xp == 0)
    let undone = try await library.habit("undo", "Read")
    #expect(undone.becameIncomplete && undone.xp == -50)
  }

  @Test("New days, a new type, an end and a deletion leave complete days complete")
  func edits() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--on", "monday")
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    try await library.addHabit("Walk", "--per-week", "3")
    for edit in [
      ["edit", "Walk", "--daily"], ["edit", "Read", "--on", "sunday"],
      ["edit", "Read", "--start", "2025-10-12"],
      ["edit", "Read", "--type", "breaking", "--baseline", "9"],
      ["end", "Read", "--day", "2025-10-13"], ["edit", "Walk", "--start", "2025-10-01"],
    ] {
      let answer: HabitAnswer = try await library.holdfast(["habit"] + edit + ["--json"]).json()
      #expect(answer.streak.totalCompleteDays == 1, "\(edit)")
    }
    let deleted = try await library.holdfast("habit", "delete", "--yes", "Read", "Walk")
    #expect(deleted.status == 0)
    let streak = try await library.holdfast("habit", "streak", "--json")
    #expect(streak.output.contains("\"totalCompleteDays\":1"), "\(streak.output)")
    #expect(try await library.sql(Self.xp) == [["2025-10-06", "50"]])
  }

  // MARK: Two libraries

  /// Merges both ways, and expects equal libraries.
  private func merge(_ library: LibraryFolder, _ other: LibraryFolder) async throws {
    for (one, two) in [(library, other), (other, library)] {
      let result = try await one.holdfast("merge", two.path)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await library.habitRows() == other.habitRows())
  }

  private func copy(of library: LibraryFolder) async throws -> LibraryFolder {
    let other = try await LibraryFolder.withHabits("other")
    let document = try await library.export(to: "copy.json")
    let result = try await other.holdfast("import-data", document)
    try #require(result.status == 0, "\(result.errorOutput)")
    return other
  }

  @Test("A merge with a library that has one more habit undoes no complete day")
  func mergedHabit() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    let other = try await copy(of: library)
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    _ = try await library.habit("done", "Read")
    try await other.addHabit("Run")
    try await merge(library, other)
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["50", "50"])
    let streak = try await other.holdfast("habit", "streak", "--json")
    #expect(streak.output.contains("\"totalCompleteDays\":2"), "\(streak.output)")
  }

  @Test("A merge with a library whose goal is harder undoes no complete day")
  func mergedGoal() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "5")
    let other = try await copy(of: library)
    _ = try await library.habit("done", "Read", "--times", "5")
    _ = try await other.habit("done", "Read", "--times", "3")
    _ = try await other.habit("edit", "Read", "--goal", "8")
    _ = try await other.habit("done", "Read", "--times", "3")
    try await merge(library, other)
    #expect(try await library.sql("SELECT progressCount, goalCount FROM habitDay") == [["6", "8"]])
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["50"])
  }

  @Test("A merged undo or use over the limit takes back the XP")
  func mergedUndo() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--end", "2025-10-06")
    try await library.addHabit(
      "Smoke", "--type", "breaking", "--goal", "5", "--baseline", "10", "--start", "2025-10-07")
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    let other = try await copy(of: library)
    _ = try await library.habit("checkin", "Smoke", "--day", "2025-10-07")
    _ = try await other.habit("set", "Smoke", "9", "--day", "2025-10-07")
    _ = try await other.habit("undo", "Read", "--day", "2025-10-06")
    try await merge(library, other)
    #expect(try await library.sql(Self.xp) == [["2025-10-06", "0"], ["2025-10-07", "0"]])
  }

  @Test("Undoing a tap on a habit that was added later takes back no XP of the other habits")
  func addedLater() async throws {
    let library = try await completeToday()
    let today = try await library.column("SELECT day FROM habitDay")[0]
    try await library.addHabit("Late", "--start", today)
    _ = try await library.habit("done", "Late")
    #expect(try await library.habit("undo", "Late").xp == 0)
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["50"])
    #expect(try await library.habit("undo", "Read").xp == -50)
  }

  @Test(
    "An undo takes back its XP although the clock was ahead when the habit was added",
    arguments: [["undo", "Read"], ["set", "Read", "0"], ["clear", "Read"]])
  func addedAhead(_ command: [String]) async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    try await library.changeCatalog(
      "UPDATE habit SET createdAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '+10 minutes')")
    #expect(try await library.habit("done", "Read").xp == 50)
    let today = try await library.column("SELECT day FROM habitDay")[0]
    let day = command[0] == "clear" ? ["--day", today] : []
    let result = try await library.holdfast(["habit"] + command + day)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["0"])
  }

  @Test(
    "An undo takes back its XP although the clock was ahead until the first count",
    arguments: [["undo", "Read"], ["set", "Read", "0"], ["clear", "Read"]])
  func countedAhead(_ command: [String]) async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "2")
    _ = try await library.habit("done", "Read")
    try await library.changeCatalog(
      ["habit", "habitDay"].map {
        "UPDATE \($0) SET createdAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '+10 minutes');"
      }.joined())
    #expect(try await library.habit("done", "Read").xp == 50)
    let today = try await library.column("SELECT day FROM habitDay")[0]
    let day = command[0] == "clear" ? ["--day", today] : []
    let result = try await library.holdfast(["habit"] + command + day)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["0"])
  }

  @Test("A habit that is added after a clock was ahead takes back no XP of the other habits")
  func addedAfterAhead() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "2")
    _ = try await library.habit("done", "Read")
    try await library.changeCatalog(
      ["habit", "habitDay"].map {
        "UPDATE \($0) SET createdAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 year');"
      }.joined())
    #expect(try await library.habit("done", "Read").xp == 50)
    let today = try await library.column("SELECT day FROM habitDay")[0]
    try await library.addHabit("Late", "--start", today)
    _ = try await library.habit("done", "Late")
    #expect(try await library.habit("undo", "Late").xp == 0)
    #expect(try await library.sql(Self.xp).map { $0[1] } == ["50"])
  }

  @Test("Of a day completed on two computers, only habits that gave its XP take them back")
  func twoComputers() async throws {
    let one = try await LibraryFolder.withHabits()
    try await one.addHabit("Read")
    let two = try await one.copy(to: "two")
    #expect(try await one.habit("done", "Read").xp == 50)
    let today = try await one.column("SELECT day FROM habitDay")[0]
    try await one.addHabit("Late", "--start", today)
    _ = try await one.habit("done", "Late")
    #expect(try await two.habit("done", "Read").xp == 50)
    let before = try await one.copy(to: "one-before")
    for (library, other) in [(one, two), (two, before)] {
      #expect(try await library.holdfast("merge", other.path).status == 0)
      #expect(try await library.habit("undo", "Late").xp == 0)
      // It was done on both.
      #expect(try await library.habit("undo", "Read").xp == 0)
      #expect(try await library.habit("undo", "Read").xp == -50)
      try await library.expectSound()
    }
  }

  @Test("The last habit that is undone takes back the XP, whichever earned them")
  func flexible() async throws {
    let library = try await LibraryFolder.withHabits()
    for name in ["Read", "Run"] { try await library.addHabit(name, "--per-week", "1") }
    // A Wednesday: on a week's last day, both would be due.
    let day = "2025-10-22"
    for (command, name, xp) in [
      ("done", "Read", 50), ("done", "Run", 0), ("undo", "Read", 0), ("undo", "Run", -50),
      ("done", "Run", 50),
    ] {
      #expect(try await library.habit(command, name, "--day", day).xp == xp, "\(command) \(name)")
    }
  }

  @Test("A day with the last moment that the catalog can store is counted like others")
  func lastMoment() async throws {
    let library = try await LibraryFolder.withHabits()
    for name in ["Read", "Run"] { try await library.addHabit(name) }
    _ = try await library.habit("done", "Read")
    try await library.changeCatalog("UPDATE habitDay SET createdAt = '9999-12-31 23:59:59.999'")
    #expect(try await library.habit("done", "Run").xp == 50)
    #expect(try await library.habit("undo", "Run").xp == -50)
    #expect(try await library.habit("done", "Run").xp == 50)
    #expect(try await library.habit("undo", "Read").xp == -50)
  }

  @Test("A habit that was counted while the clock was ahead takes back the XP of its day")
  func otherAhead() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    try await library.addHabit("Run")
    _ = try await library.habit("done", "Read")
    try await library.changeCatalog(
      """
      UPDATE habit SET createdAt = '2099-01-01 00:00:00.000' WHERE name = 'Read';
      UPDATE habitDay SET createdAt = '2099-01-01 00:00:00.000';
      """)
    #expect(try await library.habit("done", "Run").xp == 50)
    #expect(try await library.habit("undo", "Read").xp == -50)
    #expect(try await library.habit("done", "Read").xp == 50)
    #expect(try await library.habit("undo", "Run").xp == -50)
    try await library.expectSound()
  }
}
