import Foundation
import Holdfast

// A journal as another program would write it, with only the library's public interface.

/// A night's sleep, with the interruptions and the dreams.
struct Night: JournalRecord {
  struct Dream: Codable, Hashable {
    var title: String
    var vividness: Int
    var rememberedAt: Date?
  }

  var id = UUID()
  var timestamp: Date
  var timestampOffset = 60
  var hours: Double
  var isNap = false
  var notes: String?
  var sketch: Data?
  var wakings: [String] = []
  var dreams: [Dream] = []
  var timesRead = 0
  var timesShared = 0
  var lastReadAt: Date?
  var recordingID: UUID?
  var createdAt: Date
  var modifiedAt: Date?

  enum CodingKeys: String, CodingKey {
    case id, timestamp, timestampOffset, hours, isNap, notes, sketch, wakings, dreams, timesRead
    case timesShared, lastReadAt
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  var happenedAt: Date? { timestamp }

  func validate() throws(RuleError) {
    guard (0...24).contains(hours) else {
      throw RuleError("hours \(hours): a night has 0 to 24 hours")
    }
    if let notes, notes.count > 10 {
      throw RuleError("the notes have \(notes.count) characters; at most 10 are allowed")
    }
  }

  static let declaration = RecordDeclaration<Night>(
    RecordKind("nights", singular: "night"), version: 3, table: "night",
    children: [
      ChildTable("nightWaking", owner: "nightId", list: "wakings", of: .value("reason")),
      ChildTable(
        "nightDream", owner: "nightId", list: "dreams",
        of: .object(["title", "vividness", "rememberedAt"])),
    ],
    derived: [
      DerivedColumn("searchText") { .text($0.dreams.map { $0.title.lowercased() }.joined()) }
    ],
    link: RecordingLink(\.recordingID, role: "played before") { "\($0.hours) hours" },
    counters: [.maximum(\.timesRead), .maximum(\.lastReadAt), .sum(\.timesShared)],
    csv: [
      CSVColumn("id", \.id), CSVColumn("timestamp", \.timestamp),
      CSVColumn("hours", \.hours), CSVColumn("isNap", \.isNap),
      CSVColumn("notes") { .text($0.notes) }, CSVColumn("wakings") { .texts($0.wakings) },
    ])
}

/// A bed, identified by its name.
struct Bed: JournalRecord {
  var id: String
  var createdAt: Date
  var modifiedAt: Date?

  func validate() throws(RuleError) {
    if id.isEmpty { throw RuleError("the bed has no name") }
  }

  static let declaration = RecordDeclaration<Bed>(
    RecordKind("beds", singular: "bed"), table: "bed",
    csv: [CSVColumn("id") { .text($0.id) }])
}

extension Journal {
  static let sleep = Journal(
    "sleep", kinds: [Bed.self, Night.self], migrations: [sleepV1, sleepV2])

  static let sleepV1 = """
    CREATE TABLE bed (
      id TEXT NOT NULL PRIMARY KEY, createdAt TEXT NOT NULL, modifiedAt TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE night (
      id TEXT NOT NULL PRIMARY KEY, timestamp TEXT NOT NULL, timestampOffset INTEGER NOT NULL,
      hours REAL NOT NULL CHECK (hours BETWEEN 0 AND 24), isNap INTEGER NOT NULL, notes TEXT,
      sketch BLOB, timesRead INTEGER NOT NULL, timesShared INTEGER NOT NULL, lastReadAt TEXT,
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      createdAt TEXT NOT NULL, modifiedAt TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX night_recording ON night (recordingId, timestamp DESC, id)
      WHERE recordingId IS NOT NULL;
    CREATE TABLE nightWaking (
      nightId TEXT NOT NULL REFERENCES night (id) ON DELETE CASCADE,
      position INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (nightId, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE nightDream (
      nightId TEXT NOT NULL REFERENCES night (id) ON DELETE CASCADE,
      position INTEGER NOT NULL, title TEXT NOT NULL, vividness INTEGER NOT NULL,
      rememberedAt TEXT, PRIMARY KEY (nightId, position)
    ) STRICT, WITHOUT ROWID;
    """

  static let sleepV2 = """
    ALTER TABLE night ADD COLUMN searchText TEXT NOT NULL DEFAULT '';
    CREATE INDEX night_recent ON night (timestamp DESC, id);
    """

  /// The journal before its second migration.
  static let firstSleep = Journal(
    "sleep", kinds: [Bed.self, OldNight.self], migrations: [sleepV1])
}

/// A night as the first version of the journal had it.
struct OldNight: JournalRecord {
  var id = UUID()
  var timestamp: Date
  var timestampOffset = 60
  var hours: Double
  var isNap = false
  var timesRead = 0
  var timesShared = 0
  var createdAt: Date
  var modifiedAt: Date?

  func validate() throws(RuleError) {}

  static let declaration = RecordDeclaration<OldNight>(
    RecordKind("nights", singular: "night"), table: "night",
    children: [
      ChildTable("nightWaking", owner: "nightId"), ChildTable("nightDream", owner: "nightId"),
    ],
    csv: [CSVColumn("id", \.id)])
}
