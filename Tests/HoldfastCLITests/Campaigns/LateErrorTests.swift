import Foundation
import HoldfastTestSupport
import Testing

/// A disk may fail after a write, and NFS may repeat a finished request: then a call reports an
/// error although it took effect. A file was removed under both of its names, or stayed in
/// `Recordings` without a row.
@Suite("A call that took effect and reports an error", .temporaryFolder)
struct LateErrorTests {
  let library = LibraryFolder()

  /// Runs `holdfast` with scripts/late-errors.c.
  private func holdfast(
    _ arguments: [String], failing call: String, of name: String, times: Int = 1,
    knowsFlag: Bool = true
  ) async throws -> CommandResult {
    let shim = temporary("late-errors.so")
    _ = try await Command.output(
      of: "gcc",
      ["-shared", "-fPIC", "-O1", "-o", shim, Repository.root + "/scripts/late-errors.c", "-ldl"])
    var environment = [
      "LD_PRELOAD": shim, "LATE_CALL": call, "LATE_NAME": name, "LATE_TIMES": "\(times)",
    ]
    if !knowsFlag { environment["NO_FLAG"] = "1" }
    return try await Command.run(
      Command.holdfast, library.command(arguments), environment: environment)
  }

  @Test("A late error of unlink loses no file where a rename is a link and an unlink")
  func unlinked() async throws {
    try await library.importing("aac.m4a")
    let imported = try await holdfast(
      ["import", Fixtures.path("portrait.mov")], failing: "unlinkat", of: "video_",
      knowsFlag: false)
    #expect(imported.status == 0, "\(imported.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()

    let id = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    let deleted = try await holdfast(
      ["delete", "--yes", id], failing: "unlinkat", of: "audio_", knowsFlag: false)
    #expect(deleted.status == 0, "\(deleted.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
  }

  @Test("leaves nothing published without a row", arguments: [1, 100])
  func published(times: Int) async throws {
    let clip = try copyFixture("portrait.mov", to: "clip.mov")
    let result = try await holdfast(
      ["import", "--move", clip], failing: "renameat2", of: "video_", times: times)
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    #expect(try await library.find("-path", "*/Recordings/*", "-type", "f").isEmpty)
    #expect(try await library.holdfast("craving", "log", "--intensity", "3").status == 0)
    #expect(
      try await sha256(of: clip) == sha256(of: Fixtures.path("portrait.mov")))
    try await library.expectSound()
  }
}
