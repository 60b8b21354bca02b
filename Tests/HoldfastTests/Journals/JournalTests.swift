import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// Noon on 2025-10-25 UTC, on which everything happens.
private let noon = Date(timeIntervalSince1970: 1_761_393_600)
private let later = noon.addingTimeInterval(3600)

/// Opens the library in the test's folder, made if needed.
private func open(
  _ journals: [Journal], for access: Library.Access = .writing, at name: String = "library"
) throws -> Library {
  let location = LibraryLocation(path: temporary(name))
  try Library.create(at: location)
  return try Library.open(
    at: location, for: access, engine: ScriptedEngine(), journals: [.cravings] + journals)
}

/// The sqlite3 program's answer.
private func sqlite(_ statements: String, in name: String = "library") async throws -> String {
  try await Command.output(
    of: "sqlite3", ["-batch", temporary("\(name)/catalog.sqlite"), statements]
  ).output.trimmingCharacters(in: .newlines)
}

/// Expects that the body throws an error with this code.
private func expect(
  _ code: HoldfastError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: HoldfastError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, "\(error?.description ?? "")", sourceLocation: sourceLocation)
}

private func night(_ hours: Double = 7.5, recording: UUID? = nil) -> Night {
  Night(
    timestamp: noon, hours: hours, notes: "=calm", sketch: Data([0, 255]),
    wakings: ["cat", "rain", "cat"],
    dreams: [
      .init(title: "Sea", vividness: 3), .init(title: "Stairs", vividness: 9, rememberedAt: noon),
    ],
    timesRead: 2, recordingID: recording, createdAt: noon)
}

private func exported(_ library: Library) throws -> String {
  var document = Data()
  try library.exportDocument { document += $0 }
  return String(decoding: document, as: UTF8.self)
}

@Suite("A journal that the core does not name", .temporaryFolder)
struct JournalTests {
  @Test("A document is read only from a file, and not from a library's folder")
  func documentFile() throws {
    let library = try open([.sleep])
    let inside = "\(library.path)/holdfast.json"
    for path in [temporary("missing"), TemporaryFolder.current, "/dev/zero", inside] {
      #expect(throws: HoldfastError.self) { try library.importDocument(at: path) }
    }
  }

  @Test("Its tables exist only while it is enabled")
  func enabling() async throws {
    let library = try open([.sleep])
    let before = try await sqlite("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
    #expect(try library.enabledJournals() == [])
    expect(.journalNotEnabled) { try library.add(night(), now: later) }
    #expect(try library.enableJournal("sleep"))
    #expect(try !library.enableJournal("sleep"))
    #expect(try library.enabledJournals() == ["sleep"])
    #expect(try await sqlite("SELECT count(*) FROM night") == "0")
    #expect(try open([.sleep]).enabledJournals() == ["sleep"])
    expect(.journalNotEnabled) { _ = try library.enableJournal("work") }

    try library.add(night(), now: later)
    try library.add(Bed(id: "attic", createdAt: noon))
    let error = #expect(throws: HoldfastError.self) { try library.disableJournal("sleep") }
    #expect(error?.code == .journalNotEmpty)
    #expect(error?.description.contains("1 bed, 1 night") == true)
    #expect(try library.records(Night.self).count == 1)

    #expect(try library.disableJournal("sleep", erasing: true))
    #expect(try !library.disableJournal("sleep"))
    #expect(try await sqlite("SELECT type, name, sql FROM sqlite_schema ORDER BY name") == before)
    let file = try Data(contentsOf: URL(filePath: temporary("library/catalog.sqlite")))
    for word in ["attic", "Stairs", "nightDream", "sleep"] {
      #expect(file.range(of: Data(word.utf8)) == nil, "\(word)")
    }
  }

  @Test("An open library sees that another program enables and disables a journal")
  func enabledElsewhere() throws {
    let (library, other) = (try open([.sleep]), try open([.sleep]))
    expect(.journalNotEnabled) { try other.add(night(), now: later) }
    #expect(try library.enableJournal("sleep"))
    try other.add(night(), now: later)
    let error = #expect(throws: HoldfastError.self) {
      try other.read { db in
        try library.disableJournal("sleep", erasing: true)
        _ = try db.rows("SELECT * FROM night", [])
      }
    }
    #expect(error?.code == .journalNotEnabled)
    #expect(error?.description.contains("\"sleep\" is not enabled") == true)
  }

