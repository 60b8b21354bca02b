import HoldfastTestSupport
import Testing

@Suite("If the power fails", .temporaryFolder)
struct PowerLossTests {
  let library = LibraryFolder()

  private func order(of operation: LibraryOperation) async throws -> WriteOrder {
    let arguments = library.command(try await operation.prepare(library))
    let trace = try await Strace.run([FaultPoints.expression], arguments)
    try #require(trace.result.status == 0, "\(trace.result.errorOutput)")
    return WriteOrder(trace, in: library)
  }

  @Test(
    "Everything is on the disk before the step that relies on it",
    arguments: Extent.sample(LibraryOperation.allCases, every: 3))
  func order(operation: LibraryOperation) async throws {
    let order = try await order(of: operation)
    #expect(order.complaints == [])
    let renames = order.steps.count { if case .rename = $0 { true } else { false } }
    let commits = order.steps.count { $0 == .remove("catalog.sqlite-journal") }
    #expect(renames > 0 && commits > 0)
  }

  @Test(
    "No flush could be left out: ten for a video", arguments: [LibraryOperation.copy, .delete])
  func everyFlush(operation: LibraryOperation) async throws {
    let order = try await order(of: operation)
    let flushes = order.steps.indices.filter {
      if case .sync = order.steps[$0] { true } else { false }
    }
    // A deletion also writes the catalog anew, and says that it has.
    #expect(flushes.count == (operation == .copy ? 10 : 4 + 3 * 5))
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
    arguments: Extent.sample(LibraryOperation.allCases, every: 3))
  func tooEarly(operation: LibraryOperation) async throws {
    let order = try await order(of: operation)
    let renames = order.steps.indices.filter {
      guard case .rename(_, let to) = order.steps[$0] else { return false }
      return to.hasPrefix("Recordings")
    }
    for index in renames {
      var early = order
      early.steps.insert(early.steps.remove(at: index), at: 0)
      #expect(!early.complaints.isEmpty)
    }
    let commit = try #require(order.steps.firstIndex(of: .remove("catalog.sqlite-journal")))
    var early = order
    early.steps.insert(early.steps.remove(at: commit), at: 0)
    #expect(!early.complaints.isEmpty)
  }
}
