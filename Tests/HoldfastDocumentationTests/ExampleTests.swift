import Foundation
import HoldfastTestSupport
import Testing

/// The package in `examples` is built as a newcomer builds it, and its program is used.
///
/// It has a build of its own, in which Holdfast and all that it depends on are compiled again: five minutes
/// on two cores. So this runs only with `HOLDFAST_TESTS=all`. What it built is there for the next run.
@Suite(
  "Example", .temporaryFolder,
  .wholeRunOnly)
struct ExampleTests {
  private let package = Repository.root + "/examples"

  @Test("The example imports a folder, lists it, plays a recording and notes that it helped")
  func example() async throws {
    let resolved = "/Package.resolved"
    if !FileManager.default.fileExists(atPath: package + resolved) {
      // The same versions as in the package itself.
      try? FileManager.default.copyItem(
        atPath: Repository.root + resolved, toPath: package + resolved)
    }
    let build = ["build", "--package-path", package]
    _ = try await Command.output(of: "swift", build)
    let bin = try await Command.output(of: "swift", build + ["--show-bin-path"]).output
    let program = bin.trimmingCharacters(in: .newlines) + "/keepsake"
    let library = TemporaryFolder.current + "/library"
    func keepsake(_ arguments: String...) async throws -> [String] {
      let result = try await Command.output(
        of: program, arguments, environment: ["KEEPSAKE_LIBRARY": library, "TZ": "UTC"])
      return result.output.split(separator: "\n").map(String.init)
    }
    func sql(_ query: String) async throws -> String {
      try await Command.output(of: "sqlite3", ["-batch", library + "/catalog.sqlite", query])
        .output.trimmingCharacters(in: .newlines)
    }

    let phone = TemporaryFolder.current + "/phone"
    try FileManager.default.createDirectory(atPath: phone, withIntermediateDirectories: false)
    for fixture in ["portrait.mov", "voice.ogg", "len-121.m4a"] {
      try FileManager.default.copyItem(
        atPath: Fixtures.path(fixture), toPath: "\(phone)/\(fixture)")
    }
    let imported = try await keepsake("import", phone)
    #expect(imported.filter { $0.hasPrefix("imported ") }.count == 2)
    #expect(imported.contains("refused len-121.m4a: 121 s long; recordings may last 120 s"))
    #expect(try await sql("SELECT count(*) FROM recording") == "2")
    #expect(try await keepsake("import", phone).filter { $0.hasPrefix("already ") }.count == 2)

    let id = try await sql("SELECT substr(upper(id), 1, 8) FROM recording WHERE type = 'video'")
    let file = try #require(try await keepsake("play", id).first)
    #expect(abs(try await FFprobe.presentedDuration(file) - 2) < 0.1)
    #expect(try await sql("SELECT sum(playCount) FROM recording WHERE type = 'video'") == "1")

    _ = try await keepsake("helped", id, "7")
    let linked = "SELECT intensity, substr(upper(recordingId), 1, 8) FROM craving"
    #expect(try await sql(linked) == "7|\(id)")
    let line = "\(id) Recording Oct 25, 2025 3:42 PM, 0:02, played 1, helped 1"
    #expect(try await keepsake("list").contains(line))
  }
}
