import Foundation
@testable import HoldfastCatalog
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Catalogs of older versions")
struct MigrationTests {
  /// A catalog of version 1 with three recordings: with a title, with an empty title, and without
  /// one.
  private func firstVersion(at path: String, uuid: UUID) throws {
    let rows = [("'Day one'", 1), ("''", 2), ("NULL", 3)].map { title, digit in
      """
      INSERT INTO recording SELECT '\(id(digit))', '2024-05-17 12:00:00.00\(digit)', 120,
        'quickTime', 'video', 'milestone', 12.5, 'Recordings/video_\(id(digit)).mov',
        'Recordings/Thumbnails/video_\(id(digit))_thumb.jpg', \(title), 'notes', 3,
        '2024-05-18 12:00:00.000', '2024-05-17 12:00:00.000', '2024-05-17 12:00:00.000', 'a.mov',
        '\(String(repeating: "a", count: 64))', 1, 1, 1000, '\(String(repeating: "b", count: 64))',
        '\(String(repeating: "c", count: 64))', 320, 180, 'day one', NULL;
      """
    }
    try sqlite3(
      path,
      """
      PRAGMA application_id = \(0x486C_6466);
      \(Schema.v1)
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('v1');
      INSERT INTO library (onlyRow, uuid, formatVersion) VALUES (1, '\(uuid.uuidString)', 1);
      \(rows.joined(separator: "\n"))
      """)
  }

  private func id(_ digit: Int) -> String {
    (try? uuid(digit).uuidString) ?? ""
  }

  @Test("The migrations make the schema with the known fingerprint")
  func fingerprint() throws {
    let catalog = try Catalog.inMemory()
    let objects = try catalog.read(Schema.objects)
    #expect(Schema.fingerprint(of: objects) == Schema.newestFingerprint)
  }

