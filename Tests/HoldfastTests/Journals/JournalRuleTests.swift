import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// A record with a value of each kind, and a parent.
struct Thing: JournalRecord {
  struct Part: Codable, Hashable {
    var label: String?
    var weight: Double?
  }

  var id: String
  var number = 1.0
  var note: String?
  var values: [Double] = []
  var parts: [Part] = []
  var parentID: String?
  var createdAt = Date(timeIntervalSince1970: 1_761_393_600)
  var modifiedAt: Date?

  enum CodingKeys: String, CodingKey {
    case id, number, note, values, parts
    case parentID = "parentId"
    case createdAt, modifiedAt
  }

  func validate() throws(RuleError) {
    if number == 13 { throw RuleError("13 is unlucky") }
  }

  static let declaration = RecordDeclaration<Thing>(
    RecordKind("things", singular: "thing"), table: "thing",
    children: [
      ChildTable("thingValue", owner: "thingId", list: "values", of: .value("value")),
      ChildTable("thingPart", owner: "thingId", list: "parts", of: .object(["label", "weight"])),
    ],
    references: [RecordReference(\.parentID, column: "parentId", to: Thing.self)],
    csv: [CSVColumn("id") { .text($0.id) }])
}

/// A record that belongs to a thing.
struct Use: JournalRecord {
  var id = UUID()
  var thingID: String
  var createdAt = Date(timeIntervalSince1970: 1_761_393_600)
  var modifiedAt: Date?

  enum CodingKeys: String, CodingKey {
    case id
    case thingID = "thingId"
    case createdAt, modifiedAt
  }

  func validate() throws(RuleError) {}

  static let declaration = RecordDeclaration<Use>(
    RecordKind("uses", singular: "use"), table: "thingUse",
    references: [RecordReference(needed: \.thingID, column: "thingId", to: Thing.self)],
    csv: [CSVColumn("id", \.id)])
}

extension Journal {
  static let things = Journal("things", kinds: [Thing.self, Use.self], migrations: [thingsV1])

  static let thingsV1 = """
    CREATE TABLE thing (
      id TEXT NOT NULL PRIMARY KEY, number REAL NOT NULL, note TEXT UNIQUE,
      parentId TEXT REFERENCES thing (id) ON DELETE SET NULL,
      createdAt TEXT NOT NULL, modifiedAt TEXT
    ) STRICT;
    CREATE TABLE thingValue (
      thingId TEXT NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
      position INTEGER NOT NULL, value REAL, PRIMARY KEY (thingId, position)
    ) STRICT;
    CREATE TABLE thingPart (
      thingId TEXT NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
      position INTEGER NOT NULL, label TEXT, weight REAL, PRIMARY KEY (thingId, position)
    ) STRICT;
    CREATE TABLE thingUse (
      id TEXT NOT NULL PRIMARY KEY, thingId TEXT NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
      createdAt TEXT NOT NULL, modifiedAt TEXT
    ) STRICT;
    CREATE INDEX thingUse_thing ON thingUse (thingId);
    """

  /// The journal with a later migration.
  func adding(_ migration: String) -> Journal {
    Journal(name, kinds: kinds, migrations: migrations + [migration])
  }
}

private func open(
  _ journals: [Journal], for access: Library.Access = .writing, at name: String = "library"
) throws -> Library {
  let location = LibraryLocation(path: temporary(name))
  try Library.create(at: location)
  let library = try Library.open(at: location, for: access, journals: [.cravings] + journals)
  if access == .writing { for journal in journals { try library.enableJournal(journal.name) } }
  return library
}

private func sqlite(_ statements: String) async throws -> String {
  try await Command.output(
    of: "sqlite3", ["-batch", temporary("library/catalog.sqlite"), statements]
  ).output.trimmingCharacters(in: .newlines)
}

private func document(_ library: Library) throws -> Data {
  var document = Data()
  try library.exportDocument { document += $0 }
  return document
}

@Suite("The rules for journals and their records", .temporaryFolder)
struct JournalRuleTests {
  @Test("A migration that makes a table again keeps the lists of its records")
  func rebuilt() throws {
    let thing = Thing(id: "a", values: [1, 2], parts: [.init(label: "x", weight: 1)])
    try open([.things]).add(thing)
    let later = Journal.things.adding(
      """
      CREATE TABLE thing2 (
        id TEXT NOT NULL PRIMARY KEY, number REAL NOT NULL CHECK (number < 100), note TEXT UNIQUE,
        parentId TEXT REFERENCES thing2 (id) ON DELETE SET NULL,
        createdAt TEXT NOT NULL, modifiedAt TEXT
      ) STRICT;
      INSERT INTO thing2 SELECT * FROM thing;
      DROP TABLE thing;
      ALTER TABLE thing2 RENAME TO thing;
      """)
    #expect(try open([later]).records(Thing.self) == [thing])
    #expect(try open([later], for: .reading).records(Thing.self) == [thing])
  }

