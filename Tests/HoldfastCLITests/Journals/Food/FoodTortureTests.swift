import HoldfastTestSupport
import Testing

@Suite("Food: torture", .temporaryFolder)
struct FoodTortureTests {
  @Test(
    "It notices an entry that is lost or has lost its recording", .notInSample,
    arguments: Extent.sample(
      [
        "DELETE FROM foodEntry",
        "UPDATE foodEntry SET recordingId = NULL",
      ], every: 2))
  func notices(change: String) async throws {
    try await TortureTests.expectNoticed(change, after: "food", doing: "food")
  }
}
