import Foundation
import HoldfastTestSupport
import Testing

@Suite("A foreign catalog", .temporaryFolder)
struct ForeignCatalogTests {
  let library = LibraryFolder()

  @Test(
    "It is refused in a sentence by commands that read and that write, and left as it was",
    arguments: [
      ("INSERT INTO grdb_migrations VALUES ('v999');", "a newer version of Holdfast"),
      ("PRAGMA application_id = 7;", "not a catalog of Holdfast"),
      ("PRAGMA application_id = 7; PRAGMA journal_mode = WAL;", "not a catalog of Holdfast"),
    ])
  func refused(change: String, words: String) async throws {
    #expect(try await library.holdfast("message", "next").status == 0)
    try await library.changeCatalog(change)
    try await expectRefusals(saying: words)
  }

  @Test("A file that is not a database is refused as well")
  func noDatabase() async throws {
    #expect(try await library.holdfast("message", "next").status == 0)
    try Data(String(repeating: "not a database ", count: 1000).utf8)
      .write(to: URL(filePath: "\(library.path)/catalog.sqlite"))
    try await expectRefusals(saying: "not a SQLite database")
  }

  private func expectRefusals(saying words: String) async throws {
    let catalog = "\(library.path)/catalog.sqlite"
    let before = try await sha256(of: catalog)
    for command in [
      ["list"], ["craving", "list"], ["stats"], ["export", "--format", "json"],
      ["craving", "log", "--intensity", "5"], ["message", "next"],
      ["play", "abcd", "--count-only"],
      ["erase", "--everything", "--yes", UUID().uuidString],
      ["import", Fixtures.path("aac.m4a")],
    ] {
      let result = try await library.holdfast(command)
      #expect(result.status == 1, "\(command)")
      #expect(result.errorOutput.contains(words), "\(command): \(result.errorOutput)")
      #expect(result.output.isEmpty)
    }
    #expect(try await sha256(of: catalog) == before)
    #expect(try await library.find("-path", "*/Recordings/*", "-type", "f").isEmpty)
  }
}
