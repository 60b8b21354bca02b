import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

private let noon = Date(timeIntervalSince1970: 1_761_393_600)

@Suite("A record that is imported with its recording", .temporaryFolder)
struct RecordedRecordTests {
  private func library(_ engine: ScriptedEngine = ScriptedEngine()) throws -> Library {
    let location = LibraryLocation(path: temporary("library"))
    try Library.create(at: location)
    let library = try Library.open(
      at: location, for: .writing, engine: engine, journals: [.cravings, .sleep])
    try library.enableJournal("sleep")
    return library
  }

  /// The recordings, and the nights with their recordings, by the sqlite3 program.
  private func rows() async throws -> [String] {
    try await Command.output(
      of: "sqlite3",
      [
        "-batch", temporary("library/catalog.sqlite"),
        "SELECT id FROM recording; SELECT 'night', recordingId FROM night",
      ]
    ).output.split(separator: "\n").map(String.init)
  }

  private func add(_ hours: Double = 7) -> RecordsOfRecording {
    { db, recording in
      try db.add(
        Night(timestamp: noon, hours: hours, recordingID: recording, createdAt: noon), now: noon)
    }
  }

  @Test("Both are imported, and the record names the recording")
  func both() async throws {
    let library = try library()
    let imported = try await library.importRecording(try source("memo.m4a"), writing: add())
    #expect(imported.isNew)
    let id = imported.id.uuidString
    #expect(try await rows() == [id, "night|\(id)"])
    #expect(try files("Recordings").contains("audio_\(id).m4a"))
    try expectNoTraces()
  }

  @Test("A file that the library already has is named, and not imported again")
  func known() async throws {
    let library = try library()
    let memo = try source("memo.m4a")
    let first = try await library.importRecording(memo, writing: add())
    let second = try await library.importRecording(memo, writing: add())
    #expect(second.id == first.id && !second.isNew)
    let id = first.id.uuidString
    #expect(try await rows() == [id, "night|\(id)", "night|\(id)"])
  }

  @Test("A record that is refused leaves no recording and no file")
  func refusedRecord() async throws {
    let library = try library()
    let memo = try source("memo.m4a")
    let error = await #expect(throws: HoldfastError.self) {
      _ = try await library.importRecording(memo, writing: add(25))
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.description == "hours 25.0: a night has 0 to 24 hours")
    #expect(try await rows() == [])
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
    // Nothing prevents another attempt.
    #expect(try await library.importRecording(memo, writing: add()).isNew)
  }

  @Test("A row that the schema refuses leaves no recording and no file")
  func refusedRow() async throws {
    let library = try library()
    let memo = try source("memo.m4a")
    let error = await #expect(throws: HoldfastError.self) {
      _ = try await library.importRecording(memo) { db, recording in
        try add()(db, recording)
        try db.execute("UPDATE night SET hours = 25", [])
      }
    }
    #expect(error?.code == .refused, "\(String(describing: error))")
    #expect(try await rows() == [])
    #expect(try files("Recordings") == ["Thumbnails"])
    try expectNoTraces()
  }

  @Test("A file that is refused leaves no record, and is named")
  func refusedFile() async throws {
    var script = ScriptedEngine.Script()
    script.onProbe = { throw HoldfastError(.library, "it is damaged") }
    let library = try library(ScriptedEngine(script))
    let memo = try source("memo.m4a")
    let error = await #expect(throws: HoldfastError.self) {
      _ = try await library.importRecording(memo, writing: add())
    }
    #expect(error?.description == "\(memo): it is damaged")
    #expect(try await rows() == [])
  }

  @Test(
    "A source that becomes no recording, or several, is refused",
    arguments: [("photo.jpg", "is a .jpg file"), ("", "is a folder; name one file")])
  func noRecording(name: String, words: String) async throws {
    let library = try library()
    let path = name.isEmpty ? temporary("") : try source(name)
    let error = await #expect(throws: HoldfastError.self) {
      _ = try await library.importRecording(path, writing: add())
    }
    #expect(error?.explanation.contains(words) == true, "\(String(describing: error))")
    let memo = try source("memo.m4a")
    for options in [
      ImportOptions(conversion: ConversionOptions(overLimit: .split)),
      ImportOptions(isDryRun: true),
    ] {
      let error = await #expect(throws: HoldfastError.self) {
        _ = try await library.importRecording(memo, options: options, writing: add())
      }
      #expect(error?.code == .invalidValue)
    }
    #expect(try await rows() == [])
  }

  @Test("A cancelled import leaves nothing")
  func cancelled() async throws {
    var script = ScriptedEngine.Script()
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    script.onConvert = { _ in
      started.yield()
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
    let library = try library(ScriptedEngine(script))
    let memo = try source("memo.m4a")
    let add = add()
    let task = Task { try await library.importRecording(memo, writing: add) }
    for await _ in starts { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await rows() == [])
    try expectNoTraces()
  }
}
