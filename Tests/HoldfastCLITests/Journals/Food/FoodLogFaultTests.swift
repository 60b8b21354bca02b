import HoldfastTestSupport
import Testing

/// `food log --record`: an entry and its recording in one step.
struct FoodLogOperation: TestedOperation {
  let testDescription = "food log --record"

  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importing("hevc10.mov")
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("journal", "enable", "food")
    return [
      "food", "log", "--json", "--name", "Soup", "--quantity", "1", "--unit", "cup", "--calories",
      "1", "--protein", "1", "--carbohydrates", "1", "--fat", "1", "--record",
      Fixtures.path("hevc8.mp4"),
    ]
  }

  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    try await library.expectSound(moment)
    // The entry and its recording are there, or neither is.
    let recordings = try await library.column(
      "SELECT id FROM recording WHERE purpose = 'reflection'")
    #expect(
      try await library.column("SELECT recordingId FROM foodEntry") == recordings, "\(moment)")
    #expect(
      try await library.column("SELECT day FROM foodDay").count == recordings.count, "\(moment)")
    #expect(
      try await library.column("SELECT count(*) FROM recording") == ["\(2 + recordings.count)"],
      "\(moment)")
    if result.status == 0 || result.output.contains("\"foodName\"") {
      #expect(recordings.count == 1, "\(moment)")
    } else if !result.wasKilled {
      #expect(result.status == 1, "\(moment): \(result.status)")
      #expect(recordings.isEmpty, "\(moment): said \(result.errorOutput)")
    }
  }
}

@Suite("Food: an entry with its recording", .temporaryFolder)
struct FoodLogFaultTests {
  private static let isWanted =
    CallFaults.isWhole
    ? CallFaults.names.isEmpty || CallFaults.names.contains("log") : Extent.isWhole

  @Test(
    "When any call that changes a file fails or is killed, both are there or neither is",
    .timeLimit(.minutes(CallFaults.minutes)),
    .enabled(if: isWanted, "only scripts/test --all and scripts/faults have the time"))
  func faults() async throws { try await CallFaults(of: FoodLogOperation()).expectReported() }

  @Test("Both are on the disk before the entry is reported as logged")
  func order() async throws {
    let order = try await WriteOrder(of: FoodLogOperation(), in: LibraryFolder())
    order.expectSafe()
    try order.expectNoticesTooEarly()
  }
}
