import HoldfastTestSupport
import Testing

@Suite("Sources over the cap", .temporaryFolder)
struct OverLimitTests {
  let library = LibraryFolder()

  @Test("are refused with their length and the way out")
  func refused() async throws {
    let path = Fixtures.path("len-121.m4a")
    let result = try await library.holdfast(["import", path])
    #expect(result.status == 3)
    #expect(
      result.errorLines.contains(
        "refused   \(path): 121 s long; recordings may last 120 s. Use --over-limit trim or split"))
  }

  @Test("Sources over the cap are trimmed on request, and `show` says so")
  func trimmed() async throws {
    let result = try await library.holdfast(
      ["import", "--over-limit", "trim", Fixtures.path("len-121.m4a")])
    #expect(result.status == 0)
    let row = try await library.sql("SELECT duration, part, partCount FROM recording")
    #expect(row == [["120.0", "1", "1"]])
    let id = try #require(try await library.sql("SELECT id FROM recording").first?.first)
    let shown = try await library.holdfast(["show", id])
    #expect(shown.output.contains("trimmed"))
    #expect(try await library.holdfast(["verify"]).status == 0)
  }

  @Test("Sources over the cap are split on request, each part with its number and time")
  func split() async throws {
    let arguments = ["import", "--over-limit", "split", Fixtures.path("len-121.m4a")]
    let result = try await library.holdfast(arguments)
    #expect(result.status == 0)
    #expect(
      result.lines.filter { $0.contains("part 1 of 2") || $0.contains("part 2 of 2") }.count == 2)
    #expect(result.lines.last == "1 imported.")
    let rows = try await library.sql(
      """
      SELECT round(duration, 1), part, partCount,
      round((julianday(timestamp) - (SELECT min(julianday(timestamp)) FROM recording)) * 86400, 1)
      FROM recording ORDER BY part
      """)
    #expect(rows == [["60.5", "1", "2", "0.0"], ["60.5", "2", "2", "60.5"]])
    for path in try await library.sql("SELECT filePath FROM recording").flatMap({ $0 }) {
      #expect(abs(try await FFprobe.presentedDuration("\(library.path)/\(path)") - 60.5) < 0.01)
    }
    #expect(try await library.holdfast(["verify"]).status == 0)
    #expect(
      try await library.holdfast(arguments).lines.last == "Nothing new: 1 already in the library.")
  }

  @Test("are planned part by part in a dry run")
  func dryRun() async throws {
    let arguments = ["import", "--over-limit", "split", "--dry-run", Fixtures.path("len-121.m4a")]
    let lines = try await library.holdfast(arguments).lines
    #expect(lines.first?.hasSuffix("audio 1:01, part 1 of 2 (sound copied)") == true)
    #expect(lines.last == "1 would be imported.")
  }
}
