import Foundation
import HoldfastTestSupport
import Testing

/// A library with two recordings, one of them with a craving, and another library, with its own
/// recording and one of the same source with a smaller ID.
enum MergedPair {
  private static var otherName: String { "other" }

  /// Makes the other library, and logs the cravings.
  static func prepare(_ library: LibraryFolder) async throws -> LibraryFolder {
    let own = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    _ = try await library.holdfast(
      "craving", "log", "--intensity", "4", "--recording", own, "--notes", "own")
    let other = LibraryFolder(otherName)
    try await other.importing("hevc8.mp4")
    while true {
      _ = try await other.holdfast("import", Fixtures.path("aac.m4a"))
      let id = try await other.column("SELECT id FROM recording WHERE type = 'audio'")[0]
      if id < own { break }
      _ = try await other.holdfast("delete", "--yes", id)
    }
    let id = try await other.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    _ = try await other.holdfast(
      "craving", "log", "--intensity", "6", "--recording", id, "--notes", "other's")
    _ = try await other.holdfast("play", id, "--count-only")
    return other
  }

  /// Checks the result of a merge, and merges again.
  ///
  /// - Parameter takes: Whether the merge removed the other library's files.
  static func judge(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder, taking takes: Bool = false
  ) async throws {
    // A thumbnail that could not be read is left out, which the command reports.
    _ = try await library.holdfast("thumbnails", "--missing")
    try await library.expectSound(moment)
    let count = try await library.column("SELECT count(*) FROM recording")[0]
    #expect(["2", "3"].contains(count), "\(moment)")
    let linked = "SELECT craving.notes FROM craving JOIN recording ON recordingId = recording.id"
    #expect(try await library.column(linked).contains("own"), "\(moment)")
    if result.output.contains("\"event\":\"merged\"") {
      #expect(count == "3", "\(moment)")
    } else if !result.wasKilled {
      #expect([1, 3].contains(result.status), "\(moment): \(result.status)")
    }
    let other = LibraryFolder(at: otherName)
    if takes {
      try await expectNothingLost(of: other, in: library, moment)
    } else {
      try await other.expectSound(moment)
    }
    let again = try await library.holdfast(["merge", other.path] + (takes ? ["--take"] : []))
    #expect(again.status == 0, "\(moment): \(again.output)\(again.errorOutput)")
    _ = try await library.holdfast("thumbnails", "--missing")
    try await library.expectSound(moment)
    #expect(
      try await library.column(linked + " ORDER BY craving.notes") == ["other's", "own"],
      "\(moment)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"], "\(moment)")
    #expect(try await library.column("SELECT sum(playCount) FROM recording") == ["1"], "\(moment)")
    let kept = try await other.column("SELECT id FROM recording WHERE type = 'audio'")
    #expect(
      try await library.column("SELECT id FROM recording WHERE type = 'audio'") == kept, "\(moment)"
    )
    #expect(try await library.column("SELECT recordingId FROM alias") == kept, "\(moment)")
  }
  /// Each recording's file is in the other library, or this one has a row of its source. This one
  /// is sound.
  static func expectNothingLost(
    of other: LibraryFolder, in library: LibraryFolder, _ moment: String
  ) async throws {
    let here = Set(try await library.column("SELECT sourceSHA256 FROM recording"))
    // A kill while the other catalog noted the removed files leaves a journal, which a reader rolls
    // back.
    let list = try await other.holdfast("list")
    #expect(list.status == 0, "\(moment): \(list.errorOutput)")
    for row in try await other.sql("SELECT sourceSHA256, filePath, fileSHA256 FROM recording") {
      guard !here.contains(row[0]) else { continue }
      let hash = try await Command.output(of: "sha256sum", ["\(other.path)/\(row[1])"]).output
      #expect(hash.hasPrefix(row[2]), "\(moment): \(row[1])")
    }
  }
}
