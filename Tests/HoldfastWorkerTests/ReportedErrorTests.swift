import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("An error that a worker reports", .temporaryFolder)
struct ReportedErrorTests {
  @Test(
    "Only a media code is accepted, and nothing that makes the library try again",
    arguments: [
      ("damaged", "damaged"), ("memory", "memory"), ("outputRefused", "outputRefused"),
      ("noSpace", "worker"), ("locked", "worker"), ("offline", "worker"), ("noLibrary", "worker"),
      ("sourceChanged", "worker"), ("recordingLost", "worker"), ("otherComputer", "worker"),
      ("libraryMoved", "worker"), ("inputOutput", "worker"), ("system", "worker"),
      ("notPermitted", "worker"), ("worker", "worker"), ("stalled", "worker"),
      ("overdue", "worker"), ("invented", "worker"),
    ])
  func codes(_ reported: String, _ expected: String) async throws {
    let pool = try Workers.hostilePool
    let error = try #require(try await mediaError { try await pool.doing("report \(reported)") })
    #expect(error.code.rawValue == expected)
    #expect(error.operation == (expected == "worker" ? "answer" : nil))
    #expect(error.errno == nil && error.stream == nil)
    #expect(try await pool.doing("nothing") == "nothing")
  }
}
