import HoldfastTestSupport
import Testing

@Suite("Every call that changes a file", .temporaryFolder)
struct CallFaultTests {
  private static let operations = LibraryOperation.allCases.filter {
    CallFaults.names.isEmpty || CallFaults.names.contains("\($0)")
  }

  @Test(
    "When any such call fails or is killed, the library matches what the command reported",
    .timeLimit(.minutes(CallFaults.minutes)),
    arguments: CallFaults.isWhole ? operations : Extent.sample(operations, every: 3))
  func faults(operation: LibraryOperation) async throws {
    try await CallFaults(of: operation).expectReported()
  }
}
