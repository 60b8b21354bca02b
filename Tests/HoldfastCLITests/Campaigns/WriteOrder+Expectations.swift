import HoldfastTestSupport
import Testing

extension WriteOrder {
  /// Traces the command of an operation.
  init(of operation: any TestedOperation, in library: LibraryFolder) async throws {
    let arguments = library.command(try await operation.prepare(library))
    let trace = try await Strace.run([FaultPoints.expression], arguments)
    try #require(trace.result.status == 0, "\(trace.result.errorOutput)")
    self.init(trace, in: library)
  }

  /// Expects that everything is on the disk before the step that relies on it.
  func expectSafe() {
    #expect(complaints == [])
    let renames = steps.count { if case .rename = $0 { true } else { false } }
    let commits = steps.count { $0 == .remove("catalog.sqlite-journal") }
    #expect(renames > 0 && commits > 0)
  }

  /// Expects that an early rename or commit would be noticed.
  func expectNoticesTooEarly() throws {
    let renames = steps.indices.filter {
      guard case .rename(_, let to) = steps[$0] else { return false }
      return to.hasPrefix("Recordings")
    }
    for index in renames {
      var early = self
      early.steps.insert(early.steps.remove(at: index), at: 0)
      #expect(!early.complaints.isEmpty)
    }
    let commit = try #require(steps.firstIndex(of: .remove("catalog.sqlite-journal")))
    var early = self
    early.steps.insert(early.steps.remove(at: commit), at: 0)
    #expect(!early.complaints.isEmpty)
  }
}
