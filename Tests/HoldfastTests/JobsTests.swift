import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

/// A run has one more file in progress than jobs, and must not give it to the engine.
@Suite("How many jobs the engine gets at once", .temporaryFolder)
struct JobsTests {
  private static let names = (1...12).map { "\($0).mov" }

  /// An engine whose jobs last long enough for others to begin.
  private func engine() -> ScriptedEngine {
    var script = ScriptedEngine.Script()
    script.info.type = .video
    script.info.streams = [
      StreamInfo(index: 0, kind: .video, codec: "h264"),
      StreamInfo(index: 1, kind: .audio, codec: "aac"),
    ]
    script.info.video = 0
    script.info.audio = 1
    script.onJob = { for _ in 1...2000 { await Task.yield() } }
    return ScriptedEngine(script)
  }

  @Test("An import gives it several, and no more than allowed", arguments: 1...3)
  func importing(jobs: Int) async throws {
    let engine = engine()
    let outcomes = try await run(engine, Self.names, jobs: jobs)
    #expect(outcomes.imported.count == Self.names.count, "\(outcomes.failed)")
    #expect(engine.mostJobs <= jobs)
    #expect(engine.mostJobs > 1 || jobs == 1)
  }

  @Test("A number of jobs out of range is clamped", arguments: [Int.max, Int.min, 0, 257])
  func range(jobs: Int) async throws {
    let nearest = jobs > 256 ? 256 : 1
    #expect(ImportOptions(jobs: jobs).jobs == nearest)
    var thumbnails = ThumbnailOptions()
    thumbnails.jobs = jobs
    var verification = VerifyOptions()
    verification.jobs = jobs
    #expect(thumbnails.jobs == nearest && verification.jobs == nearest)
    #expect(try await run(engine(), ["1.mov"], jobs: jobs).imported.count == 1)
  }

  @Test("A run of thumbnails gives it several, and no more than allowed", arguments: 1...3)
  func thumbnails(jobs: Int) async throws {
    _ = try await run(engine(), Self.names)
    let engine = engine()
    let made = try await remake(engine, jobs: jobs)
    #expect(made == Self.names.count)
    #expect(engine.mostJobs <= jobs)
    #expect(engine.mostJobs > 1 || jobs == 1)
  }

  @Test("Fewer than one job count as one")
  func none() async throws {
    let engine = engine()
    var options = ImportOptions()
    options.jobs = 0
    var outcomes = Outcomes()
    let library = try open(engine)
    for try await event in try library.importRecordings([source("a.mov")], options: options) {
      outcomes.add(event)
    }
    #expect(outcomes.imported.count == 1, "\(outcomes.failed)")
    #expect(try await remake(engine, jobs: 0) == 1)
  }

  /// Makes all thumbnails again.
  private func remake(_ engine: ScriptedEngine, jobs: Int) async throws -> Int {
    var options = ThumbnailOptions()
    options.onlyMissing = false
    options.jobs = jobs
    var made = 0
    for try await case .made in try open(engine).makeThumbnails(options: options) { made += 1 }
    return made
  }
}
