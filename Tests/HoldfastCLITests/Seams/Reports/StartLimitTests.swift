import HoldfastTestSupport
import Testing

/// With `ulimit -n 4` an import crashed in Dispatch, and `verify` reported good files as
/// unreadable. With `ulimit -s 64` any thread overran its stack.
@Suite("A limit that is too low for the program", .temporaryFolder)
struct StartLimitTests {
  let library = LibraryFolder()

  private func holdfast(_ limit: String, _ arguments: [String]) async throws -> CommandResult {
    try await Command.run(
      "sh",
      ["-c", "ulimit -\(limit) && exec \"$@\"", "sh", try Command.holdfast]
        + library.command(arguments))
  }

  @Test(
    "is named in one sentence, whatever the command",
    arguments: ["n 4", "n 7", "n 16", "n 63", "s 48", "s 64", "s 512"],
    ["import", "verify", "list"])
  func refused(limit: String, command: String) async throws {
    let sources = command == "import" ? [Fixtures.path("portrait.mov")] : []
    let result = try await holdfast(limit, [command] + sources)
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    let kind = limit.hasPrefix("n") ? "open files" : "the stack"
    let words = result.errorOutput
    #expect(words.hasPrefix("Error: the limit on \(kind) is "), "\(words)")
    #expect(words.split(separator: "\n").count == 1)
    #expect(words.contains("raise it (ulimit -\(limit.prefix(1)) "))
    try await library.expectSound()
  }

  @Test("is raised by the program itself, if it may")
  func soft() async throws {
    let result = try await holdfast("S -n 8", ["import", Fixtures.path("portrait.mov")])
    #expect(result.status == 0, "\(result.errorOutput)")
    try await library.expectSound()
  }

  @Test(
    "does not stop an import at the least that the sentence names",
    arguments: ["n 64", "s 1024"])
  func least(limit: String) async throws {
    let sources = ["portrait.mov", "hevc10.mov", "voice.wav"].map(Fixtures.path)
    let result = try await holdfast(limit, ["import", "--jobs", "1", "--video", "h264"] + sources)
    #expect(result.status == 0, "\(result.errorOutput)")
    try await library.expectSound()
  }

  @Test("is named by the worker as well")
  func worker() async throws {
    let result = try await Command.run(
      "sh", ["-c", "ulimit -s 64 && exec \"$0\" </dev/null", try Command.holdfastWorker])
    #expect(result.status == 1)
    #expect(result.errorOutput.hasPrefix("Error: the limit on the stack is 64 KiB"))
  }
}
