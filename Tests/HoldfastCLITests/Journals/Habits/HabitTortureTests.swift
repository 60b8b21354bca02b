import HoldfastTestSupport
import Testing

@Suite("Habits: torture", .temporaryFolder)
struct HabitTortureTests {
  @Test(
    "It notices a lost day and lost XP", .notInSample,
    arguments: Extent.sample(
      [
        "UPDATE habitDay SET progressCount = 0",
        "DELETE FROM xpTransaction",
      ], every: 2))
  func notices(change: String) async throws {
    try await TortureTests.expectNoticed(change, after: "habit", doing: "habit")
  }
}