  @Test("Records are added, found, changed and deleted, with their lists")
  func records() async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    var first = night()
    try library.add(first, now: later)
    var second = night(3)
    second.isNap = true
    (second.wakings, second.dreams, second.notes, second.sketch) = ([], [], nil, nil)
    second.timestamp = noon.addingTimeInterval(60.0004)
    try library.add(second, now: later)
    second.timestamp = noon.addingTimeInterval(60)
    try library.add(Bed(id: "it's mine", createdAt: noon))

    #expect(try library.record(Night.self, id: first.id) == first)
    #expect(try library.record(Bed.self, id: "it's mine")?.createdAt == noon)
    #expect(
      try library.record(Night.self, idPrefix: String(second.id.uuidString.prefix(8))) == second)
    #expect(
      try library.records(Night.self, clause: "ORDER BY timestamp DESC, id") == [second, first])
    #expect(
      try library.records(
        Night.self, clause: "WHERE hours > ? AND isNap = ?", arguments: [.real(2), .integer(1)])
        == [second])
    #expect(
      try await sqlite(
        "SELECT timestamp, isNap, quote(sketch), searchText FROM night ORDER BY hours DESC")
        == "2025-10-25 12:00:00.000|0|X'00FF'|seastairs\n2025-10-25 12:01:00.000|1|NULL|")
    #expect(
      try await sqlite("SELECT position, title, vividness, rememberedAt FROM nightDream")
        == "0|Sea|3|\n1|Stairs|9|2025-10-25 12:00:00.000")

    first = try library.edit(Night.self, id: first.id, now: later) {
      $0.wakings = ["heat"]
      $0.dreams.removeFirst()
      $0.notes = nil
    }
    #expect(first.modifiedAt == later)
    #expect(try library.record(Night.self, id: first.id) == first)
    #expect(try await sqlite("SELECT reason FROM nightWaking") == "heat")
    #expect(try await sqlite("SELECT searchText FROM night WHERE hours > 5") == "stairs")
    #expect(try await sqlite("SELECT notes IS NULL FROM night WHERE hours > 5") == "1")

    try library.delete(Night.self, id: first.id)
    expect(.noSuchRecord) {
      try library.delete(Night.self, id: first.id)
    }
    expect(.noSuchRecord) { _ = try library.edit(Bed.self, id: "x") { _ in } }
    #expect(try await sqlite("SELECT count(*) FROM nightDream") == "0")
    #expect(try library.records(Night.self) == [second])
  }

  @Test("A record that breaks a rule is refused, and nothing is written")
  func refused() async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    try library.add(night(), now: later)
    let id = try library.records(Night.self)[0].id
    expect(.invalidValue) { try library.add(night(25), now: later) }
    expect(.invalidValue) { try library.add(night(), now: noon - 1) }
    expect(.noSuchRecord) {
      try library.add(night(recording: UUID()), now: later)
    }
    expect(.invalidValue) {
      _ = try library.edit(Night.self, id: id, now: later) { $0.hours = -1 }
    }
    expect(.noSuchRecord) {
      _ = try library.edit(Night.self, id: id, now: later) { $0.recordingID = UUID() }
    }
    var cut = night()
    cut.wakings = ["a\0b"]
    expect(.init(rawValue: "refused")) { try library.add(cut, now: later) }
    #expect(try library.records(Night.self).map(\.hours) == [7.5])
  }

  @Test("An export, an erasure and an import give the same document")
  func roundTrip() async throws {
    _ = try await run(ScriptedEngine(), ["a.m4a"])
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    let recording = try #require(try library.recordings(matching: RecordingQuery()).first)
    try library.add(night(recording: recording.id), now: later)
    try library.add(Bed(id: "=1+1", createdAt: noon))
    try library.add(
      Craving(timestamp: noon, intensity: Intensity(3), createdAt: noon), now: later)
    let path = temporary("export.json")
    #expect(
      try library.exportDocument(toFile: path).counts.map { $0.kind.text($0.count) }
        == [
          "1 recording", "0 transcripts", "1 craving", "0 usage", "11 messages", "1 bed", "1 night",
        ])
    let json = try exported(library)
    #expect(json.contains("\"messages\":2,\"beds\":1,\"nights\":3}"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let nights = try #require(document["nights"] as? [[String: Any]])
    #expect(nights[0]["wakings"] as? [String] == ["cat", "rain", "cat"])
    #expect(nights[0]["recordingId"] as? String == recording.id.uuidString)
    #expect(nights[0]["searchText"] == nil)

    let folder = temporary("tables")
    try library.exportTables(toFolder: folder)
    #expect(
      try String(contentsOfFile: "\(folder)/beds.csv", encoding: .utf8) == "id\r\n'=1+1\r\n")
    #expect(
      try String(contentsOfFile: "\(folder)/nights.csv", encoding: .utf8).hasSuffix(
        "2025-10-25T12:00:00.000Z,7.5,0,'=calm,cat; rain; cat\r\n"))

    // Into a library with the same recording, because an import brings no files.
    let read = try ExportDocument(contentsOf: path, journals: [.cravings, .sleep])
    let dry = try library.importData(read, isDryRun: true, now: later)
    #expect(dry.changes.isEmpty && dry.items.isEmpty)
    #expect(dry.kinds.map(\.name).suffix(2) == ["beds", "nights"])
    try library.delete(Night.self, id: try library.records(Night.self)[0].id)
    try library.delete(Bed.self, id: "=1+1")
    let report = try library.importData(read, now: later)
    #expect(report.changes.map(\.kind.name) == ["beds", "nights"])
    #expect(try exported(library) == json)

    // Into an erased library, where the link has no target.
    try library.eraseEverything()
    #expect(try library.records(Night.self).isEmpty && library.records(Bed.self).isEmpty)
    #expect(try library.enabledJournals() == ["sleep"])
    let file = try Data(contentsOf: URL(filePath: temporary("library/catalog.sqlite")))
    #expect(file.range(of: Data("Stairs".utf8)) == nil)
    #expect(try library.importData(read, now: later).counts[Night.declaration.kind]?.added == 1)
    var without = night()
    without.id = try #require(UUID(uuidString: nights[0]["id"] as? String ?? ""))
    #expect(try library.records(Night.self) == [without])
  }

  @Test("Of two versions the newer edit wins; one counter takes the maximum, one adds")
  func merging() async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    var original = night()
    original.timesShared = 1
    try library.add(original, now: later)
    try library.edit(Night.self, id: original.id, now: later) { $0.hours = 8 }

    /// Imports a version that was edited then, with other counts.
    func merge(_ version: Night) throws -> Night? {
      let other = try open([.sleep], at: "other\(version.hours)")
      try other.enableJournal("sleep")
      try other.add(version, now: later)
      let path = temporary("\(version.hours).json")
      try other.exportDocument(toFile: path)
      _ = try library.importData(
        ExportDocument(contentsOf: path, journals: [.cravings, .sleep]), now: later)
      return try library.record(Night.self, id: original.id)
    }
    var older = original
    (older.hours, older.timesRead, older.timesShared) = (1, 9, 5)
    older.modifiedAt = noon
    var merged = try #require(try merge(older))
    #expect(merged.hours == 8 && merged.timesRead == 9 && merged.timesShared == 6)
    var newer = original
    (newer.hours, newer.timesRead, newer.timesShared) = (2, 1, 10)
    newer.lastReadAt = noon
    newer.modifiedAt = later.addingTimeInterval(1)
    merged = try #require(try merge(newer))
    #expect(merged.hours == 2 && merged.timesRead == 9 && merged.timesShared == 16)
    #expect(merged.lastReadAt == noon)
  }

  @Test("A recording lists the records that name it, and its deletion leaves them")
  func links() async throws {
    _ = try await run(ScriptedEngine(), ["a.m4a", "b.m4a"])
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    let recordings = try library.recordings(matching: RecordingQuery())
    let older = night(1, recording: recordings[0].id)
    var newer = night(2, recording: recordings[0].id)
    newer.timestamp = noon.addingTimeInterval(1)
    for night in [older, newer] { try library.add(night, now: later) }
    try library.add(
      Craving(
        timestamp: noon, intensity: Intensity(3), recordingID: recordings[0].id, createdAt: noon),
      now: later)
    let links = try library.links(to: recordings[0].id)
    #expect(links.map(\.role) == ["helped with", "played before"])
    #expect(links[1].records.map(\.linkedLine) == ["2.0 hours", "1.0 hours"])
    #expect(try library.links(to: recordings[0].id, limit: 1).map(\.isMore) == [false, true])
    #expect(try library.links(to: recordings[1].id).isEmpty)

    try library.deleteRecording(id: recordings[0].id)
    #expect(try library.records(Night.self).map(\.recordingID) == [nil, nil])
  }

  @Test("Verification reads its rows")
  func checks() async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    try library.add(night(), now: later)
    try library.add(night(), now: later)
    func findings() async throws -> [VerifyFinding] {
      var findings: [VerifyFinding] = []
      for try await event in try library.verify(options: VerifyOptions()) {
        if case .found(let finding) = event { findings.append(finding) }
      }
      return findings
    }
    #expect(try await findings() == [])
    // The schema does not know this rule.
    _ = try await sqlite(
      "UPDATE night SET notes = 'longer than ten' WHERE id = (SELECT min(id) FROM night)")
    var found = try await findings()
    #expect(found.map(\.kind) == [.brokenRule])
    #expect(found[0].detail.hasPrefix("night ") && found[0].detail.contains("at most 10"))
    // And this row cannot be read at all.
    _ = try await sqlite(
      "UPDATE night SET timestamp = 'noon' WHERE id = (SELECT max(id) FROM night)")
    found = try await findings()
    #expect(found.map(\.kind) == [.brokenRule, .brokenRule])
    #expect(found.contains { $0.detail.contains("cannot be read") })
    _ = try await sqlite("PRAGMA foreign_keys = OFF; UPDATE night SET recordingId = '\(UUID())'")
    #expect(try await findings().contains { $0.kind == .brokenLink })
  }
}

