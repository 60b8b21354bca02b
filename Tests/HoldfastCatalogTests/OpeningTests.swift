import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Making and opening a catalog")
struct OpeningTests {
  @Test("Making a catalog twice gives one UUID, and the header identifies Holdfast")
  func createIsIdempotent() throws {
    let folder = try CatalogFolder()
    let path = try folder.emptyDatabase()
    let uuid = try Catalog.create(at: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try Catalog.create(at: path) == uuid)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try Catalog(path: path, access: .reading).libraryUUID() == uuid)
    #expect(
      try sqlite3(
        path,
        "SELECT uuid, formatVersion, erasing FROM library; PRAGMA application_id; "
          + "PRAGMA journal_mode;"
      )
        == "\(uuid.uuidString)|1|\n\(0x486C_6466)\ndelete")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["catalog.sqlite"])
  }

  @Test("A creation that stopped halfway is finished by the next")
  func interruptedCreate() throws {
    let folder = try CatalogFolder()
    let path = try folder.emptyDatabase()
    try sqlite3(path, "PRAGMA application_id = \(0x486C_6466);")
    _ = try Catalog.create(at: path)
    try sqlite3(path, "DELETE FROM library;")
    let uuid = try Catalog.create(at: path)
    #expect(try Catalog(path: path, access: .writing).libraryUUID() == uuid)
  }

  @Test("A catalog in memory has a UUID, stores rows, and is separate from others")
  func inMemory() throws {
    let (one, other) = (try Catalog.inMemory(), try Catalog.inMemory())
    try one.recordings.insert([try recording()])
    #expect(try one.recordings.count(matching: RecordingQuery()) == 1)
    #expect(try other.recordings.count(matching: RecordingQuery()) == 0)
    #expect(try one.libraryUUID() != other.libraryUUID())
    #expect(try one.integrity.findings() == [])
  }

  @Test(
    "A missing database is an error, and is not made",
    arguments: [Catalog.Access.reading, .writing])
  func missing(access: Catalog.Access) throws {
    let folder = try CatalogFolder()
    let path = folder.file("catalog.sqlite")
    let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: access) }
    #expect(error?.code == .missing)
    #expect(throws: HoldfastError.self) { try Catalog.create(at: path) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Another program's database is refused and left as it was")
  func foreign() throws {
    let folder = try CatalogFolder()
    for (name, sql) in [
      ("id", "PRAGMA application_id = 1;"), ("table", "CREATE TABLE theirs (x);"),
      ("both", "PRAGMA application_id = 7; CREATE TABLE recording (x);"),
      ("wal", "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x);"),
    ] {
      let path = try folder.emptyDatabase(name)
      try sqlite3(path, sql)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let reading = #expect(throws: HoldfastError.self) {
        try Catalog(path: path, access: .reading)
      }
      let writing = #expect(throws: HoldfastError.self) {
        try Catalog(path: path, access: .writing)
      }
      #expect(reading == writing)
      let making = #expect(throws: HoldfastError.self) { try Catalog.create(at: path) }
      #expect(reading == making)
      #expect(
        making?.explanation == "\(path): not a catalog of Holdfast; choose another library, or "
          + "restore it from a backup")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test("An empty file is not a catalog yet")
  func empty() throws {
    let folder = try CatalogFolder()
    let path = try folder.emptyDatabase()
    let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: .writing) }
    #expect(error?.code == .notACatalog)
  }

  @Test("A file that is not a database is refused in a sentence")
  func notADatabase() throws {
    let folder = try CatalogFolder()
    let path = folder.file("catalog.sqlite")
    try Data(String(repeating: "not a database ", count: 100).utf8)
      .write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: .reading) }
    #expect(error?.code == .notACatalog)
    #expect(
      error?.explanation == "\(path): not a SQLite database; restore the file from a backup")
    let folderError = #expect(throws: HoldfastError.self) {
      try Catalog(path: folder.path, access: .reading)
    }
    #expect(folderError?.code == .notACatalog)
  }

  @Test("A link in the catalog's place is refused, wherever it leads")
  func link() throws {
    let folder = try CatalogFolder()
    let (path, link) = (try folder.catalog(), folder.file("link.sqlite"))
    for target in [path, folder.file("nothing")] {
      try? FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      for access in [Catalog.Access.reading, .writing] {
        let error = #expect(throws: HoldfastError.self) { try Catalog(path: link, access: access) }
        #expect(error?.code == .notACatalog)
      }
      #expect(throws: HoldfastError.self) { try Catalog.create(at: link) }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("nothing")))
  }

  @Test(
    "A changed schema is refused, and the change is named",
    arguments: [
      ("CREATE TRIGGER t AFTER UPDATE ON recording BEGIN DELETE FROM craving; END;", "trigger t"),
      ("DROP TRIGGER message_default_stays;", "trigger message_default_stays"),
      ("CREATE VIEW v AS SELECT 1;", "view v"), ("CREATE TABLE note (x);", "table note"),
      ("CREATE TABLE sqlitexstat1 (x);", "table sqlitexstat1"),
      ("DROP INDEX usage_method;", "index usage_method"),
      ("CREATE INDEX i ON usage (hex(randomblob(0)) || id);", ""),
      ("CREATE INDEX i ON usage (upper(id));", "index i"),
      ("CREATE VIRTUAL TABLE f USING fts5 (x);", "table f"),
      ("ALTER TABLE usage ADD COLUMN x TEXT AS (upper(id));", "table usage"),
      (
        """
        ALTER TABLE recording RENAME TO r;
        CREATE VIEW recording AS WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
          SELECT r.* FROM r, c;
        """, "index recording_"
      ),
      (
        """
        DROP TABLE grdb_migrations;
        CREATE VIEW grdb_migrations AS WITH RECURSIVE c (identifier) AS
          (SELECT 'v1' UNION ALL SELECT identifier FROM c) SELECT identifier FROM c;
        """, "view grdb_migrations"
      ),
    ])
  func changedSchema(change: String, words: String) throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    // Not every change is possible with every SQLite.
    guard try SQLite3Command(path, change).status == 0 else { return #expect(words.isEmpty) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for access in [Catalog.Access.reading, .writing] {
      let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: access) }
      #expect(error?.code == .damaged)
      let reason = "another program changed the catalog's schema (\(words)"
      #expect(error?.reason.contains(reason) == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("The tables of ANALYZE do not count as a change of the schema")
  func analyzed() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    try sqlite3(path, "ANALYZE;")
    try Catalog(path: path, access: .writing).migrateIfNeeded()
  }

  @Test("A schema that a newer Holdfast has changed is refused")
  func newer() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    try sqlite3(path, "INSERT INTO grdb_migrations VALUES ('v999');")
    for access in [Catalog.Access.reading, .writing] {
      let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: access) }
      #expect(
        error?.explanation == "\(path): a newer version of Holdfast has changed this catalog; "
          + "update Holdfast to open it")
    }
    let making = #expect(throws: HoldfastError.self) { try Catalog.create(at: path) }
    #expect(making?.code == .newer)
  }

  @Test("A reader of an older schema says what to do; a writer migrates it")
  func older() throws {
    let folder = try CatalogFolder()
    let path = try folder.emptyDatabase()
    try sqlite3(path, "PRAGMA application_id = \(0x486C_6466);")
    let error = #expect(throws: HoldfastError.self) { try Catalog(path: path, access: .reading) }
    #expect(error?.code == .needsMigration)
    #expect(error?.description.contains("only a program that writes brings it up to date") == true)
    try Catalog(path: path, access: .writing).migrateIfNeeded()
    let reader = try Catalog(path: path, access: .reading)
    #expect(try reader.recordings.count(matching: RecordingQuery()) == 0)
  }

  @Test("A writer that finds nothing to migrate writes nothing")
  func nothingToMigrate() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let catalog = try Catalog(path: path, access: .writing)
    let before = try catalog.pragma("data_version")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try catalog.migrateIfNeeded()
    #expect(try catalog.pragma("data_version") == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }
}
