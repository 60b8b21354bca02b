import Foundation
import HoldfastTestSupport
import Testing

@Suite("A journal that is disabled while another command reads", .temporaryFolder)
struct DisabledJournalTests {
  private let library = LibraryFolder()

  /// Runs a command that prints more than a pipe holds before it comes to the journal. The journal is
  /// disabled while the command waits for its reader.
  private func run(_ arguments: String) async throws -> CommandResult {
    #expect(try await library.holdfast("journal", "enable", "food").status == 0)
    let script = """
      mkfifo "$1/../begun" "$1/../go"
      { "$0" \(arguments) --library "$1"; echo $? > "$1/../status"; } \
        | { read -r -N 1; echo > "$1/../begun"; read -r < "$1/../go"; cat > "$1/../out"; } &
      read -r < "$1/../begun"
      "$0" journal disable food --library "$1" >&2 || exit 9
      echo > "$1/../go"
      wait
      exit "$(cat "$1/../status")"
      """
    return try await Command.run("bash", ["-c", script, try Command.holdfast, library.path])
  }

  /// Adds cravings with notes of this many characters.
  private func addCravings(notes length: Int) async throws {
    try await library.changeCatalog(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO craving (id, timestamp, timestampOffset, intensity, notes, createdAt)
      SELECT printf('%08X-0000-4000-8000-000000000000', i), '2026-01-01 00:00:00.000', 0, 5,
        printf('%.*c', \(length), 'x'), '2026-01-01 00:00:00.000' FROM n
      """)
  }

  @Test("An export leaves it out from there on")
  func export() async throws {
    try await addCravings(notes: 400)
    let result = try await run("export --format json")
    #expect(result.status == 0, "\(result.errorOutput)")
    let document = try Data(contentsOf: URL(filePath: temporary("out")))
    #expect(document.count > 1_000_000)
  }

  @Test("A verification does, too")
  func verify() async throws {
    try await addCravings(notes: 600)
    let result = try await run("verify")
    #expect(result.status == 4, "\(result.errorOutput)")
    let lines = try String(contentsOfFile: temporary("out"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3000)
    #expect(!result.errorOutput.contains("Error"), "\(result.errorOutput)")
  }
}
