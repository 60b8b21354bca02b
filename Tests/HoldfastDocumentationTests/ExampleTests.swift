import Foundation
import HoldfastTestSupport
import Testing

/// The package in `examples` is built as a new user builds it, and its program is run.
///
/// Its own build compiles Holdfast and all dependencies again: five minutes on two cores. So this
/// runs only with `HOLDFAST_TESTS=all`; `scripts/test --each` compiles the package. The next run
/// reuses the build.
@Suite(
  "Example", .temporaryFolder,
  .enabled(if: Extent.isWhole, "only scripts/test --all has the time"))
struct ExampleTests {
  private let package = Repository.root + "/examples"

  /// Builds the package, and returns the folder of its programs.
  private func build() async throws -> String {
    let resolved = "/Package.resolved"
    if !FileManager.default.fileExists(atPath: package + resolved) {
      // The same versions as in the package itself.
      try? FileManager.default.copyItem(
        atPath: Repository.root + resolved, toPath: package + resolved)
    }
    let build = ["build", "--package-path", package]
    _ = try await Command.output(of: "swift", build)
    let bin = try await Command.output(of: "swift", build + ["--show-bin-path"]).output
    return bin.trimmingCharacters(in: .newlines)
  }

  @Test("The example imports a folder, lists it, plays a recording and notes that it helped")
  func example() async throws {
    let program = try await build() + "/keepsake"
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
    let line = "\(id) portrait, 0:02, played 1, helped 1"
    #expect(try await keepsake("list").contains(line))
  }

  @Test("The sleep diary keeps nights in a library, and exports them")
  func sleepDiary() async throws {
    let program = try await build() + "/sleepdiary"
    let library = TemporaryFolder.current + "/library"
    func diary(_ arguments: String...) async throws -> [String] {
      let result = try await Command.output(
        of: program, arguments, environment: ["SLEEPDIARY_LIBRARY": library, "TZ": "UTC"])
      return result.output.split(separator: "\n").map(String.init)
    }
    #expect(try await diary("log", "7.5", "slept well")[0].hasSuffix("  7.5 hours  slept well"))
    _ = try await diary("log", "6")
    #expect(try await diary("list").last == "on average 6.75 hours")
    let refused = try await Command.run(
      program, ["log", "25"], environment: ["SLEEPDIARY_LIBRARY": library])
    #expect(refused.status == 1)
    #expect(refused.errorOutput == "sleepdiary: 25.0 hours: a night has 0 to 24\n")
    let file = TemporaryFolder.current + "/everything.json"
    #expect(try await diary("export", file)[0].hasSuffix(", 2 nights"))
    let document = try String(contentsOfFile: file, encoding: .utf8)
    #expect(document.contains("\"nights\":[\n{"))
    let rows = try await Command.output(
      of: "sqlite3", ["-batch", library + "/catalog.sqlite", "SELECT sum(hours) FROM night"])
    #expect(rows.output == "13.5\n")
  }
}
