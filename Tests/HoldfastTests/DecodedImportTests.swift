import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Decoding what was written", .temporaryFolder)
struct DecodedImportTests {
  /// An engine that finds this many damaged packets in its output.
  private func engine(damaged: Int, obstacle: String? = nil) -> ScriptedEngine {
    var script = ScriptedEngine.Script()
    script.info.streams[0].damagedPackets = damaged
    script.info.streams[0].packets = 90
    script.info.streams[0].copyObstacle = obstacle
    return ScriptedEngine(script)
  }

  private func run(_ engine: ScriptedEngine, verifies: Bool = true) async throws -> Outcomes {
    let library = try open(engine)
    var outcomes = Outcomes()
    let options = ImportOptions(verifiesDecode: verifies)
    for try await event in try library.importRecordings([source("memo.m4a")], options: options) {
      outcomes.add(event)
    }
    return outcomes
  }

  @Test("A copy with damage is kept, and says so")
  func copy() async throws {
    let made = try await run(engine(damaged: 3)).imported
    let conversion = try #require(made.first?.ingestion.conversion)
    #expect(conversion.warnings == ["3 of the 90 packets of its sound do not decode cleanly"])
    #expect(conversion.check?.damagedPackets == 3)
  }

  @Test("An encode with damage is the source's failure, and leaves nothing")
  func encode() async throws {
    let outcomes = try await run(engine(damaged: 3, obstacle: "PCM"))
    #expect(outcomes.imported.isEmpty)
    #expect(outcomes.failed.first?.contains("3 of the 90 packets") == true)
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
  }

  @Test("Without the option, no damage is looked for or reported")
  func notAsked() async throws {
    let made = try await run(engine(damaged: 3), verifies: false).imported
    #expect(made.first?.ingestion.conversion?.warnings == [])
    #expect(made.first?.ingestion.conversion?.check?.damagedPackets == nil)
  }
}
