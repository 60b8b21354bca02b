import Foundation
import HoldfastTestSupport
import Testing

/// One test after the other, as SwiftPM cannot build one package twice at the same time.
@Suite(
  "scripts/bench", .serialized, .temporaryFolder,
  .enabled(if: Extent.isWhole, "it makes a release build; only scripts/test --all has the time"))
struct BenchTests {
  /// The parts of `--json` that do not depend on the machine's speed.
  private struct Document: Decodable {
    struct Row: Decodable {
      struct Spread: Decodable {
        var lowest: Double
        var highest: Double
      }

      struct Target: Decodable {
        var atLeast: Double?
        var atMost: Double?
      }

      var bench: String
      var contestant: String
      var holdfastSeconds: Double
      var contestantSeconds: Double
      var ratio: Double
      var spread: Spread
      var target: Target?
      var reached: Bool
      var syncsPerItem: Double
      var peakMemoryMB: Double
      var mostMemoryMB: Double?
    }

    var rows: [Row]
  }

  private func bench(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(
      "\(Repository.root)/scripts/bench", arguments,
      environment: ["HOLDFAST_PROGRAM": Command.holdfast, "TMPDIR": TemporaryFolder.current])
  }

  @Test(
    "measures each row against each contestant, and finds few flushes and little memory",
    .timeLimit(.minutes(60)))
  func rows() async throws {
    let result = try await bench(["--quick", "--json", "import", "voice", "startup"])
    try #require(result.status == 0, "\(result.errorOutput)")
    let rows = try JSONDecoder().decode(Document.self, from: Data(result.outputBytes)).rows
    #expect(
      rows.map { "\($0.bench): \($0.contestant)" } == [
        "import: ffprobe, ffmpeg, ffmpeg, sha256sum", "import: the same under GNU parallel",
        "import: cp, sync, sha256sum", "voice: ffmpeg", "voice: ffmpeg under GNU parallel",
        "startup: ffmpeg -version", "startup: sqlite3 .tables",
      ])
    #expect(rows.map(\.target?.atLeast) == [4, 2.5, nil, 2.3, 1.15, nil, nil])
    #expect(rows.map(\.target?.atMost) == [nil, nil, 3, nil, nil, 0.4, 5])
    for row in rows {
      let times = [row.holdfastSeconds, row.contestantSeconds, row.ratio, row.spread.lowest]
      #expect(times.allSatisfy { $0 > 0 } && row.spread.highest >= row.spread.lowest, "\(row)")
      #expect(row.peakMemoryMB > 1 && row.peakMemoryMB <= row.mostMemoryMB ?? .infinity, "\(row)")
    }
    #expect(rows.allSatisfy { $0.bench == "startup" ? $0.syncsPerItem == 0 : $0.syncsPerItem > 1 })
    #expect(rows.allSatisfy { $0.syncsPerItem <= 10 }, "\(rows)")
  }

  @Test("names what there is to measure, when asked for something else")
  func unknownRow() async throws {
    let result = try await bench(["thumbnials"])
    #expect(result.status == 64)
    // swift build, which runs first, also writes there.
    let lines = result.errorOutput.split(separator: "\n")
    #expect(lines.last?.hasPrefix("There is no row thumbnials; there are thumbnails ") == true)
  }
}