  @Test(
    "A migration may change rows, also those that refer to the core",
    arguments: [
      "DELETE FROM night WHERE hours > 23", "UPDATE night SET recordingId = NULL",
      "UPDATE night SET notes = (SELECT title FROM recording LIMIT 1)",
    ])
  func rows(statement: String) throws {
    try open([.sleep]).add(
      Night(timestamp: .init(), hours: 3, createdAt: .init()), now: .init() + 9)
    let later = Journal.sleep.adding(statement)
    #expect(try open([later]).records(Night.self).count == 1)
    #expect(try open([later], for: .reading).records(Night.self).count == 1)
  }

  @Test("A migration that fails changes nothing, and names its journal")
  func stuck() async throws {
    let library = try open([.things])
    for id in ["a", "b"] { try library.add(Thing(id: id, number: 7)) }
    for migration in [
      "CREATE UNIQUE INDEX thing_number ON thing (number)", "CREATE TABLE other (x); NONSENSE",
      "PRAGMA foreign_keys = OFF; INSERT INTO thingUse (id, thingId, createdAt) "
        + "VALUES ('x', 'y', 'z')",
    ] {
      let before = try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations")
      let error = #expect(throws: HoldfastError.self) { try open([.things.adding(migration)]) }
      #expect(
        error?.description.contains("the journal \"things\" cannot be brought up to date") == true,
        "\(error?.description ?? "")")
      let after = try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations")
      #expect(after == before)
    }
    #expect(try open([], for: .reading).warnings.map(\.code) == [.unknownJournal])
    #expect(try open([.things]).records(Thing.self).count == 2)
  }

  @Test("Numbers in lists keep every digit")
  func digits() throws {
    let library = try open([.things])
    let numbers = [0.1 + 0.2, 1.0 / 3, 1e15 + 0.3, .pi, 1e-300, 1e300, -2, 0]
    let thing = Thing(
      id: "a", number: 1.0 / 3, values: numbers,
      parts: numbers.map { Thing.Part(label: "\($0)", weight: $0) } + [Thing.Part()])
    try library.add(thing)
    #expect(try library.record(Thing.self, id: "a") == thing)
    let other = try open([.things], at: "other")
    _ = try other.importData(
      ExportDocument(json: document(library), journals: [.cravings, .things]))
    #expect(try other.record(Thing.self, id: "a") == thing)
  }

  @Test(
    "A value that SQLite would store as something else is refused", arguments: [0, 1, 2, 3, 4, 5])
  func values(index: Int) throws {
    let library = try open([.things])
    var thing = Thing(id: "a")
    switch index {
    case 0: thing.number = .nan
    case 1: thing.values = [.infinity]
    case 2: thing.note = "a\0b"
    case 3: thing.parts = [.init(label: "a\0b")]
    case 4: thing.id = ""
    default: thing.id = "e\u{301}"
    }
    let error = #expect(throws: HoldfastError.self) { try library.add(thing) }
    #expect(error?.code.rawValue == "refused" || error?.code == .invalidValue)
    #expect(try library.records(Thing.self).isEmpty)
  }

  @Test("An edit cannot change a record's ID or time of creation")
  func identity() throws {
    let library = try open([.things])
    for id in ["a", "b"] { try library.add(Thing(id: id, note: id)) }
    #expect(throws: HoldfastError.self) { try library.edit(Thing.self, id: "a") { $0.id = "b" } }
    #expect(throws: HoldfastError.self) {
      try library.edit(Thing.self, id: "a") { $0.createdAt = .distantPast }
    }
    #expect(try library.records(Thing.self).map(\.note) == ["a", "b"])
  }

  @Test("One record that cannot be imported does not stop the others; a dry run says which")
  func imports() throws {
    let library = try open([.things])
    // By ID, a child comes before its parent.
    try library.add(Thing(id: "z", number: 2))
    try library.add(Thing(id: "a", note: "same", parentID: "z"))
    try library.add(Use(thingID: "a"))
    try library.add(Use(thingID: "z"))
    let whole = try ExportDocument(json: document(library), journals: [.cravings, .things])
    let other = try open([.things], at: "other")
    #expect(try other.importData(whole).items.isEmpty)
    #expect(try document(other) == document(library))

    var text = String(decoding: try document(library), as: UTF8.self)
    text = text.replacing("\"id\":\"z\",\"number\":2", with: "\"id\":\"z\",\"number\":13")
    let third = try open([.things], at: "third")
    let damaged = try ExportDocument(json: Data(text.utf8), journals: [.cravings, .things])
    let dry = try third.importData(damaged, isDryRun: true)
    let report = try third.importData(damaged)
    #expect(report == dry)
    #expect(report.counts[Thing.declaration.kind]?.refused == 1)
    #expect(report.counts[Use.declaration.kind]?.refused == 1)
    #expect(try third.records(Thing.self).map(\.parentID) == [nil])
    #expect(try third.records(Use.self).map(\.thingID) == ["a"])

    // A rule that only the table has.
    let fourth = try open([.things], at: "fourth")
    try fourth.add(Thing(id: "other", note: "same"))
    let clash = try fourth.importData(whole)
    #expect(clash.counts[Thing.declaration.kind]?.refused == 1)
    #expect(try fourth.records(Thing.self).map(\.id) == ["other", "z"])
    #expect(try fourth.records(Use.self).map(\.thingID) == ["z"])
  }

  @Test("A document for journals is refused by a library that was opened without them")
  func openedWithout() throws {
    let library = try open([.things])
    try library.add(Thing(id: "a"))
    let read = try ExportDocument(json: document(library), journals: [.cravings, .things])
    let other = try open([], at: "other")
    let error = #expect(throws: HoldfastError.self) { try other.importData(read) }
    #expect(error?.code == .journalNotEnabled)
  }

  @Test("A row whose ID is written otherwise is a finding, and ends an export with an error")
  func otherID() async throws {
    let library = try open([.sleep])
    try library.add(
      Night(timestamp: .init(), hours: 3, notes: "secret", createdAt: .init()), now: .init() + 9)
    _ = try await sqlite("UPDATE night SET id = lower(id)")
    let error = #expect(throws: HoldfastError.self) { try document(library) }
    #expect(error?.code.rawValue == "unreadableRow")
    var findings: [VerifyFinding] = []
    for try await event in try library.verify() {
      if case .found(let finding) = event { findings.append(finding) }
    }
    #expect(findings.map(\.kind) == [.brokenRule])
    _ = try await sqlite("UPDATE night SET id = upper(id), timestamp = 'noon'")
    let unreadable = #expect(throws: HoldfastError.self) { try document(library) }
    #expect(unreadable?.description.contains("secret") == false)
  }

  @Test("A value that an edit removes from a list does not stay in the file")
  func traces() throws {
    let library = try open([.things])
    try library.add(Thing(id: "a", parts: [.init(label: "what was here before")]))
    try library.edit(Thing.self, id: "a") { $0.parts = [] }
    #expect(try library.compactionDue() == nil)
    let file = try Data(contentsOf: URL(filePath: temporary("library/catalog.sqlite")))
    #expect(file.range(of: Data("what was here before".utf8)) == nil)
  }

  @Test(
    "A journal with a name that is in use is not enabled",
    arguments: [
      Journal("Sleep", kinds: Journal.sleep.kinds, migrations: Journal.sleep.migrations),
      Journal("a.b", kinds: Journal.sleep.kinds, migrations: Journal.sleep.migrations),
      Journal("", kinds: Journal.sleep.kinds, migrations: Journal.sleep.migrations),
      Journal("things", kinds: Journal.sleep.kinds, migrations: Journal.sleep.migrations),
      Journal("again", kinds: Journal.things.kinds, migrations: Journal.things.migrations),
    ])
  func names(journal: Journal) async throws {
    let library = try open([.things])
    let other = try Library.open(
      at: LibraryLocation(path: library.path), for: .writing,
      journals: [.cravings, .things, journal])
    let before = try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations")
    if journal.name != "things" {
      #expect(throws: HoldfastError.self) { try other.enableJournal(journal.name) }
    }
    let after = try await sqlite("SELECT * FROM sqlite_schema; SELECT * FROM grdb_migrations")
    #expect(after == before)
    #expect(try open([.things]).records(Thing.self).isEmpty)
  }

  @Test("Any limit of links is accepted")
  func limits() throws {
    let library = try open([.sleep])
    for limit in [.min, -1, 0, 1, .max] {
      #expect(try library.links(to: UUID(), limit: limit).isEmpty)
    }
  }
}
