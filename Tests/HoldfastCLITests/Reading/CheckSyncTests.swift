import Foundation
import HoldfastTestSupport
import Testing

@Suite("scripts/check-sync", .temporaryFolder)
struct CheckSyncTests {
  private func checkSync(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(
      Fixtures.path("../scripts/check-sync"), arguments, environment: ["HOLDFAST": Command.holdfast]
    )
  }

  @Test(
    "finds every recording of the fixtures as long as its source, and in sync", .notInSample,
    arguments: Extent.sample(
      [[], ["--video", "h264"], ["--over-limit", "split"], ["--over-limit", "trim"]], every: 3))
  func fixtures(options: [String]) async throws {
    let result = try await checkSync(options + [Fixtures.path("")])
    #expect(result.status == 0)
    #expect(result.output.contains("; 0 beyond the limits.\n"))
    #expect(!result.output.hasPrefix("0 "))
  }

  @Test("finds the same for the corpus", .enabled(if: Corpus.folder != nil), .notInSample)
  func corpus() async throws {
    let rows = Corpus.manifest.filter { $0.expect == .accept }
    let accepted = rows.compactMap { Corpus.path($0.path) }
    let folders = Set(accepted.map { URL(filePath: $0).deletingLastPathComponent().path }).sorted()
    let result = try await checkSync(Extent.sample(folders, every: 2))
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("; 0 beyond the limits.\n"), "\(result.output)")
  }

  @Test("finds sound that is out of sync")
  func wrong() async throws {
    // A sound track 0.1 s earlier than its source's, as after an import that lost the edit list.
    let program = TemporaryFolder.current + "/holdfast"
    let late = TemporaryFolder.current + "/late.mov"
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-i", Fixtures.path("portrait.mov"), "-itsoffset", "0.1", "-i",
        Fixtures.path("portrait.mov"), "-map", "0:v", "-map", "1:a", "-c", "copy", late,
      ])
    let holdfast = try Command.holdfast
    let script = """
      #!/bin/sh
      \(holdfast) "$@" | sed 's|"source":"[^"]*"|"source":"\(late)"|'
      """
    try Data(script.utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let result = try await Command.run(
      Fixtures.path("../scripts/check-sync"), [Fixtures.path("portrait.mov")],
      environment: ["HOLDFAST": program])
    #expect(result.status == 1)
    #expect(result.output.contains("BAD"))
    #expect(result.output.hasSuffix("; 1 beyond the limits.\n"))
  }
}
