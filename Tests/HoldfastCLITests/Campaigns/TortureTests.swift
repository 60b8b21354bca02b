import HoldfastTestSupport
import Testing

@Suite("Torture", .temporaryFolder)
struct TortureTests {
  @Test(
    "Two processes that are killed and whose disk runs full lose nothing, in round after round",
    .notInSample, .timeLimit(.minutes(60)))
  func torture() async throws {
    let result = try await Command.run(
      "\(Repository.root)/scripts/torture",
      ["30", "\(Extent.seed)"],
      environment: ["HOLDFAST_PROGRAM": Command.holdfast, "TMPDIR": TemporaryFolder.current])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.lines.last?.hasSuffix("nothing lost.") == true, "\(result.output)")
  }

  @Test(
    "It notices a lost row and a changed one", .notInSample,
    arguments: Extent.sample(["lose", "keep"], every: 3))
  func notices(lie: String) async throws {
    let change =
      lie == "lose"
      ? "DELETE FROM recording WHERE rowid = (SELECT max(rowid) FROM recording)"
      : "UPDATE recording SET fileSHA256 = replace(fileSHA256, 'a', 'b')"
    try await Self.expectNoticed(change, after: "import", doing: "import")
  }

  /// Expects that torture notices a change that no command reported.
  ///
  /// - Parameters:
  ///   - change: The change, in SQL.
  ///   - command: The first word of the command after which it is made.
  ///   - commands: The processes' commands; all if it is empty.
  static func expectNoticed(
    _ change: String, after command: String, doing commands: String
  ) async throws {
    // A program that reports the expected result, but then does something else.
    let liar = temporary("liar")
    let script = """
      #!/bin/sh
      "\(try Command.holdfast)" "$@"
      status=$?
      [ "$1" = \(command) ] && sqlite3 "$HOLDFAST_LIBRARY/catalog.sqlite" "\(change)" 2>/dev/null
      exit $status
      """
    _ = try await Command.output(
      of: "sh", ["-c", "printf '%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"", liar, script])
    let result = try await Command.run(
      "\(Repository.root)/scripts/torture", ["10", "1"],
      environment: [
        "HOLDFAST_PROGRAM": liar, "TMPDIR": TemporaryFolder.current, "TORTURE_COMMANDS": commands,
      ])
    #expect(result.status == 1, "\(change)")
    #expect(result.errorOutput.contains("of seed 1: "), "\(result.errorOutput)")
  }
}
