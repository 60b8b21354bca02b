import Foundation
import HoldfastTestSupport
import Testing

/// After an import, a day's XP was that of one of the two libraries until the next tap.
@Suite("Habits: an import into a library with days of its own", .temporaryFolder)
struct HabitMergeTests {
  private static let xp =
    "SELECT coalesce(sum(amount), 0) FROM xpTransaction WHERE day = '2025-10-06'"

  @Test("A day that is complete in one library keeps its XP beside the other library's habits")
  func merged() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    let document = try await library.export(to: "before.json")
    let other = try await LibraryFolder.withHabits("other")
    _ = try await other.holdfast("import-data", document)
    // Here the day has a second habit, which was not done there.
    try await library.addHabit("Run")
    _ = try await other.habit("done", "Read", "--day", "2025-10-06")
    #expect(try await other.column(Self.xp) == ["50"])
    let done = try await other.export(to: "done.json")
    let dry = try await library.holdfast("import-data", done, "--dry-run")
    #expect(dry.status == 0, "\(dry.errorOutput)")
    #expect(try await library.column(Self.xp) == ["0"])
    _ = try await library.holdfast("import-data", done)
    #expect(try await library.column(Self.xp) == ["50"])
    let level = try await library.holdfast("habit", "level", "--json")
    #expect(level.output.contains("\"totalXP\":50"), "\(level.output)")
    let run = try await library.habit("done", "Run", "--day", "2025-10-06")
    #expect(run.dayComplete && run.xp == 0)
    #expect(try await library.column(Self.xp) == ["50"])
    // A second time, nothing changes: the derived records are there already.
    let rows = try await library.habitRows()
    _ = try await library.holdfast("import-data", done)
    #expect(try await library.habitRows() == rows)
  }

  @Test("Taps of one day in two libraries are all kept, and counted once each")
  func taps() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Water", "--goal", "3")
    let other = try await library.copy(to: "other")
    let third = try await library.copy(to: "third")
    for (folder, times, clock) in [
      (library, "2", "08:00"), (other, "1", "08:00"), (third, "1", "20:00"),
    ] {
      _ = try await folder.habit(
        "done", "Water", "--day", "2025-10-06", "--at", "2025-10-06 \(clock) +00:00", "--times",
        times)
    }
    let all = [library, other, third]
    for _ in 1...2 {
      for into in all {
        for from in all where from.path != into.path {
          _ = try await into.holdfast("merge", from.path)
        }
      }
    }
    for folder in all {
      let rows = try await folder.column(
        """
        SELECT progressCount FROM habitDay UNION ALL
        SELECT group_concat(substr(timestamp, 12, 5)) FROM habitAction UNION ALL
        SELECT sum(amount) FROM xpTransaction
        """)
      #expect(rows == ["3", "08:00,08:00,20:00", "50"])
    }
  }

  @Test("XP that a new schedule left as they were are the same in another library")
  func schedule() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--on", "monday")
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    // The day is no longer complete, and keeps its XP.
    try await library.addHabit("Run")
    let rows = try await library.habitRows()
    let document = try await library.export(to: "export.json")
    let other = try await LibraryFolder.withHabits("other")
    for _ in 1...2 {
      _ = try await other.holdfast("import-data", document)
      #expect(try await other.habitRows() == rows)
    }
  }
}
