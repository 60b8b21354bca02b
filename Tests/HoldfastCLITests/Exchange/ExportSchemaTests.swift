import Foundation
import HoldfastTestSupport
import Testing

@Suite("The schema of an export")
struct ExportSchemaTests {
  @Test("The one in docs is that of the program")
  func isCurrent() async throws {
    let result = try await Command.output(of: Command.holdfast, ["export", "--schema"])
    let path = Repository.root + "/docs/holdfast.schema.json"
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == result.output,
      "holdfast export --schema > docs/holdfast.schema.json")
  }
}