@Suite("A library whose journals differ from the program's", .temporaryFolder)
struct ForeignJournalTests {
  @Test("A journal gets its later migrations when the library is opened")
  func migration() async throws {
    let old = try open([.firstSleep])
    try old.enableJournal("sleep")
    let night = OldNight(timestamp: noon, hours: 6, createdAt: noon)
    try old.add(night)
    #expect(try open([.sleep], for: .reading).records(Night.self).map(\.hours) == [6])
    #expect(
      try await sqlite("SELECT identifier FROM grdb_migrations WHERE identifier LIKE 'sleep%'")
        == "sleep.1\nsleep.2")
  }

  @Test(
    "A library with an unknown journal, or an unknown version of one, can only be read",
    arguments: [[], [.firstSleep]] as [[Journal]])
  func unknown(journals: [Journal]) async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    try library.add(night(), now: later)
    let before = try Data(contentsOf: URL(filePath: temporary("library/catalog.sqlite")))

    let error = #expect(throws: HoldfastError.self) { try open(journals) }
    #expect(error?.code == .unknownJournal && error?.description.contains("\"sleep\"") == true)
    let reader = try open(journals, for: .reading)
    #expect(reader.warnings.map(\.code) == [.unknownJournal])
    #expect(try !reader.records(Message.self).isEmpty)
    expect(.unknownJournal) { _ = try exported(reader) }
    expect(.unknownJournal) {
      _ = try reader.exportTables(toFolder: temporary("tables"))
    }
    let document = try ExportDocument(
      json: Data("{\"format\":\"holdfast\",\"schemaVersion\":1}".utf8))
    expect(.unknownJournal) {
      _ = try reader.importData(document, isDryRun: true)
    }
    #expect(!FileManager.default.fileExists(atPath: temporary("tables")))
    #expect(try Data(contentsOf: URL(filePath: temporary("library/catalog.sqlite"))) == before)
    #expect(try open([.sleep]).records(Night.self).count == 1)
  }

  @Test(
    "A changed schema is refused, with or without journals",
    arguments: [
      "CREATE TRIGGER t AFTER UPDATE ON recording BEGIN DELETE FROM craving; END",
      "CREATE TRIGGER t AFTER UPDATE ON night BEGIN DELETE FROM craving; END",
      "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON craving (notes)",
      "DROP INDEX night_recent", "ALTER TABLE night ADD COLUMN more TEXT",
    ])
  func changed(statement: String) async throws {
    try open([.sleep]).enableJournal("sleep")
    _ = try await sqlite(statement)
    let error = #expect(throws: HoldfastError.self) { try open([.sleep], for: .reading) }
    #expect(error?.code.rawValue == "damaged")
    if statement.contains("night") {
      #expect(error?.description.contains("of the journal \"sleep\"") == true)
    }
    // A program that does not know the journal cannot compare its tables, but refuses everything
    // else.
    let isItsOwn = ["DROP", "ALTER"].contains { statement.hasPrefix($0) }
    if !isItsOwn {
      expect(.init(rawValue: "damaged")) { _ = try open([], for: .reading) }
    }
  }

  @Test("A document with a journal's records is refused if the journal is disabled or unknown")
  func document() async throws {
    let library = try open([.sleep])
    try library.enableJournal("sleep")
    try library.add(night(), now: later)
    let path = temporary("export.json")
    try library.exportDocument(toFile: path)

    let error = #expect(throws: HoldfastError.self) { try ExportDocument(contentsOf: path) }
    #expect(error?.code == .unreadableDocument && error?.description.contains("beds") == true)
    let document = try ExportDocument(contentsOf: path, journals: [.cravings, .sleep])
    let other = try open([.sleep], at: "other")
    let refusal = #expect(throws: HoldfastError.self) { try other.importData(document, now: later) }
    #expect(refusal?.code == .journalNotEnabled)
    #expect(refusal?.description.contains("\"sleep\" (1 night)") == true)
    #expect(try exported(other).contains("nights") == false)
  }

  @Test(
    "A journal whose tables are not as it declares them is not enabled",
    arguments: [
      ("CREATE TABLE bed", "CREATE TABLE secret (x); CREATE TABLE bed", "table secret"),
      ("CREATE TABLE bed", "CREATE VIEW v AS SELECT 1; CREATE TABLE bed", "view v"),
      ("ON DELETE SET NULL", "", "night.recordingId"),
      ("night (id) ON DELETE CASCADE", "night (id)", "nightWaking.nightId"),
      ("searchText", "searchWord", "no column searchText"),
      ("night (recordingId, ", "night (", "no index by recordingId"),
      ("NOT NULL, reason", "NOT NULL, cause", "no column reason"),
      ("CREATE TABLE bed", "CREATE TABLE bunk", "table bunk"),
    ])
  func undeclared(old: String, new: String, words: String) async throws {
    let journal = Journal(
      "sleep", kinds: Journal.sleep.kinds,
      migrations: Journal.sleep.migrations.map { $0.replacingOccurrences(of: old, with: new) })
    let library = try open([journal])
    let before = try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations")
    let error = #expect(throws: HoldfastError.self) { try library.enableJournal("sleep") }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(
      try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations") == before)
  }
}

