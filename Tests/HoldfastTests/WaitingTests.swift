import Foundation
import Holdfast
import HoldfastCravings
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Waiting for a writer", .temporaryFolder)
struct WaitingTests {
  private func craving() throws -> Craving {
    Craving(timestamp: Date(), intensity: try Intensity(5), createdAt: Date())
  }

  @Test("A library without a timeout tries once, and later waits as before")
  func once() throws {
    let library = try open(nil)
    let tree = try LibraryTree.open(at: temporary("library"))
    try tree.withWriterLock { _ in
      let begin = ContinuousClock.now
      let error = #expect(throws: HoldfastError.self) {
        try library.waiting(for: 0).add(craving())
      }
      #expect(error?.code == .locked)
      #expect(begin.duration(to: .now) < .seconds(30))
    }
    try library.waiting(for: 0).add(craving())
    try library.waiting(for: -1).waiting(for: 60).add(craving())
    #expect(try library.records(Craving.self).count == 2)
  }
}
