import Foundation
import Holdfast
import HoldfastCravings

/// How long the user slept in a night.
struct Night: JournalRecord {
  var id = UUID()
  /// When the user got up, and in which time zone.
  var timestamp: Date
  var timestampOffset: Int
  var hours: Double
  var notes: String?
  /// A recording about it.
  var recordingID: RecordingID?
  var createdAt: Date
  var modifiedAt: Date?

  /// The names in JSON, which are those of the columns.
  enum CodingKeys: String, CodingKey {
    case id, timestamp, timestampOffset, hours, notes
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// A night in the future is refused.
  var happenedAt: Date? { timestamp }

  /// The rules: here for people, and in the table below for every other program.
  func validate() throws(RuleError) {
    try Entry.validate(offset: timestampOffset)
    guard (0...24).contains(hours) else {
      throw RuleError("\(hours) hours: a night has 0 to 24")
    }
    try notes?.validate("the notes have", limit: 500)
  }

  /// Everything that the library must know about nights.
  static let declaration = RecordDeclaration<Night>(
    RecordKind("nights", singular: "night"), table: "night",
    link: RecordingLink(\.recordingID, role: "about the night") { $0.line },
    csv: [
      CSVColumn("id", \.id), CSVColumn("timestamp", \.timestamp),
      CSVColumn("timestampOffset", \.timestampOffset), CSVColumn("hours", \.hours),
      CSVColumn("notes", \.notes), CSVColumn("recordingId", \.recordingID),
      CSVColumn("createdAt", \.createdAt), CSVColumn("modifiedAt", \.modifiedAt),
    ])

  var line: String {
    "\(timestamp.localText(offset: timestampOffset))  \(hours) hours  \(notes ?? "")"
  }
}

extension Journal {
  static let sleep = Journal(
    "sleep", kinds: [Night.self],
    migrations: [
      """
      CREATE TABLE night (
        id TEXT NOT NULL PRIMARY KEY,
        timestamp TEXT NOT NULL,
        timestampOffset INTEGER NOT NULL CHECK (timestampOffset BETWEEN -1439 AND 1439),
        hours REAL NOT NULL CONSTRAINT "hours go from 0 to 24" CHECK (hours BETWEEN 0 AND 24),
        notes TEXT CONSTRAINT "notes have at most 500 characters" CHECK (length(notes) <= 500),
        recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
        createdAt TEXT NOT NULL,
        modifiedAt TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX night_recent ON night (timestamp DESC, id);
      CREATE INDEX night_recording ON night (recordingId, timestamp DESC, id)
        WHERE recordingId IS NOT NULL;
      """
    ])
}

/// A program that keeps a sleep diary in a library.
@main
struct SleepDiary {
  static let usage = """
    sleepdiary log HOURS [NOTES]  logs the night that has just ended
    sleepdiary list               lists the last seven nights, and their average
    sleepdiary export FILE        writes everything in the library, as JSON

    The library is in $SLEEPDIARY_LIBRARY.
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("sleepdiary: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ words: [String]) throws {
    guard let path = ProcessInfo.processInfo.environment["SLEEPDIARY_LIBRARY"] else {
      return print(usage)
    }
    let location = LibraryLocation(path: path)
    try Library.create(at: location)  // leaves a library that exists as it is
    let library = try Library.open(at: location, for: .writing, journals: [.cravings, .sleep])
    try library.enableJournal("sleep")  // does nothing if it is enabled
    switch (words.first, words.count) {
    case ("log", 2...3):
      let now = Date()
      let night = Night(
        timestamp: now, timestampOffset: now.localOffset, hours: Double(words[1]) ?? .nan,
        notes: words.dropFirst(2).first, createdAt: now)
      try library.add(night)
      print("logged \(night.line)")
    case ("list", 1):
      for night in try library.records(Night.self, clause: "ORDER BY timestamp DESC, id LIMIT 7") {
        print(night.line)
      }
      let average = try library.read { db in
        try db.rows(
          "SELECT avg(hours) AS hours FROM (SELECT hours FROM night "
            + "ORDER BY timestamp DESC, id LIMIT 7)"
        )
      }
      if let hours = average.first?["hours"].number { print("on average \(hours) hours") }
    case ("export", 2):
      let counts = try library.exportDocument(toFile: words[1]).counts
      print(counts.map { kind, count in kind.text(count) }.joined(separator: ", "))
    default: print(usage)
    }
  }
}
