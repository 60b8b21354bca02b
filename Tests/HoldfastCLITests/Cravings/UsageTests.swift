import Foundation
import HoldfastTestSupport
import Testing

@Suite("Usage", .temporaryFolder)
struct UsageTests {
  @Test(
    "Bad usage ends with status 64 and the command's usage, and writes nothing",
    arguments: [
      ["nonsense"], ["--nonsense"], ["init", ""], ["init", "a", "b"],
      ["init", "a", "--library", "b"],
      ["import"], ["import", "--nonsense", "x"],
      ["import", "--jobs", "0", "x"], ["import", "--purpose", "fun", "x"],
      ["import", "--video", "vp9", "x"], ["list", "--limit=-1"], ["list", "--offset=-1"],
      ["list", "--type", "photo"], ["list", "--sort", "random"], ["show"], ["show", "a", "b"],
      ["probe"], ["verify", "x"], ["export"], ["export", "--format", "xml"],
      ["export", "--format", "csv"], ["export", "--format", "json", "--output", ""],
      ["import-data"], ["import-data", "a", "b"],
    ])
  func badUsage(arguments: [String]) async throws {
    let folder = TemporaryFolder.current
    let result = try await Command.run(
      Command.holdfast, arguments, environment: ["HOLDFAST_LIBRARY": "\(folder)/library"])
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.hasPrefix("Error: "))
    #expect(result.errorOutput.contains("Usage: holdfast"))
    #expect(try await Find.names(folder, []).isEmpty)
  }

  @Test("Help is as stored in Tests/Help", arguments: try HelpPage.all())
  func help(page: HelpPage) async throws {
    let result = try await Command.run(
      Command.holdfast, page.command + ["--help"], environment: ["COLUMNS": "80"])
    #expect(result.status == 0)
    #expect(result.errorOutput.isEmpty)
    #expect(result.output == page.text)
  }

  @Test("Every command has a stored page of help")
  func helpPages() throws {
    let pages = try HelpPage.all()
    let named = pages.flatMap { page in
      page.subcommands.map { (page.command + [$0]).joined(separator: " ") }
    }
    let there = pages.map { $0.command.joined(separator: " ") }.filter { !$0.isEmpty }
    #expect(named.sorted() == there.sorted())
    #expect(there.count > 30)
  }

  @Test("The words printed about a recording do not depend on the user's locale")
  func locale() async throws {
    let library = LibraryFolder()
    try await library.importing("portrait.mov")
    for locale in ["C", "de_DE.UTF-8", "ar_EG.UTF-8"] {
      let result = try await Command.run(
        Command.holdfast, library.command(["list"]),
        environment: ["LC_ALL": locale, "LANG": locale])
      #expect(result.output.contains("2025-10-25 15:42  video    0:02      0  motivational"))
      #expect(result.output.contains("motivational  portrait\n"))
    }
  }

  @Test("A reader that goes away does not stop an import")
  func closedPipe() async throws {
    let library = LibraryFolder()
    let sources = try makeFolder("in", holding: ["aac.m4a", "odd.webm", "portrait.mov"])
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "bash",
      [
        "-c", "\"$0\" import --jobs 1 --library \"$1\" \"$2\" 2>&1 | true; exit ${PIPESTATUS[0]}",
        holdfast, library.path, sources,
      ])
    #expect(result.status == 0)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    try await library.expectSound()
  }
}
