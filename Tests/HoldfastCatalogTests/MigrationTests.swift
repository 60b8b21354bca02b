import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Catalogs of older versions")
struct MigrationTests {
  /// A catalog as version 1 made it, with three recordings: a titled one, one with an empty title,
  /// and one with none.
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

  @Test("What the migrations make is known by its fingerprint")
  func fingerprint() throws {
    let catalog = try Catalog.inMemory()
    #expect(try catalog.read(Schema.fingerprint) == Schema.newestFingerprint)
  }

  @Test("Version 1 is brought to this version with its rows")
  func firstToLatest() throws {
    let folder = try CatalogFolder()
    let path = folder.file("catalog.sqlite")
    let uuid = UUID()
    try firstVersion(at: path, uuid: uuid)
    let columns = try sqlite3(
      path, "SELECT group_concat(name) FROM pragma_table_info('recording');")
    let before = try sqlite3(path, ".mode line\nSELECT * FROM recording ORDER BY id;")
    let reading = #expect(throws: CatalogError.self) { try Catalog(path: path, access: .reading) }
    #expect(reading?.code == .needsMigration)

    let catalog = try Catalog(path: path, access: .writing)
    try catalog.migrateIfNeeded()
    #expect(try catalog.libraryUUID() == uuid)
    #expect(try catalog.erasure() == nil)
    let after = try sqlite3(path, ".mode line\nSELECT \(columns) FROM recording ORDER BY id;")
    #expect(after == before)
    #expect(try sqlite3(path, "SELECT count(*) FROM recording WHERE title IS NULL;") == "2")
    let recordings = try catalog.recordings(matching: RecordingQuery(sort: .title))
    #expect(recordings.map(\.title) == ["Day one", nil, nil])
    #expect(recordings.map(\.id.uuidString) == [id(1), id(3), id(2)])
    #expect(recordings.allSatisfy { $0.playCount == 3 && $0.purpose == .milestone })
    #expect(try catalog.messages().count == 11)
    #expect(try catalog.integrityFindings() == [])
    // The schema is the one that a new catalog has.
    let new = try Catalog.inMemory()
    let fresh = try folder.emptyDatabase("fresh.sqlite")
    _ = try Catalog.create(at: fresh)
    let schema = "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name <> 'grdb_migrations' "
    #expect(
      try sqlite3(path, schema + "ORDER BY name;") == sqlite3(fresh, schema + "ORDER BY name;"))
    #expect(try new.messages() == catalog.messages())
    // And the next opening finds nothing to do.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try Catalog(path: path, access: .writing).migrateIfNeeded()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("Processes that open a library at the same moment bring it up to date once")
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
      #expect(try Catalog(path: path, access: .reading).integrityFindings() == [])
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
