import Foundation
import HoldfastCatalog
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Importing an export's document")
struct DataImportTests {
  /// A document in an export's form.
  private struct Written: Encodable, Equatable {
    var format = ExportDocument.format
    var schemaVersion = ExportDocument.schemaVersion
    var versions = ["recordings": 2, "cravings": 2, "usage": 2, "messages": 2]
    var recordings: [RecordingDocument] = []
    var cravings: [Craving] = []
    var usage: [Usage] = []
    var messages: [Message] = []

    func document() throws -> ExportDocument {
      try ExportDocument(json: JSONFormat.encoder.encode(self), journals: [.cravings])
    }
  }

  private let later = noon.addingTimeInterval(0.001).roundedToMillisecond

  private func craving(
    _ id: Int = 1, intensity: Int = 5, triggers: TriggerSet = [.sad], link: RecordingID? = nil,
    modified: Date = noon
  ) throws -> Craving {
    var craving = Craving(
      id: try uuid(id), timestamp: noon, intensity: try Intensity(intensity), triggers: triggers,
      location: .place(.home), notes: "n", recordingID: link, createdAt: noon)
    craving.modifiedAt = modified == noon ? nil : modified
    return craving
  }

  private func message(
    _ id: Int = 1, _ content: String = "Breathe.", modified: Date = noon, shown: Int = 0
  ) throws -> Message {
    var message = Message(id: try uuid(id), content: content, category: .urge, createdAt: noon)
    message.modifiedAt = modified == noon ? nil : modified
    message.timesShown = shown
    return message
  }

  /// Merges, after a dry run with the same result that writes nothing.
  private func merge(_ written: Written, into catalog: Catalog) throws -> DataImportReport {
    let document = try written.document()
    let before = try everything(in: catalog)
    let dry = try catalog.records.merge(document, isDryRun: true)
    #expect(try everything(in: catalog) == before)
    let report = try catalog.records.merge(document, isDryRun: false)
    #expect(report == dry)
    // A second import changes nothing.
    let again = try catalog.records.merge(document, isDryRun: false)
    for kind in again.kinds {
      #expect(again.counts[kind]?.added == 0 && again.counts[kind]?.updated == 0)
    }
    return report
  }

  private func everything(in catalog: Catalog) throws -> Written {
    Written(
      recordings: try catalog.recordings.matching(RecordingQuery()).map { RecordingDocument($0) },
      cravings: try catalog.records(Craving.self), usage: try catalog.records(Usage.self),
      messages: try catalog.records(Message.self))
  }

  private func counts(
    added: Int = 0, updated: Int = 0, unchanged: Int = 0, noFile: Int = 0, refused: Int = 0
  ) -> DataImportReport.Counts {
    var counts = DataImportReport.Counts()
    counts.added = added
    counts.updated = updated
    counts.unchanged = unchanged
    counts.noFile = noFile
    counts.refused = refused
    return counts
  }

  @Test("An unknown record is added as it is")
  func added() throws {
    let catalog = try Catalog.withCravings()
    var usage = Usage(
      id: try uuid(1), timestamp: noon.addingTimeInterval(1e9), method: .vape, amount: 3,
      triggers: [.bored, .habit], location: .coordinates(latitude: -33.86, longitude: 151.2),
      createdAt: noon)
    usage.modifiedAt = later
    var message = try message(shown: 7)
    message.lastShownAt = later
    message.isActive = false
    let craving = try craving(triggers: [.paraphernalia, .hungry], modified: later)
    let report = try merge(
      Written(cravings: [craving], usage: [usage], messages: [message]), into: catalog)
    #expect(report.counts[.cravings] == counts(added: 1))
    #expect(report.counts[.usage] == counts(added: 1))
    #expect(report.counts[.messages] == counts(added: 1))
    #expect(report.items.isEmpty)
    #expect(try catalog.record(Craving.self, id: craving.id) == craving)
    #expect(try catalog.record(Usage.self, id: usage.id) == usage)
    #expect(try catalog.record(Message.self, id: message.id) == message)
  }

