import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Importing", .temporaryFolder)
struct ImportTests {
  @Test("A copy that fails its check is encoded once")
  func copyFallsBackToEncode() async throws {
    var script = ScriptedEngine.Script()
    script.onCheck = { plan in
      if plan.copiesAny { throw HoldfastError(.checkFailed, "packet 3 differs") }
    }
    let engine = ScriptedEngine(script)
    let events = try await run(engine, ["memo.m4a"])
    #expect(engine.plans.map(\.copiesAny) == [true, false])
    let recording = try #require(events.imported.first)
    let reason = recording.ingestion.conversion?.plan.audio?.encodedBecause
    #expect(reason?.contains("packet 3 differs") == true)
    try expectNoTraces()
  }

  @Test("Sound that cannot be converted is left out, with a warning, and the picture is kept")
  func leftOutSound() async throws {
    var script = ScriptedEngine.Script()
    script.info.type = .video
    script.info.streams = [
      StreamInfo(index: 0, kind: .video, codec: "h264"),
      StreamInfo(index: 1, kind: .audio, codec: "opus"),
    ]
    script.info.streams[1].copyObstacle = "opus is stored as AAC"
    (script.info.video, script.info.audio) = (0, 1)
    script.onConvert = { plan in
      guard plan.audio != nil else { return }
      var error = HoldfastError(.library, "its channels cannot be mixed")
      error.stream = 1
      throw error
    }
    let engine = ScriptedEngine(script)
    let events = try await run(engine, ["clip.mov"])
    #expect(engine.plans.map { $0.audio != nil } == [true, false])
    let recording = try #require(events.imported.first)
    #expect(recording.type == .video)
    #expect(
      recording.ingestion.conversion?.warnings == [
        "its sound cannot be encoded and is left out: its channels cannot be mixed"
      ])
    try expectNoTraces()
  }

  @Test("An encode that fails its check is the source's failure, and leaves nothing")
  func failedEncode() async throws {
    var script = ScriptedEngine.Script()
    script.onCheck = { _ in
      throw HoldfastError(.checkFailed, "2 pictures were written instead of 3")
    }
    let engine = ScriptedEngine(script)
    let events = try await run(engine, ["memo.m4a"])
    #expect(engine.plans.count == 2)
    #expect(events.failed == ["2 pictures were written instead of 3"])
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
  }

  @Test("A file that changes during its import is refused with that reason")
  func changingSource() async throws {
    let path = try source("memo.m4a")
    var script = ScriptedEngine.Script()
    script.onConvert = { _ in try Data("changed".utf8).write(to: URL(filePath: path)) }
    let events = try await run(ScriptedEngine(script), [], paths: [path])
    #expect(events.failed.count == 1)
    #expect(events.failed.first?.contains("changed while it was read") == true)
    try expectNoTraces()
  }

  @Test("One bad file does not stop the others")
  func oneBadFile() async throws {
    var script = ScriptedEngine.Script()
    let failures = Counter()
    script.onConvert = { _ in
      if failures.next() == 2 { throw HoldfastError(.damaged, "is damaged") }
    }
    let events = try await run(ScriptedEngine(script), ["a.m4a", "b.m4a", "c.m4a"], jobs: 1)
    #expect(events.imported.map(\.ingestion.originalFilename) == ["a.m4a", "c.m4a"])
    #expect(events.failed == ["is damaged"])
  }

  @Test("A source that is named twice in one run becomes one recording")
  func twiceInOneRun() async throws {
    let first = try source("a.m4a", content: "same")
    let second = try source("b.m4a", content: "same")
    let events = try await run(ScriptedEngine(), [], paths: [first, second], jobs: 2)
    #expect(events.imported.count == 1)
    #expect(events.duplicates == events.imported.map(\.id))
    try expectNoTraces()
  }

  @Test("A source that equals one of the library's own files is known already")
  func ownFile() async throws {
    let events = try await run(ScriptedEngine(), ["a.m4a"])
    let recording = try #require(events.imported.first)
    let copy = temporary("copy.m4a")
    try FileManager.default.copyItem(
      atPath: temporary("library/\(recording.filePath)"), toPath: copy)
    let again = try await run(ScriptedEngine(), [], paths: [copy])
    #expect(again.duplicates == [recording.id])
  }

  @Test("An import that is cancelled undoes what is in flight and says so")
  func cancelled() async throws {
    var script = ScriptedEngine.Script()
    let (started, starts) = AsyncStream.makeStream(of: Void.self)
    script.onConvert = { _ in
      starts.yield()
      try await Task.sleep(for: .seconds(3600))
    }
    let library = try open(ScriptedEngine(script))
    let run = try library.importRecordings([source("a.m4a"), source("b.m4a")])
    let cancel = Task {
      for await _ in started { break }
      run.cancel()
    }
    var events = Outcomes()
    for try await event in run { events.add(event) }
    await cancel.value
    #expect(events.imported.isEmpty)
    #expect(events.interrupted >= 1)
    try expectNoTraces()
  }

  @Test("A source over the cap is refused with its length and the limit")
  func overLimit() async throws {
    var script = ScriptedEngine.Script()
    script.info.duration = 185.3
    let engine = ScriptedEngine(script)
    let events = try await run(engine, ["long.m4a"])
    #expect(engine.plans.isEmpty)
    let reason = try #require(events.failed.first)
    #expect(reason == "185.3 s long; recordings may last 120 s")
  }

  @Test("A title that the catalog would refuse is refused before any work")
  func longTitle() throws {
    let library = try open(ScriptedEngine())
    let options = ImportOptions(title: String(repeating: "é", count: 201))
    let error = #expect(throws: HoldfastError.self) {
      try library.importRecordings(["/nowhere"], options: options)
    }
    #expect(error?.code == .invalidValue && error?.cause == .rule(RuleError(error?.reason ?? "")))
  }

  @Test("A library that was opened without an engine imports nothing, and says so")
  func noEngine() throws {
    let library = try open(nil)
    let error = #expect(throws: HoldfastError.self) {
      try library.importRecordings(["/nowhere"])
    }
    #expect(error?.code == .noEngine)
    #expect(error?.description.contains("was opened without a media engine") == true)
  }

  @Test("A source that changes during a dry run is refused, as in an import")
  func changingSourceInDryRun() async throws {
    let path = try source("a.m4a")
    var script = ScriptedEngine.Script()
    let probes = Counter()
    script.onProbe = {
      if probes.next() == 2 { try Data("changed".utf8).write(to: URL(filePath: path)) }
    }
    let library = try open(ScriptedEngine(script), for: .planning)
    var events = Outcomes()
    for try await event in try library.importRecordings(
      [path], options: ImportOptions(isDryRun: true))
    {
      events.add(event)
    }
    #expect(events.planned == 0)
    #expect(events.failed.first?.contains("changed while it was read") == true)
  }

  @Test("A dry run writes nothing")
  func dryRun() async throws {
    let path = try source("a.m4a")
    let library = try open(ScriptedEngine(), for: .planning)
    var events = Outcomes()
    for try await event in try library.importRecordings(
      [path], options: ImportOptions(isDryRun: true))
    {
      events.add(event)
    }
    #expect(events.planned == 1)
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
  }
}
