import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// The tables of cravings, usage and messages are in every catalog. A program need not know their
/// records, but must not lose them.
@Suite("A program that does not know cravings", .temporaryFolder)
struct UnknownCravingsTests {
  private let tables = #"("craving", "cravingTrigger", "message", "usage", "usageTrigger")"#

  /// A library with a recording and a craving, opened by a program that knows neither cravings nor
  /// any journal.
  private func opened(_ name: String = "library") async throws -> Library {
    let location = LibraryLocation(path: temporary(name))
    try Library.create(at: location)
    let now = Date()
    let knowing = try Library.open(
      at: location, for: .writing, engine: ScriptedEngine(), journals: [.cravings])
    try knowing.add(Craving(timestamp: now, intensity: try Intensity(5), createdAt: now))
    for try await event in try knowing.importRecordings([source("a.m4a")]) {
      if case .failed(_, let error) = event { throw error }
    }
    return try Library.open(at: location, for: .writing, engine: ScriptedEngine())
  }

  private func expectRefusal(_ step: () throws -> Void) {
    expectUnknown(#expect(throws: HoldfastError.self, performing: step))
  }

  private func expectUnknown(_ error: HoldfastError?) {
    #expect(error?.code == .unknownJournal)
    #expect(error?.description.contains(tables) == true, "\(String(describing: error))")
  }

  @Test("It handles recordings as before")
  func recordings() async throws {
    let library = try await opened()
    #expect(library.warnings == [])
    let recording = try #require(try library.recordings(matching: RecordingQuery()).first)
    try library.editRecording(id: recording.id) { $0.title = "Day one" }
    let error = #expect(throws: HoldfastError.self) { try library.records(Craving.self) }
    #expect(error?.code == .journalNotEnabled)
    try library.deleteRecording(id: recording.id)
    #expect(try open(nil).records(Craving.self).count == 1)
  }

  @Test("It neither exports, imports, merges nor erases data, and changes nothing")
  func refused() async throws {
    let library = try await opened()
    let other = try await opened("other")
    let path = temporary("library/catalog.sqlite")
    let before = try Data(contentsOf: URL(filePath: path))
    expectRefusal { try library.exportDocument { _ in } }
    expectRefusal { _ = try library.exportTables(toFolder: temporary("tables")) }
    let document = try ExportDocument(
      json: Data(#"{"format":"holdfast","schemaVersion":1,"recordings":[]}"#.utf8))
    for isDryRun in [false, true] {
      expectRefusal { _ = try library.importData(document, isDryRun: isDryRun) }
      expectUnknown(
        await #expect(throws: HoldfastError.self) {
          for try await _ in try library.merge(
            other.path, options: MergeOptions(isDryRun: isDryRun))
          {}
        })
    }
    expectRefusal { try library.eraseEverything() }
    #expect(!FileManager.default.fileExists(atPath: temporary("tables")))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try files("Recordings").count == 2)
    #expect(try open(nil).records(Craving.self).count == 1)
  }
}
