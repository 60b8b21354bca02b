import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// A dream that may be private. Its JSON keys differ from its columns.
private struct Dream: JournalRecord {
  var id = UUID()
  var timestamp: Date
  var description: String
  var isPrivate = false
  var tags: [String] = []
  var recordingID: UUID?
  var createdAt: Date
  var modifiedAt: Date?

  enum CodingKeys: String, CodingKey {
    case id, timestamp, description, isPrivate, tags
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  func validate() throws(RuleError) {}

  var importRemark: String? { description.isEmpty ? "it is a dream without words" : nil }

  static let declaration = RecordDeclaration<Dream>(
    RecordKind("dreams", singular: "dream"), table: "dream", columns: ["description": "details"],
    children: [
      ChildTable(
        "dreamTag", owner: "dreamId", list: "tags", of: .value("tag"), folded: "foldedTag")
    ],
    link: RecordingLink(\.recordingID, role: "told in") { $0.description },
    privacy: RecordPrivacy(\.isPrivate),
    csv: [CSVColumn("description") { .text($0.description) }], pageLimit: 2)
}

extension Journal {
  fileprivate static let dreams = Journal("dreams", kinds: [Dream.self], migrations: [dreamsV1])

  fileprivate static let dreamsV1 = """
    CREATE TABLE dream (
      id TEXT NOT NULL PRIMARY KEY, timestamp TEXT NOT NULL, details TEXT NOT NULL,
      isPrivate INTEGER NOT NULL,
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      createdAt TEXT NOT NULL, modifiedAt TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dream_recording ON dream (recordingId, timestamp DESC, id);
    CREATE TABLE dreamTag (
      dreamId TEXT NOT NULL REFERENCES dream (id) ON DELETE CASCADE, position INTEGER NOT NULL,
      tag TEXT NOT NULL, foldedTag TEXT NOT NULL, PRIMARY KEY (dreamId, foldedTag)
    ) STRICT, WITHOUT ROWID;
    """
}

@Suite("Private records, and columns with names of their own", .temporaryFolder)
struct PrivateRecordTests {
  private static let noon = Date(timeIntervalSince1970: 1_761_393_600)

  private func open(_ journal: Journal = .dreams, at name: String = "library") throws -> Library {
    let location = LibraryLocation(path: temporary(name))
    try Library.create(at: location)
    let library = try Library.open(
      at: location, for: .writing, engine: ScriptedEngine(), journals: [.cravings, journal])
    try library.enableJournal("dreams")
    return library
  }

  private func dream(_ text: String, isPrivate: Bool = false, recording: UUID? = nil) -> Dream {
    Dream(
      timestamp: Self.noon, description: text, isPrivate: isPrivate, recordingID: recording,
      createdAt: Self.noon)
  }

  @Test("Private records are in a document, and in tables only if requested")
  func exports() throws {
    let library = try open()
    // Pages of two: one has only private records.
    for number in 1...6 {
      var dream = dream("dream \(number)", isPrivate: number < 4)
      dream.id = try #require(UUID(uuidString: "0000000\(number)-0000-0000-0000-000000000000"))
      try library.add(dream)
    }
    func table(_ name: String, includingPrivate: Bool) throws -> [Substring] {
      let report = try library.exportTables(
        toFolder: temporary(name), includingPrivate: includingPrivate)
      let rows = try String(contentsOfFile: temporary("\(name)/dreams.csv"), encoding: .utf8)
        .split(separator: "\r\n").dropFirst()
      #expect(report.counts.last?.count == rows.count)
      return Array(rows)
    }
    #expect(try table("shown", includingPrivate: false) == ["dream 4", "dream 5", "dream 6"])
    #expect(try table("all", includingPrivate: true).count == 6)
    var document = Data()
    try library.exportDocument { document += $0 }
    let other = try open(at: "other")
    _ = try other.importData(ExportDocument(json: document, journals: [.cravings, .dreams]))
    #expect(try other.records(Dream.self) == library.records(Dream.self))
  }

  @Test("An import reports a difference in a record once, and imports the record")
  func remarks() throws {
    let library = try open()
    for text in ["", "sea"] { try library.add(dream(text)) }
    var document = Data()
    try library.exportDocument { document += $0 }
    let other = try open(at: "other")
    let read = try ExportDocument(json: document, journals: [.cravings, .dreams])
    for isDryRun in [true, false] {
      let report = try other.importData(read, isDryRun: isDryRun)
      #expect(report.remarks.map(\.text) == ["it is a dream without words"])
      #expect(report.items.isEmpty && report.changes.count == 2)
    }
    #expect(try other.importData(read).remarks.isEmpty)
  }

  @Test("A recording lists private records only if requested, whatever the limit")
  func links() async throws {
    _ = try await run(ScriptedEngine(), ["a.m4a"])
    let library = try open()
    let recording = try #require(try library.recordings(matching: RecordingQuery()).first).id
    for text in ["first", "second"] {
      try library.add(dream(text, isPrivate: true, recording: recording))
    }
    #expect(try library.links(to: recording).isEmpty)
    try library.add(dream("third", recording: recording))
    let shown = try #require(try library.links(to: recording, limit: 1).first)
    #expect(shown.records.map(\.linkedLine) == ["third"] && !shown.isMore)
    let all = try library.links(to: recording, includingPrivate: true)
    #expect(all[0].records.count == 3)
  }

  @Test("A value's column may have another name, and a list its texts in folded case")
  func columns() async throws {
    let library = try open()
    var dream = dream("the sea")
    dream.tags = ["STRASSE", "Pêche"]
    try library.add(dream)
    #expect(try library.record(Dream.self, id: dream.id) == dream)
    let rows = try await Command.output(
      of: "sqlite3",
      [
        "-batch", temporary("library/catalog.sqlite"),
        "SELECT details FROM dream; SELECT tag, foldedTag FROM dreamTag ORDER BY position",
      ]
    ).output
    #expect(rows == "the sea\nSTRASSE|strasse\nPêche|pêche\n")
    #expect("Straße".foldedCase == "strasse" && "Pe\u{302}che".foldedCase == "pêche")
    try library.edit(Dream.self, id: dream.id) { $0.tags = ["sea"] }
    #expect(try library.record(Dream.self, id: dream.id)?.tags == ["sea"])
  }

  @Test(
    "A column that the declaration names must be there",
    arguments: [("details", "no column details"), ("foldedTag", "no column foldedTag")])
  func missing(column: String, words: String) throws {
    let journal = Journal(
      "dreams", kinds: [Dream.self],
      migrations: Journal.dreams.migrations.map {
        $0.replacingOccurrences(of: column, with: "another")
      })
    let error = #expect(throws: HoldfastError.self) { try open(journal) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
