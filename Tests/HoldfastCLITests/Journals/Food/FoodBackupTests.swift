import HoldfastTestSupport
import Testing

@Suite("Food: backups", .temporaryFolder)
struct FoodBackupTests {
  private let library = LibraryFolder()
  private let backups = Backups()

  @Test("A deleted recording is restored, and the entry names it again")
  func restored() async throws {
    _ = try await library.holdfast("journal", "enable", "food")
    try await library.importing("aac.m4a")
    let recording = try await library.column("SELECT id FROM recording")[0]
    try await library.logFood("Soup", "--recording", recording)
    let entry = "SELECT id, recordingId, modifiedAt FROM foodEntry"
    let before = try await library.sql(entry)
    _ = try await library.holdfast("backup", backups.path)
    _ = try await library.holdfast("delete", "--yes", recording)
    #expect(try await library.sql(entry) != before)
    let result = try await library.holdfast(
      "restore", backups.path, "--recording", String(recording.prefix(8)))
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 entry linked to it again"), "\(result.output)")
    #expect(try await library.sql(entry) == before)
    try await library.expectSound()
  }
}
