import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Connections")
struct ConnectionTests {
  @Test("Every connection is set up as designed", arguments: [Catalog.Access.reading, .writing])
  func settings(access: Catalog.Access) throws {
    let folder = try CatalogFolder()
    let catalog = try Catalog(path: try folder.catalog(), access: access)
    _ = try catalog.recordings.count(matching: RecordingQuery())
    let settings = [
      "journal_mode": "delete", "synchronous": "3", "foreign_keys": "1", "secure_delete": "1",
      "temp_store": "2", "trusted_schema": "0",
      "query_only": access == .reading ? "1" : "0",
    ]
    for (name, value) in settings { #expect(try catalog.pragma(name) == value, "\(name)") }
    // With DEFENSIVE, a connection cannot give up its journal.
    #expect(try catalog.pragma("journal_mode = OFF") == "delete")
  }

  @Test("A reader cannot write")
  func readerCannotWrite() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let reader = try Catalog(path: path, access: .reading)
    _ = try reader.files.page(after: nil)
    let error = #expect(throws: HoldfastError.self) {
      try reader.recordings.insert([try recording()])
    }
    #expect(error?.code == .readOnly)
    #expect(throws: HoldfastError.self) { try reader.migrateIfNeeded() }
    let beneath = #expect(throws: HoldfastError.self) { try reader.pragma("user_version = 5") }
    #expect(beneath?.code == .readOnly)
  }

  @Test("The journal of a killed writer is rolled back by a reader")
  func hotJournal() throws {
    let folder = try CatalogFolder()
    let recordings = try (0..<300).map { _ in
      try recording(notes: String(repeating: "before ", count: 100))
    }
    let path = try folder.catalog(recordings)
    let killed = try SQLite3Command(
      path,
      """
      PRAGMA cache_size = 1;
      BEGIN IMMEDIATE;
      UPDATE recording SET notes = replace(notes, 'before', 'after!');
      .shell kill -9 $PPID
      """)
    #expect(killed.status != 0)
    let journal = path + "-journal"
    try #require(FileManager.default.fileExists(atPath: journal))
    // The database's file already has some uncommitted pages.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try #require(bytes.range(of: Data("after!".utf8)) != nil)

    let reader = try Catalog(path: path, access: .reading)
    #expect(try Set(reader.recordings.matching(RecordingQuery())) == Set(recordings))
    #expect(try reader.integrity.findings() == [])
    #expect(!FileManager.default.fileExists(atPath: journal))
  }

  @Test("A damaged database is a finding, not a failure")
  func damaged() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog(try (0..<300).map { _ in try recording(notes: "some notes") })
    let catalog = try Catalog(path: path, access: .reading)
    #expect(try catalog.integrity.findings() == [])
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    // The second half is rows and their indexes.
    let pages = try file.seekToEnd() / 4096
    try file.seek(toOffset: pages / 2 * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(pages / 4) * 4096))
    try file.close()
    let damaged = try Catalog(path: path, access: .reading)
    #expect(try !damaged.integrity.findings().isEmpty)
    let error = #expect(throws: HoldfastError.self) {
      _ = try damaged.recordings.matching(RecordingQuery(sort: .longest))
    }
    #expect(error?.code == .damaged)
    #expect(error?.description.hasPrefix("\(path): the catalog is damaged (") == true)
  }

  @Test("A row that breaks a rule despite the schema is a finding")
  func brokenRule() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog([try recording()])
    try sqlite3(path, "PRAGMA ignore_check_constraints = ON; UPDATE recording SET duration = 500;")
    let findings = try Catalog(path: path, access: .reading).integrity.findings()
    #expect(findings == ["CHECK constraint failed in recording"])
  }

  @Test("A row that refers to nothing is a finding")
  func danglingReference() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    try sqlite3(
      path,
      "INSERT INTO cravingTrigger VALUES ('Sad', 'nothing');")
    let findings = try Catalog(path: path, access: .reading).integrity.referenceFindings()
    #expect(findings == ["a row of cravingTrigger refers to a missing row of craving"])
  }

  @Test("A full database says that the disk is full")
  func full() throws {
    let folder = try CatalogFolder()
    let catalog = try Catalog(path: try folder.catalog(), access: .writing)
    _ = try catalog.pragma("max_page_count = 1")
    let many = try (0..<100).map { _ in try recording(notes: String(repeating: "x", count: 4000)) }
    let error = #expect(throws: HoldfastError.self) { try catalog.recordings.insert(many) }
    #expect(error?.code == .full)
    #expect(error?.clause == "the disk is full; free some space and try again")
    #expect(try catalog.recordings.count(matching: RecordingQuery()) == 0)
  }

  @Test("A locked catalog is reported as locked")
  func busy() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let (holder, other) = (
      try Catalog(path: path, access: .writing), try Catalog(path: path, access: .writing)
    )
    _ = try other.pragma("busy_timeout = 1")
    try holder.write { _ in
      let error = #expect(throws: HoldfastError.self) {
        try other.recordings.insert([try recording()])
      }
      #expect(error?.code == .busy)
    }
  }
}
