import Foundation
import HoldfastTestSupport
import Testing

/// The JSON of a command that changes a habit, as far as tests read it.
struct HabitAnswer: Decodable, Equatable {
  struct Habit: Decodable, Equatable {
    var id: String
    var name: String
    var goalCount: Int
    var scheduleType: String
    var recordingId: String?
    var endDay: String?
  }

  struct Record: Decodable, Equatable {
    var id: String
    var day: String
    var progressCount: Int
    var goalCount: Int
    var difficulty: Int?
    var recordingId: String?
  }

  struct Streak: Decodable, Equatable {
    var currentStreak: Int
    var longestStreak: Int
    var totalCompleteDays: Int
    var lastCompleteDate: String?
  }

  var habit: Habit
  var day: String
  var record: Record?
  var changed: Bool
  var dayComplete: Bool
  var becameComplete: Bool
  var becameIncomplete: Bool
  var xp: Int
  var level: Int
  var levelUp: Bool
  var streak: Streak
}

extension LibraryFolder {
  /// A new library with habits.
  static func withHabits(_ name: String = "library") async throws -> LibraryFolder {
    let library = LibraryFolder(name)
    let result = try await library.holdfast("journal", "enable", "habits")
    try #require(result.status == 0, "\(result.errorOutput)")
    return library
  }

  /// Adds a habit that begins on Monday 2025-10-06.
  @discardableResult
  func addHabit(_ name: String, _ options: String...) async throws -> HabitAnswer {
    try await holdfast(["habit", "add", name, "--json", "--start", "2025-10-06"] + options).json()
  }

  /// The output of a command that changes a habit.
  func habit(_ arguments: String...) async throws -> HabitAnswer {
    try await holdfast(["habit"] + arguments + ["--json"]).json()
  }

  /// Every row of the habits, by the sqlite3 program.
  func habitRows() async throws -> [[String]] {
    let tables = [
      "habit", "habitWeekday", "habitReminder", "habitDay", "habitAction", "xpTransaction",
      "achievement",
    ]
    return try await sql(
      tables.map { "SELECT '\($0)', * FROM \($0) ORDER BY 2, 3;" }.joined(separator: " "))
  }

  /// Expects that a command on habits is refused with these words.
  func expectHabitRefusal(
    _ arguments: [String], status: Int32, saying words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await holdfast(["habit"] + arguments)
    #expect(result.status == status, "\(arguments)", sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
  }
}
