import HoldfastTestSupport
import Testing

@Suite("Faith: torture", .temporaryFolder)
struct FaithTortureTests {
  @Test(
    "It notices a lost entry and a lost recording", .notInSample,
    arguments: Extent.sample(
      [
        "DELETE FROM journalEntry",
        "DELETE FROM recording WHERE originalFilename LIKE 'spoken-%'",
      ], every: 2))
  func notices(change: String) async throws {
    try await TortureTests.expectNoticed(change, after: "faith", doing: "faith")
  }
}
