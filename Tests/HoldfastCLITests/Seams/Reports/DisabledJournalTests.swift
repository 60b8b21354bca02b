import Foundation
import HoldfastTestSupport
import Testing

@Suite("A journal that is disabled while another command reads", .temporaryFolder)
struct DisabledJournalTests {
  private let library = LibraryFolder()

  /// Runs a command that prints more than a pipe holds before it comes to the journal. The journal
  /// is disabled while the command waits for its reader.
  private func run(
    _ arguments: String, disabling journal: String = "food"
  ) async throws -> CommandResult {
    #expect(try await library.holdfast("journal", "enable", "food").status == 0)
    let script = """
      mkfifo "$1/../begun" "$1/../go"
      { "$0" \(arguments) --library "$1"; echo $? > "$1/../status"; } \
        | { read -r -N 1; echo > "$1/../begun"; read -r < "$1/../go"; cat > "$1/../out"; } &
      read -r < "$1/../begun"
      "$0" journal disable \(journal) --library "$1" >&2 || exit 9
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

  @Test(
    "An export that it cuts short says how many records were exported, and the rest is whole",
    arguments: [true, false])
  func cutShort(isBeforeItsTurn: Bool) async throws {
    #expect(try await library.holdfast("journal", "enable", "habits").status == 0)
    _ = try await library.holdfast("habit", "add", "Read")
    if isBeforeItsTurn { try await addCravings(notes: 400) }
    try await library.changeCatalog(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO habitDay (id, habitId, day, progressCount, goalCount, createdAt)
      SELECT printf('%08X-0000-4000-8000-000000000000', i), (SELECT id FROM habit),
        date('2000-01-01', i || ' days'), 1, 1, '2026-01-01 00:00:00.000' FROM n
      """)
    let result = try await run(
      "export --format json", disabling: "habits --erase --yes")
    #expect(result.status == 3, "\(result.errorOutput)")
    // The reader has read the first character separately.
    let text = try Data("{".utf8) + Data(contentsOf: URL(filePath: temporary("out")))
    let document = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let days = try #require(document["habitDays"] as? [Any]).count
    #expect(isBeforeItsTurn ? days == 0 : (1..<5000).contains(days))
    #expect(
      result.errorOutput.contains(
        "only \(days) of 5000 habit days could be exported, because the journal was disabled"),
      "\(result.errorOutput)")
    #expect(
      result.errorOutput.contains("only 0 of 1 habit could be exported") == isBeforeItsTurn)
    #expect((document["cravings"] as? [Any])?.count == (isBeforeItsTurn ? 3000 : 0))
  }

  @Test("A verification leaves it out from there on, too")
  func verify() async throws {
    try await addCravings(notes: 600)
    let result = try await run("verify")
    #expect(result.status == 4, "\(result.errorOutput)")
    let lines = try String(contentsOfFile: temporary("out"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3000)
    #expect(!result.errorOutput.contains("Error"), "\(result.errorOutput)")
  }
}
