import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// A record whose tables have rules that its declaration does not know.
private struct Mark: JournalRecord {
  var id: String
  var score = 1
  var labels: [String] = []
  var createdAt = Date(timeIntervalSince1970: 1_761_393_600)
  var modifiedAt: Date?

  func validate() throws(RuleError) {}

  static let declaration = RecordDeclaration<Mark>(
    RecordKind("marks", singular: "mark"), table: "mark",
    children: [ChildTable("markLabel", owner: "markId", list: "labels", of: .value("label"))],
    csv: [CSVColumn("id") { .text($0.id) }])
}

extension Journal {
  fileprivate static let marks = Journal(
    "marks", kinds: [Mark.self],
    migrations: [
      """
      CREATE TABLE mark (
        id TEXT NOT NULL PRIMARY KEY, score INTEGER NOT NULL CHECK (score < 10),
        createdAt TEXT NOT NULL, modifiedAt TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE markLabel (
        markId TEXT NOT NULL REFERENCES mark (id) ON DELETE CASCADE,
        position INTEGER NOT NULL, label TEXT NOT NULL CHECK (label <> 'bad'),
        PRIMARY KEY (markId, position)
      ) STRICT, WITHOUT ROWID;
      """
    ])
}

/// Records are written in batches. If the catalog refused one, a whole batch would have been lost.
@Suite("Importing many records", .temporaryFolder)
struct ImportBatchTests {
  private func open(_ name: String) throws -> Library {
    let location = LibraryLocation(path: temporary(name))
    try Library.create(at: location)
    let library = try Library.open(at: location, for: .writing, journals: [.cravings, .marks])
    try library.enableJournal("marks")
    return library
  }

  private struct Document: Encodable {
    var format = "holdfast"
    var schemaVersion = 2
    var versions = ["marks": 1]
    var marks: [Mark]
  }

  @Test("Records that only the catalog refuses do not stop the others of their batch")
  func refused() throws {
    var marks = (0..<6000).map { Mark(id: "m\(10_000 + $0)", labels: ["a", "b"]) }
    marks[10].score = 11
    // Its row is written before its second label is refused.
    marks[4000].labels = ["good", "bad"]
    marks[5500].score = 12
    let library = try open("library")
    try library.add(Mark(id: marks[20].id, score: 2, labels: ["old"]))
    marks[20].modifiedAt = Date(timeIntervalSince1970: 1_761_393_601)
    let document = try ExportDocument(
      json: JSONFormat.encoder.encode(Document(marks: marks)), journals: [.cravings, .marks])
    let report = try library.importData(document)
    let counts = report.counts[Mark.declaration.kind]
    #expect([counts?.added, counts?.updated, counts?.refused] == [5996, 1, 3])
    #expect(report.items.count == 3)
    let bad = Set([10, 4000, 5500].map { marks[$0].id })
    #expect(try library.records(Mark.self) == marks.filter { !bad.contains($0.id) })
    // The same again changes nothing.
    let again = try library.importData(document).counts[Mark.declaration.kind]
    #expect([again?.added, again?.updated, again?.refused] == [0, 0, 3])
  }
}
