import Foundation
import HoldfastTestSupport
import Testing

@Suite("Deleting entries", .temporaryFolder)
struct DeletingEntriesTests {
  let library = LibraryFolder()

  private static let commands = [
    ["craving", "log", "--intensity", "3"], ["usage", "log", "--method", "Dab", "--amount", "1"],
    ["message", "add", "Breathe."],
  ]

  /// Makes an entry.
  ///
  /// - Returns: Its id.
  private func make(_ command: [String]) async throws -> String {
    let made: Record = try await library.holdfast(command + ["--json"]).json()
    return made.id
  }

  @Test("It asks first, and goes on only after yes", arguments: Extent.sample(commands, every: 3))
  func asks(making: [String]) async throws {
    let id = try await make(making)
    let command = [making[0], "delete", id]
    let count = "SELECT count(*) FROM \(making[0]) WHERE id = '\(id)'"
    for answer in ["n", ""] {
      let result = try await library.answering(answer, command)
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("Delete it for good? [y/N]"))
      #expect(result.errorOutput.contains(id.prefix(8)))
      #expect(try await library.column(count) == ["1"])
    }
    // Without a terminal to ask on.
    try await library.expectRefusal(command, saying: "give --yes")
    #expect(try await library.answering("y", command).status == 0)
    #expect(try await library.column(count) == ["0"])
    let other = try await make(making)
    let deleted = try await library.holdfast([making[0], "delete", "--yes", other])
    #expect(deleted.status == 0 && !deleted.errorOutput.contains("for good?"))
    #expect(try await library.column(count.replacing(id, with: other)) == ["0"])
  }
}
