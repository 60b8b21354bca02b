import Foundation
import HoldfastCatalog
import HoldfastCravings
import HoldfastModel
import Synchronization

/// A document is imported as a dry run reports, once, and the catalog then exports a valid
/// document.
enum DocumentPromises {
  static var examples: [Data] {
    get throws {
      let contents = try Contents(of: catalog())
      let whole = try text(contents)
      // Most changes should affect only one kind.
      let lists = [
        "", ",\"recordings\":\(try text(contents.recordings))",
        ",\"cravings\":\(try text(contents.cravings))", ",\"usage\":\(try text(contents.usage))",
        ",\"messages\":\(try text(contents.messages.filter(\.isCustom)))",
      ].map { "{\"format\":\"holdfast\",\"schemaVersion\":1\($0)}" }
      let known = [whole] + lists
      // The same records, changed later, and other records.
      let changed = known.map {
        $0.replacing("modifiedAt\":\"2025-10", with: "modifiedAt\":\"2025-11")
      }
      let others = lists.map { $0.replacing("id\":\"00000000-", with: "id\":\"10000000-") }
      return (known + changed + others).map { Data($0.utf8) }
    }
  }

  static let words =
    [
      "format", "holdfast", "schemaVersion", "recordings", "cravings", "usage", "messages", "id",
      "timestamp", "timestampOffset", "timestampSource", "type", "purpose", "duration", "filePath",
      "thumbnailPath", "title", "notes", "playCount", "lastPlayedAt", "createdAt", "modifiedAt",
      "originalFilename", "sourceSHA256", "part", "partCount", "fileSize", "fileSHA256",
      "conversion", "intensity", "triggers", "location", "recordingId", "method", "amount",
      "content", "category", "isCustom", "priority", "timesShown", "lastShownAt", "isActive",
    ].map { "\"\($0)\":" } + [
      "2025-10-25T13:42:00.000Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
      "00000000-0000-4000-8000-000000000001", "Recordings/", "52.52,13.405", "Home", "\"Sad\"",
      "1000000000", "1000000001",
    ]

  static func check(_ bytes: Data) throws {
    let document: ExportDocument
    do throws(RuleError) {
      document = try ExportDocument(json: bytes, journals: [.cravings])
    } catch {
      return try BrokenPromise.unlessSentence(error.description)
    }
    let (catalog, before) = try unchanged()
    let dry: DataImportReport
    do throws(HoldfastError) {
      dry = try catalog.records.merge(document, isDryRun: true, now: now)
    } catch {
      return try BrokenPromise.unlessSentence(error.description)
    }
    try BrokenPromise.unless(try Contents(of: catalog) == before, "a dry run writes")
    for case .refused(_, _, _, let reason) in dry.items {
      try BrokenPromise.unlessSentence(reason)
    }
    let report: DataImportReport
    do throws(HoldfastError) {
      report = try catalog.records.merge(document, isDryRun: false, now: now)
    } catch {
      try BrokenPromise.unless(
        try Contents(of: catalog) == before, "an import that fails writes: \(error)")
      throw BrokenPromise(description: "a dry run succeeds, and the import fails: \(error)")
    }
    try BrokenPromise.unless(report == dry, "a dry run says \(dry), and the import \(report)")
    try checkAgain(document, catalog)
    let after = try Contents(of: catalog)
    try BrokenPromise.unless(
      (after == before) == report.changes.isEmpty, "the report says \(report.changes)")
    guard after != before else { return spare.withLock { $0 = (catalog, before) } }
    try checkExport(of: after)
  }

  /// A second import changes nothing.
  private static func checkAgain(_ document: ExportDocument, _ catalog: Catalog) throws {
    let report = try catalog.records.merge(document, isDryRun: false, now: now)
    try BrokenPromise.unless(
      report.changes.isEmpty, "the same document again changes \(report.changes)")
  }

