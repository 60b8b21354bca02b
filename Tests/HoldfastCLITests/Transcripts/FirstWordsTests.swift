import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast transcript titles", .temporaryFolder)
struct FirstWordsTests {
  private let library = LibraryFolder()

  private func run(_ arguments: String...) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, library.command(arguments), environment: FakeTranscriber.environment)
  }

  private func titles(_ setting: String) async throws {
    let result = try await Command.run(
      Command.holdfast, ["transcript", "titles", setting], environment: FakeTranscriber.environment)
    #expect(result.status == 0 && result.output == "" && result.errorOutput == "")
  }

  @Test("shows first words in lists alone, only of a recording without a name, and marks them")
  func lists() async throws {
    try await library.importingTones(1)
    let id = try await library.column("SELECT id FROM recording")[0]
    try await library.transcribe(id, "Why I", "stopped, and why I will never again begin.")
    let words = "“Why I stopped, and why I will never…” (a computer’s words)"
    let plain = try await run("list")
    #expect(!plain.output.contains("Why I"))
    try await titles("on")
    #expect(try await run("list").lines[1].hasSuffix(words))
    for command in [["show", id], ["list", "--json"], ["thumbnails"], ["verify"]] {
      let result = try await Command.run(
        Command.holdfast, library.command(command), environment: FakeTranscriber.environment)
      #expect(!(result.output + result.errorOutput).contains("“Why"), "\(command)")
    }
    #expect(try await library.column("SELECT title IS NULL FROM recording") == ["1"])
    // A person's words are nobody else's, and a title stands before them.
    try await library.changeCatalog(
      "UPDATE transcript SET source = 'person', modifiedAt = createdAt")
    #expect(try await run("list").output.contains("“Why I stopped, and why I will never…”\n"))
    _ = try await run("edit", id, "--title", "Mine")
    #expect(try await run("list").lines[1].hasSuffix("  Mine"))
    _ = try await run("edit", id, "--title", "")
    try await titles("off")
    #expect(try await run("list").output == plain.output)
  }

  @Test("keeps the transcriber that was remembered")
  func keepsSettings() async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber("write(sounds[0], whisper((0, 1, 'Word')))")
    #expect(try await fake.transcribe(library).status == 0)
    try await titles("on")
    #expect(try await run("list").output.contains("“Word”"))
    #expect(try await fake.transcribe(library, "--again").status == 0)
    #expect(try await run("list").output.contains("“Word”"))
    #expect(try await run("transcribe").output == "Nothing is left to transcribe.\n")
  }
}
