import HoldfastTestSupport
import Testing

@Suite("If the power fails", .temporaryFolder)
struct PowerLossTests {
  let library = LibraryFolder()

  @Test(
    "Everything is on the disk before the step that relies on it",
    arguments: Extent.sample(LibraryOperation.transactions, every: 5))
  func order(operation: LibraryOperation) async throws {
    try await WriteOrder(of: operation, in: library).expectSafe()
  }

  @Test(
    "No flush could be left out: ten for a video", arguments: [LibraryOperation.copy, .delete])
  func everyFlush(operation: LibraryOperation) async throws {
    let order = try await WriteOrder(of: operation, in: library)
    let flushes = order.steps.indices.filter {
      if case .sync = order.steps[$0] { true } else { false }
    }
    // A deletion also rewrites the catalog, and reports it.
    let expected: Int = operation == .copy ? 10 : 19
    #expect(flushes.count == expected)
    for index in flushes {
      var without = order
      let step = without.steps.remove(at: index)
      // SQLite flushes its journal twice: first all but the count of its pages.
      if step == .sync("catalog.sqlite-journal") { continue }
      #expect(!without.complaints.isEmpty, "\(step)")
    }
  }

  @Test(
    "The check notices a rename or a commit that comes too early",
    arguments: Extent.sample(LibraryOperation.transactions, every: 5))
  func tooEarly(operation: LibraryOperation) async throws {
    try await WriteOrder(of: operation, in: library).expectNoticesTooEarly()
  }
}