  /// All imported records can be written, read, and imported by another library.
  private static func checkExport(of contents: Contents) throws {
    let document = try ExportDocument(
      json: JSONFormat.encoder.encode(contents), journals: [.cravings])
    try BrokenPromise.unless(
      document[RecordingDocument.self] == contents.recordings.map { .value($0) }
        && document[Craving.self] == contents.cravings.map { .value($0) }
        && document[Usage.self] == contents.usage.map { .value($0) }
        && document[Message.self] == contents.messages.map { .value($0) },
      "an export is not what the catalog holds")
    let (other, _) = try unchanged()
    _ = try other.records.merge(document, isDryRun: false, now: now)
    let taken = try Contents(of: other)
    try BrokenPromise.unless(taken == contents, "another library has \(taken) of \(contents)")
  }

  /// Everything in a catalog, as an export.
  private struct Contents: Encodable, Equatable {
    var format = ExportDocument.format
    var schemaVersion = ExportDocument.schemaVersion
    var versions = ["recordings": 2, "cravings": 2, "usage": 2, "messages": 2]
    var recordings: [RecordingDocument]
    var cravings: [Craving]
    var usage: [Usage]
    var messages: [Message]

    init(of catalog: Catalog) throws {
      recordings = try catalog.recordings.matching(RecordingQuery()).map { RecordingDocument($0) }
      (cravings, usage, messages) = try catalog.records.read { db in
        (
          try db.records(Craving.self, clause: "ORDER BY id", arguments: []),
          try db.records(Usage.self, clause: "ORDER BY id", arguments: []),
          try db.records(Message.self, clause: "ORDER BY id", arguments: [])
        )
      }
    }
  }

  private static func text(_ records: some Encodable) throws -> String {
    String(decoding: try JSONFormat.encoder.encode(records), as: UTF8.self)
  }
}

/// The library that documents are imported into.
extension DocumentPromises {
  /// 2026-01-02 00:00:00 UTC.
  private static let now = Date(timeIntervalSince1970: 1_767_312_000)

  static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }

  private static func digest(_ byte: UInt8) throws(BrokenPromise) -> SHA256Digest {
    guard let digest = SHA256Digest(bytes: Array(repeating: byte, count: 32)) else {
      throw BrokenPromise(description: "32 bytes are not a digest")
    }
    return digest
  }

  /// A catalog without imports. Making it takes longer than reading most documents.
  private static let spare = Mutex<(Catalog, Contents)?>(nil)

  private static func unchanged() throws -> (Catalog, Contents) {
    if let spare = spare.withLock({ spare in
      defer { spare = nil }
      return spare
    }) {
      return spare
    }
    let catalog = try catalog()
    return (catalog, try Contents(of: catalog))
  }

  /// A catalog with two recordings, and a row of every other kind.
  private static func catalog() throws -> Catalog {
    let catalog = try Catalog.inMemory(journals: [.cravings])
    let then = Date(timeIntervalSince1970: 1_761_399_720)
    try catalog.recordings.insert([try recording(1, .video, then), try recording(2, .audio, then)])
    try catalog.records.write { db in
      try db.insert(
        Craving(
          id: id(3), timestamp: then, intensity: try Intensity(7), triggers: [.sad, .bored],
          location: .place(.home), notes: "n", recordingID: id(1), createdAt: then))
      try db.insert(
        Usage(
          id: id(4), timestamp: then, method: .vape, amount: 2, triggers: [.habit],
          location: .coordinates(latitude: 52.52, longitude: 13.405), createdAt: then))
      try db.insert(Message(id: id(5), content: "Breathe.", category: .urge, createdAt: then))
    }
    return catalog
  }

  private static func recording(
    _ number: UInt8, _ type: RecordingType, _ date: Date
  ) throws -> Recording {
    Recording(
      id: id(number),
      recorded: RecordingTimestamp(date: date, offsetMinutes: 120, source: .container), type: type,
      purpose: .milestone, duration: 12.5, title: "Day one", createdAt: date,
      ingestion: Ingestion(
        originalFilename: "IMG_0001.MOV", sourceSHA256: try digest(number), part: 1, partCount: 1,
        fileSize: 1000, fileSHA256: try digest(number + 100),
        thumbnailSHA256: type == .video ? try digest(3) : nil,
        width: type == .video ? 1920 : nil, height: type == .video ? 1080 : nil))
  }
}