@Suite("The registry", .temporaryFolder)
struct RegistryTests {
  @Test("Every table, index and trigger of a catalog belongs to a kind that is declared")
  func declared() async throws {
    try open([.sleep]).enableJournal("sleep")
    let kinds: [any DeclaredRecord.Type] =
      [RecordingDocument.self, Transcript.self] + Journal.cravings.kinds + Journal.sleep.kinds
    let declared = Set(kinds.flatMap { tables(of: $0) })
    // The library itself, data of this computer alone, and the list of migrations.
    let own: Set = [
      "library", "replica", "seenSource", "wordGeneration", "appVersion", "grdb_migrations",
    ]
    let objects = try await sqlite("SELECT type, name, tbl_name FROM sqlite_schema").split(
      separator: "\n"
    )
    .map { $0.split(separator: "|").map(String.init) }
    for object in objects {
      let (type, name, table) = (object[0], object[1], object[2])
      #expect(declared.contains(table) || own.contains(table), "\(type) \(name)")
      // An index is named after its table, so it is easy to find.
      #expect(
        name == table || name.hasPrefix("\(table)_")
          || name.hasPrefix("sqlite_autoindex_\(table)_"),
        "\(type) \(name)")
      #expect(type != "view", "\(name)")
    }
    #expect(declared.isSubset(of: objects.map { $0[2] }))
  }

  private func tables<Value: DeclaredRecord>(of type: Value.Type) -> [String] {
    let declaration = type.declaration
    return declaration.children.map(\.name) + [declaration.table]
  }
}
