import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Importing a source over the cap", .temporaryFolder)
struct PartImportTests {
  /// An engine that finds sound of 250 s, made on a known day, and may fail at one part's check.
  private func engine(failingAt part: Int? = nil) -> ScriptedEngine {
    var script = ScriptedEngine.Script()
    script.info.duration = 250
    script.info.creation = RecordingTimestamp(
      date: Date(timeIntervalSince1970: 1_761_399_720), offsetMinutes: 120, source: .quickTime)
    script.onCheck = { plan in
      if let part, plan.start.seconds == [0, 83.333, 166.666][part - 1] {
        throw HoldfastError(.checkFailed, "part \(part) is not what it should be")
      }
    }
    return ScriptedEngine(script)
  }

  private func run(
    _ engine: ScriptedEngine, _ policy: OverLimitPolicy, isDryRun: Bool = false
  ) async throws -> [ImportEvent] {
    let library = try open(engine)
    var events: [ImportEvent] = []
    let options = ImportOptions(
      title: "Why", conversion: ConversionOptions(overLimit: policy), isDryRun: isDryRun)
    for try await event in try library.importRecordings([source("memo.m4a")], options: options) {
      events.append(event)
    }
    return events
  }

  private func recordings(_ events: [ImportEvent]) -> [Recording] {
    events.flatMap { event -> [Recording] in
      guard case .imported(_, let recordings, _, _) = event else { return [] }
      return recordings
    }
  }

  @Test("A split source becomes numbered recordings with consecutive times")
  func split() async throws {
    let engine = engine()
    let made = recordings(try await run(engine, .split))
    #expect(made.map(\.ingestion.part) == [1, 2, 3])
    #expect(made.allSatisfy { $0.ingestion.partCount == 3 && $0.title == "Why" })
    #expect(Set(made.map(\.id)).count == 3)
    #expect(Set(made.map(\.ingestion.sourceSHA256)).count == 1)
    let first = try #require(made.first).recorded.date
    let offsets = made.map { $0.recorded.date.timeIntervalSince(first) }
    #expect(zip(offsets, [0, 83.333, 166.666]).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(
      made.allSatisfy { $0.recorded.offsetMinutes == 120 && $0.recorded.source == .quickTime })
    #expect(try files("Recordings").filter { $0.hasSuffix("m4a") }.count == 3)
    let library = try open(engine)
    #expect(try library.recordings(matching: RecordingQuery()).count == 3)
    try expectNoTraces()
  }

  @Test("If one part fails, as a copy and as an encode, none is imported", arguments: [1, 2, 3])
  func allOrNothing(part: Int) async throws {
    let events = try await run(engine(failingAt: part), .split)
    #expect(recordings(events).isEmpty)
    guard case .failed(_, let failure)? = events.last else {
      Issue.record("the source did not fail")
      return
    }
    #expect(failure.description.contains("part \(part)"))
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
  }

  @Test("A trimmed source is one recording, which says so")
  func trim() async throws {
    let made = recordings(try await run(engine(), .trim))
    #expect(made.map(\.duration) == [120])
    #expect(made.first?.ingestion.partCount == 1)
    #expect(made.first?.ingestion.conversion?.plan.isTrimmed == true)
  }

  @Test("The whole source is known from then on, trimmed or split")
  func duplicate() async throws {
    for policy in [OverLimitPolicy.split, .trim, .split] { _ = try await run(engine(), policy) }
    #expect(try open(engine()).recordings(matching: RecordingQuery()).count == 3)
  }

  @Test("Progress rises over all parts together")
  func progress() async throws {
    let shares = try await run(engine(), .split).compactMap { event -> Double? in
      guard case .converting(_, let share) = event else { return nil }
      return share
    }
    let third: Double = 1.0 / 3
    #expect(shares == [third, 2 * third, 1] as [Double])
  }

  @Test("A dry run reports the parts")
  func dryRun() async throws {
    let events = try await run(engine(), .split, isDryRun: true)
    guard case .skipped(_, .dryRun(let plans))? = events.last else {
      Issue.record("nothing was planned")
      return
    }
    #expect(plans.count == 3)
    #expect(try open(engine()).recordings(matching: RecordingQuery()).isEmpty)
  }
}