  @Test("Version 1 is migrated to this version with its rows")
  func firstToLatest() throws {
    let folder = try CatalogFolder()
    let path = folder.file("catalog.sqlite")
    let uuid = UUID()
    try firstVersion(at: path, uuid: uuid)
    let columns = try sqlite3(
      path, "SELECT group_concat(name) FROM pragma_table_info('recording');")
    let before = try sqlite3(path, ".mode line\nSELECT * FROM recording ORDER BY id;")
    let reading = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: .reading) }
    #expect(reading?.code == .needsMigration)

    let catalog = try Catalog(path: path, access: .writing, journals: [.cravings])
    try catalog.migrateIfNeeded()
    #expect(try catalog.libraryUUID() == uuid)
    #expect(try catalog.erasure.current() == nil)
    let after = try sqlite3(path, ".mode line\nSELECT \(columns) FROM recording ORDER BY id;")
    // An unedited recording has no edit time.
    #expect(after == before.replacing(#/modifiedAt = [0-9]{4}.*/#, with: "modifiedAt = "))
    #expect(try sqlite3(path, "SELECT count(*) FROM recording WHERE title IS NULL;") == "2")
    let recordings = try catalog.recordings.matching(RecordingQuery(sort: .title))
    #expect(recordings.map(\.title) == ["Day one", nil, nil])
    #expect(recordings.map(\.id.uuidString) == [id(1), id(3), id(2)])
    #expect(recordings.allSatisfy { $0.playCount == 3 && $0.purpose == .milestone })
    #expect(try catalog.records(Message.self).count == 11)
    #expect(try catalog.integrity.findings() == [])
    // The schema is that of a new catalog.
    let new = try Catalog.withCravings()
    let fresh = try folder.emptyDatabase("fresh.sqlite")
    _ = try Catalog.create(at: fresh)
    let schema = "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name <> 'grdb_migrations' "
    #expect(
      try sqlite3(path, schema + "ORDER BY name;") == sqlite3(fresh, schema + "ORDER BY name;"))
    #expect(try new.records(Message.self) == catalog.records(Message.self))
    // The next opening migrates nothing.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try Catalog(path: path, access: .writing).migrateIfNeeded()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  /// A catalog of version 6, with a recording longer than 120 s, and with cravings and usage in
  /// winter and in summer. One craving and one usage were edited.
  private func sixthVersion(at path: String, uuid: UUID) throws {
    try firstVersion(at: path, uuid: uuid)
    let entries = [("craving", "intensity", "7"), ("usage", "method, amount", "'Vape', 2")]
      .flatMap { table, columns, values in
        [(1, "01", "01"), (2, "07", "08")].map { digit, month, edited in
          """
          INSERT INTO \(table) (id, timestamp, \(columns), notes, createdAt, modifiedAt) VALUES
            ('\(id(digit))', '2024-\(month)-17 03:30:00.000', \(values), 'quiet',
            '2024-\(month)-17 03:31:00.000', '2024-\(edited)-17 03:31:00.000');
          """
        }
      }
    try sqlite3(
      path,
      """
      PRAGMA foreign_keys = OFF;
      \([Schema.v2, Schema.v3, Schema.v4, Schema.v5, Schema.v6].joined(separator: "\n"))
      INSERT INTO grdb_migrations VALUES ('v2'), ('v3'), ('v4'), ('v5'), ('v6');
      UPDATE recording SET duration = 120.07 WHERE id = '\(id(1))';
      UPDATE recording SET modifiedAt = '2024-06-01 00:00:00.000' WHERE id = '\(id(2))';
      \(entries.joined(separator: "\n"))
      INSERT INTO cravingTrigger VALUES ('Sad', '\(id(1))');
      """)
  }

  /// A library with a catalog of version 6.
  private func sixthLibrary(_ library: String) async throws -> String {
    _ = try await Command.output(of: Command.holdfast, ["init", library])
    let path = "\(library)/catalog.sqlite"
    let uuid = try #require(UUID(uuidString: try sqlite3(path, "SELECT uuid FROM library;")))
    try FileManager.default.removeItem(atPath: path)
    try sixthVersion(at: path, uuid: uuid)
    // Without any of their files, the recordings would count as on a missing disk.
    try Data("a file".utf8).write(to: URL(filePath: "\(library)/Recordings/video_\(id(1)).mov"))
    return path
  }

  /// The rows of ``sixthVersion(at:uuid:)`` in version 7, on a machine in New York.
  private func expectSeventh(_ path: String) throws {
    for table in ["craving", "usage"] {
      let rows = try sqlite3(
        path, "SELECT timestamp, timestampOffset, modifiedAt FROM \(table) ORDER BY id;")
      #expect(
        rows == """
          2024-01-17 03:30:00.000|-300|
          2024-07-17 03:30:00.000|-240|2024-08-17 03:31:00.000
          """)
      let missing = try SQLite3Command(
        path, "INSERT INTO \(table) (id, timestamp) VALUES ('\(id(9))', '2024-01-17 03:30:00.000');"
      )
      #expect(missing.output.contains("NOT NULL constraint failed"), "\(missing.output)")
    }
    #expect(
      try sqlite3(path, "SELECT duration, modifiedAt FROM recording ORDER BY id;")
        == "120.0|\n12.5|2024-06-01 00:00:00.000\n12.5|")
    #expect(try sqlite3(path, "SELECT count(*) FROM message WHERE modifiedAt IS NULL;") == "11")
    #expect(try sqlite3(path, "SELECT trigger FROM cravingTrigger;") == "Sad")
    #expect(try sqlite3(path, "PRAGMA integrity_check; PRAGMA foreign_key_check;") == "ok")
  }

  @Test("Entries get the time zone of the machine that migrates them, which is reported once")
  func timeZones() async throws {
    try await withTemporaryFolder { folder in
      let path = try await sixthLibrary("\(folder)/library")
      let list = ["craving", "list", "--library", "\(folder)/library"]
      let first = try await Command.run(
        Command.holdfast, list, environment: ["TZ": "America/New_York"])
      #expect(
        first.errorOutput == """
          note: the cravings and usage that were logged before now have this machine's time zone \
          (America/New_York), because an older version did not store one
          2 cravings.

          """)
      try expectSeventh(path)
      // The reader's clock changes nothing, but the zone is shown.
      let later = try await Command.run(Command.holdfast, list, environment: ["TZ": "Asia/Tokyo"])
      #expect(later.errorOutput == "2 cravings.\n")
      #expect(later.output.contains("2024-07-16 23:30 -04:00"), "\(later.output)")
      #expect(later.output.contains("2024-01-16 22:30 -05:00"), "\(later.output)")
      let figures = try await ["America/New_York", "Asia/Tokyo", "UTC"].asyncMap { zone in
        let command = ["stats", "--days", "all", "--json", "--library", "\(folder)/library"]
        let result = try await Command.output(
          of: Command.holdfast, command, environment: ["TZ": zone])
        let json = try #require(
          try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let cravings = try #require(json["cravings"] as? [String: Any])
        return try JSONSerialization.data(withJSONObject: cravings, options: .sortedKeys)
      }
      #expect(Set(figures).count == 1)
      let text = String(decoding: figures[0], as: UTF8.self)
      #expect(text.contains(#""value":22"#) && text.contains(#""value":23"#), "\(text)")
      #expect(text.contains("2024-01-16") && text.contains("Tuesday"), "\(text)")
    }
  }

  @Test(
    "Entries get the zone that new entries get, whatever TZ says",
    arguments: Extent.sample(
      [":Europe/Berlin", "CET-1CEST", "UTC-2", "XXX+24:59", "Foo/Bar", "/etc/localtime", ""],
      every: 3))
  func zoneNames(zone: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try await sixthLibrary("\(folder)/library")
      let log = [
        "craving", "log", "--intensity", "3", "--at", "2024-01-17T03:30", "--library",
        "\(folder)/library",
      ]
      let result = try await Command.run(Command.holdfast, log, environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
      // The new entry and the old one are on the same winter day.
      let offsets = try sqlite3(
        path, "SELECT DISTINCT timestampOffset FROM craving WHERE timestamp LIKE '2024-01-1%';")
      #expect(offsets.split(separator: "\n").count == 1, "\(zone): \(offsets)")
    }
  }

  @Test(
    "A row that breaks an older rule does not stop the migration, and verification reports it",
    arguments: [
      ("PRAGMA foreign_keys = OFF; UPDATE craving SET recordingId = '\(UUID())'", "brokenLink"),
      (
        "PRAGMA ignore_check_constraints = ON; UPDATE usage SET amount = 99 WHERE id LIKE '1%'",
        "catalogDamaged"
      ),
      (
        "PRAGMA ignore_check_constraints = ON; UPDATE craving SET notes = hex(zeroblob(4500))",
        "catalogDamaged"
      ),
    ])
  func badRow(statement: String, kind: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try await sixthLibrary("\(folder)/library")
      try sqlite3(path, statement + ";")
      for command in [["craving", "log", "--intensity", "3"], ["export", "--format", "json"]] {
        let result = try await Command.run(
          Command.holdfast, command + ["--library", "\(folder)/library"])
        #expect(result.status == 0, "\(result.errorOutput)")
      }
      #expect(try sqlite3(path, "SELECT count(*) FROM craving;") == "3")
      let verified = try await Command.run(
        Command.holdfast, ["verify", "--library", "\(folder)/library"])
      #expect(verified.status == 4 && verified.output.contains(kind), "\(verified.output)")
    }
  }

  @Test("A killed migration changes nothing, and the next one does all of it")
  func killed() async throws {
    try await withTemporaryFolder { folder in
      for call in ["pwrite64", "fdatasync", "unlink"] {
        for when in Extent.sample([1, 2, 5, 9, 14], every: 3) {
          let library = "\(folder)/\(call)\(when)"
          let path = try await sixthLibrary(library)
          let killed = try await Command.run(
            "strace",
            [
              "-f", "-qq", "-o", "\(folder)/log", "-P", path, "-P", "\(path)-journal", "-e",
              "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(when)",
              try Command.holdfast, "craving", "list", "--library", library,
            ], environment: ["TZ": "America/New_York"])
          if killed.status == 0 { break }
          let next = try await Command.run(
            Command.holdfast, ["craving", "list", "--library", library],
            environment: ["TZ": "America/New_York"])
          #expect(next.status == 0, "\(next.errorOutput)")
          try expectSeventh(path)
        }
      }
    }
  }

  @Test("Processes that open a library at the same moment migrate it once")
  func atOnce() async throws {
    try await withTemporaryFolder { folder in
      let (library, empty) = ("\(folder)/library", "\(folder)/empty")
      try FileManager.default.createDirectory(
        atPath: empty, withIntermediateDirectories: false)
      _ = try await Command.output(of: Command.holdfast, ["init", library])
      // An import of an empty folder opens a library for writing.
      try await openAtOnce(library, importing: empty)
      let path = "\(library)/catalog.sqlite"
      #expect(try sqlite3(path, "SELECT count(*) FROM message;") == "11")

      let uuid = try #require(
        UUID(uuidString: try sqlite3(path, "SELECT uuid FROM library;")))
      try FileManager.default.removeItem(atPath: path)
      try firstVersion(at: path, uuid: uuid)
      // Without any of their files the recordings would be on a disk that is not there.
      try Data("a file".utf8)
        .write(to: URL(filePath: "\(library)/Recordings/video_\(id(1)).mov"))
      try await openAtOnce(library, importing: empty)
      #expect(
        try sqlite3(path, "SELECT count(*) FROM message; SELECT count(*) FROM recording;")
          == "11\n3")
      #expect(try Catalog(path: path, access: .reading).integrity.findings() == [])
    }
  }

  private func openAtOnce(_ library: String, importing empty: String) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await Command.output(of: Command.holdfast, ["import", empty, "--library", library])
        }
      }
      try await group.waitForAll()
    }
  }
}

extension Sequence {
  /// Maps one element after the other.
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows
    -> [Value]
  {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
