import HoldfastTestSupport
import Testing

@Suite("Faith: torture", .temporaryFolder)
struct FaithTortureTests {
  @Test(
    "It notices an entry that is lost and a recording that is", .notInSample,
    arguments: Extent.sample(
      [
        "DELETE FROM journalEntry",
        "DELETE FROM recording WHERE originalFilename LIKE 'spoken-%'",
      ], every: 2))
  func notices(change: String) async throws {
    try await TortureTests.expectNoticed(change, after: "faith", doing: "faith")
  }
}