  @Test("A known record is replaced only by one that was changed later")
  func newerWins() throws {
    let catalog = try Catalog.withCravings()
    let edited = later.addingTimeInterval(1)
    for id in 1...3 { try catalog.insert(craving(id, modified: id == 3 ? noon : later)) }
    // An edit older than this library's, no edit, and an edit where this library has none.
    let changed = try [later.addingTimeInterval(-0.0005), noon, edited].enumerated().map {
      index, date in
      try craving(index + 1, intensity: 9, triggers: [.angry, .tired], modified: date)
    }
    let report = try merge(Written(cravings: changed), into: catalog)
    #expect(report.counts[.cravings] == counts(updated: 1, unchanged: 2))
    #expect(
      try catalog.records(Craving.self)
        == [craving(1, modified: later), craving(2, modified: later), changed[2]])
  }

  @Test("Of one record's states in a document, the one edited last counts, or the last of equals")
  func duplicates() throws {
    let catalog = try Catalog.withCravings()
    let report = try merge(
      Written(
        cravings: [
          craving(1, intensity: 1, modified: later), craving(2, intensity: 2),
          craving(1, intensity: 3), craving(2, intensity: 4),
        ],
        messages: [message(1, "a", shown: 9), message(1, "b", modified: later, shown: 2)]),
      into: catalog)
    #expect(report.counts[.cravings] == counts(added: 2, unchanged: 2))
    #expect(try catalog.records(Craving.self).map(\.intensity.value) == [1, 4])
    let message = try catalog.record(Message.self, id: uuid(1))
    #expect(message?.content == "b" && message?.timesShown == 9)
  }

  @Test("A link to a missing recording is dropped, and restored when the recording is back")
  func links() throws {
    let catalog = try Catalog.withCravings()
    let clip = try recording(id: uuid(7))
    let written = Written(cravings: [try craving(link: clip.id)])
    #expect(try merge(written, into: catalog).counts[.cravings] == counts(added: 1))
    #expect(try catalog.record(Craving.self, id: uuid(1))?.recordingID == nil)
    try catalog.recordings.insert([clip])
    #expect(try merge(written, into: catalog).counts[.cravings] == counts(updated: 1))
    #expect(try catalog.record(Craving.self, id: uuid(1)) == written.cravings[0])
    // A link that was removed later stays removed.
    try catalog.update(Craving.self, id: uuid(1)) { craving in
      craving.recordingID = nil
      craving.modifiedAt = later
    }
    #expect(try merge(written, into: catalog).counts[.cravings] == counts(unchanged: 1))
  }

  @Test("An import replaces a recording's text, and keeps the facts about its file")
  func recordings() throws {
    let catalog = try Catalog.withCravings()
    let local = try recording(id: uuid(7), title: "old", name: "LOCAL.MOV", playCount: 5)
    try catalog.recordings.insert([local])
    var changed = try recording(
      id: uuid(7), type: .audio, at: later, purpose: .milestone, duration: 99, title: "Straße",
      notes: "new", name: "OTHER.MOV", playCount: 2, file: 9)
    changed.recorded.offsetMinutes = -210
    changed.lastPlayedAt = later
    changed.modifiedAt = later
    let report = try merge(Written(recordings: [RecordingDocument(changed)]), into: catalog)
    #expect(report.counts[.recordings] == counts(updated: 1))
    var expected = local
    expected.title = "Straße"
    expected.notes = "new"
    expected.purpose = .milestone
    expected.recorded = changed.recorded
    expected.lastPlayedAt = later
    expected.modifiedAt = later
    #expect(try catalog.recordings.find(id: local.id) == expected)
    #expect(try catalog.recordings.matching(RecordingQuery(search: "straße")) == [expected])
    #expect(try catalog.recordings.matching(RecordingQuery(search: "old")).isEmpty)
  }

  @Test("Counts of plays and showings never decrease, whichever state is newer")
  func counters() throws {
    let catalog = try Catalog.withCravings()
    var clip = try recording(id: uuid(7), title: "new", playCount: 1)
    clip.lastPlayedAt = noon
    clip.modifiedAt = later
    try catalog.recordings.insert([clip])
    try catalog.insert(message(1, "new", modified: later, shown: 1))
    var old = try recording(id: uuid(7), title: "old", playCount: 9)
    old.lastPlayedAt = later
    let report = try merge(
      Written(recordings: [RecordingDocument(old)], messages: [message(1, "old", shown: 9)]),
      into: catalog)
    #expect(report.counts[.recordings] == counts(updated: 1))
    #expect(report.counts[.messages] == counts(updated: 1))
    clip.playCount = 9
    clip.lastPlayedAt = later
    #expect(try catalog.recordings.find(id: clip.id) == clip)
    #expect(
      try catalog.record(Message.self, id: uuid(1)) == message(1, "new", modified: later, shown: 9))
  }

  @Test("A recording with another ID is matched by its file, each copy with one")
  func sameFile() throws {
    let catalog = try Catalog.withCravings()
    // 1 to 3 hold the same file; the document names 1, and three others of that file.
    for id in 1...3 { try catalog.recordings.insert([recording(id: uuid(id), source: 3, file: 8)]) }
    try catalog.recordings.insert([recording(id: uuid(4), source: 3, file: 5)])
    let titled = try [(1, "one"), (10, "ten"), (11, "eleven"), (12, "twelve")].map {
      var document = try recording(id: uuid($0), title: $1, source: 4, file: 8)
      document.modifiedAt = later
      return RecordingDocument(document)
    }
    let missing = try RecordingDocument(
      recording(id: uuid(13), name: "GONE.MOV", source: 9, file: 9))
    let report = try merge(
      Written(
        recordings: titled + [missing],
        cravings: [
          craving(1, link: uuid(10)), craving(2, link: uuid(12)), craving(3, link: uuid(13)),
        ]),
      into: catalog)
    #expect(report.counts[.recordings] == counts(updated: 3, noFile: 2))
    // 12 finds no copy: the others keep theirs.
    #expect(
      report.items == [
        .noFile(id: try uuid(12), name: titled[3].recording.ingestion.originalFilename),
        .noFile(id: try uuid(13), name: "GONE.MOV"),
      ])
    #expect(
      try catalog.recordings.matching(RecordingQuery()).map(\.title) == [
        "one", "ten", "eleven", nil,
      ])
    #expect(
      try catalog.records(Craving.self).map(\.recordingID) == [uuid(2), nil, nil])
  }

  @Test("Only the state of a default message is imported")
  func defaultMessages() throws {
    let catalog = try Catalog.withCravings()
    let local = try #require(try catalog.records(Message.self).first { $0.category == .urge })
    let later = local.createdAt.addingTimeInterval(1)
    var changed = local
    changed.content = "Other words"
    changed.category = .celebration
    changed.priority = 9
    changed.isCustom = true
    changed.isActive = false
    changed.timesShown = 4
    changed.lastShownAt = later
    changed.createdAt = local.createdAt.addingTimeInterval(0.5)
    changed.modifiedAt = later
    var unknown = try message(1)
    unknown.isCustom = false
    let report = try merge(Written(messages: [changed, unknown]), into: catalog)
    #expect(report.counts[.messages] == counts(added: 1, updated: 1))
    var expected = local
    expected.isActive = false
    expected.timesShown = 4
    expected.lastShownAt = later
    expected.modifiedAt = later
    #expect(try catalog.record(Message.self, id: local.id) == expected)
    // A message that did not come with the library can be deleted.
    #expect(try catalog.record(Message.self, id: unknown.id)?.isCustom == true)
    #expect(try catalog.delete(Message.self, id: unknown.id))
  }

  @Test(
    "Dates of every accepted year are stored as they are",
    arguments: [
      "0001-01-01T00:00:00.000Z", "0999-02-28T23:59:59.999Z", "1582-10-04T00:00:00.001Z",
      "1582-10-15T00:00:00.001Z", "9999-12-31T23:59:59.999Z",
    ])
  func dates(text: String) throws {
    let catalog = try Catalog.withCravings()
    var craving = try craving()
    craving.timestamp = try #require(JSONFormat.date(text))
    _ = try merge(Written(cravings: [craving]), into: catalog)
    #expect(try catalog.record(Craving.self, id: craving.id) == craving)
  }

  @Test("Pages hold every row once, in the order of the ids")
  func pages() throws {
    let catalog = try Catalog.withCravings()
    let report = try merge(
      Written(
        cravings: try (0..<1234).map { _ in
          try Craving(timestamp: noon, intensity: Intensity(3), createdAt: noon)
        }), into: catalog)
    #expect(report.counts[.cravings] == counts(added: 1234))
    let first = try #require(try catalog.records.exportPage(of: .cravings, as: .json, after: nil))
    #expect(try first.records().count == 1000)
    let second = try #require(
      try catalog.records.exportPage(of: .cravings, as: .json, after: first.last))
    #expect(try second.records().count == 234)
    #expect(try catalog.records.exportPage(of: .cravings, as: .json, after: second.last) == nil)
    let ids = try (first.records() + second.records()).map { record in
      try JSONFormat.decoder.decode(Craving.self, from: record).id.uuidString
    }
    #expect(ids == ids.sorted() && Set(ids).count == 1234)
    #expect(ids[999] == first.last && ids.last == second.last)
  }
}
