import Foundation
import HoldfastTestSupport
import Testing

@Suite("Restoring the recording that was asked for", .temporaryFolder)
struct RestoreByIDTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// Title, notes and plays of a recording, and how many cravings name it.
  private func words(of id: String) async throws -> [String]? {
    try await library.sql(
      """
      SELECT title, notes, playCount,
        (SELECT count(*) FROM craving WHERE recordingId = recording.id)
      FROM recording WHERE id = '\(id)'
      """
    ).first
  }

  /// Imports a recording with everything that a person can add, backs it up, and returns its ID.
  private func backedUp() async throws -> String {
    try await library.importing("aac.m4a", options: ["--title", "Day one"])
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.record("edit", id, "--notes", "for Anna")
    _ = try await library.holdfast("play", id, "--count-only")
    for _ in 1...2 {
      _ = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    }
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    #expect(try await words(of: id) == ["Day one", "for Anna", "1", "2"])
    return id
  }

  private func restore(_ id: String) async throws -> CommandResult {
    try await library.holdfast("restore", backups.path, "--recording", id)
  }

  @Test("A deleted recording comes back beside another one with the same bytes")
  func twin() async throws {
    let id = try await backedUp()
    _ = try await library.holdfast("delete", "--yes", id)
    _ = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    try #require(
      try await library.column("SELECT count(DISTINCT fileSHA256) FROM recording") == ["1"])
    let result = try await restore(id)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("restored"), "\(result.output)")
    #expect(result.output.contains("2 entries linked to it again"), "\(result.output)")
    #expect(try await words(of: id) == ["Day one", "for Anna", "1", "2"])
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
    #expect(try await restore(id).output.hasPrefix("unchanged"))
  }

  @Test("An ID that a merge replaced brings links and files back to the recording that has it")
  func alias() async throws {
    let id = try await backedUp()
    // The other library has merged it with its own recording.
    let other = try await library.copy(to: "other")
    let living = "0\(UUID().uuidString.dropFirst())"
    try await other.changeCatalog(
      """
      PRAGMA foreign_keys = ON; PRAGMA defer_foreign_keys = ON; BEGIN;
      UPDATE craving SET recordingId = NULL;
      DELETE FROM plays; DELETE FROM sound;
      UPDATE recording SET id = '\(living)', filePath = replace(filePath, id, '\(living)');
      INSERT INTO alias (id, recordingId) VALUES ('\(id)', '\(living)'); COMMIT;
      """)
    _ = try await Command.output(
      of: "mv",
      ["audio_\(id).m4a", "audio_\(living).m4a"].map { "\(other.path)/Recordings/\($0)" })
    _ = try await library.holdfast("delete", "--yes", id)
    let merged = try await library.holdfast("merge", other.path)
    #expect(merged.status == 0, "\(merged.output)\(merged.errorOutput)")
    try #require(try await library.column("SELECT id FROM recording") == [living])
    #expect(try await words(of: living)?.last == "0")
    _ = try await Command.output(
      of: "rm", ["\(library.path)/Recordings/audio_\(living).m4a"])
    let result = try await restore(id)
    #expect(result.status == 0, "\(result.errorOutput)\(result.output)")
    #expect(
      result.output.hasPrefix("repaired  \(living.prefix(8))")
        && result.output.contains("a merge gave \(id.prefix(8)) this id")
        && result.output.contains("2 entries linked to it again"), "\(result.output)")
    #expect(try await words(of: living)?.last == "2")
    try await library.expectSound()
    let again = try await restore(id)
    #expect(again.status == 0 && again.output.hasPrefix("unchanged"), "\(again.output)")
  }

  @Test("A recording that came back from another library gets its links back, except removed ones")
  func cameBack() async throws {
    let id = try await backedUp()
    let craving = try await library.record(
      "craving", "log", "--intensity", "7", "--recording", id, "--notes", "linked by mistake")
    let other = try await library.copy(to: "other")
    try await other.changeCatalog("DELETE FROM craving")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    _ = try await library.holdfast("craving", "unlink", craving.id)
    _ = try await library.holdfast("delete", "--yes", id)
    #expect(try await library.holdfast("merge", other.path).status == 0)
    try #require(try await words(of: id)?.last == "0")
    let result = try await restore(id)
    #expect(result.status == 0, "\(result.errorOutput)\(result.output)")
    #expect(result.output.contains("2 entries linked to it again"), "\(result.output)")
    #expect(try await words(of: id)?.last == "2")
    #expect(
      try await library.column("SELECT notes FROM craving WHERE recordingId IS NULL")
        == ["linked by mistake"])
    try await library.expectSound()
  }
}
