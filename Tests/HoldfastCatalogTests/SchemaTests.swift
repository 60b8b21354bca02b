import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The schema refuses invalid rows")
struct SchemaTests {
  @Test(
    "The sqlite3 command cannot store an invalid value either",
    arguments: [
      "id = lower(id)", "id = 'x'", "id = replace(id, '-', 'A')",
      "timestamp = '2024-05-17'", "timestamp = '2024-05-17T12:00:00.000'", "timestamp = NULL",
      "timestampOffset = 1440", "timestampOffset = -1440", "timestampSource = 'guess'",
      "type = 'image'", "type = 'Video'", "type = 'audio'", "purpose = 'fun'", "purpose = NULL",
      "duration = 0", "duration = -1", "duration = 120.01", "duration = 9e999", "duration = NULL",
      "filePath = '/etc/passwd'", "filePath = 'recordings/x.mov'", "filePath = 'Recordings/'",
      "filePath = 'Recordings/../x.mov'", "filePath = NULL",
      "thumbnailPath = NULL", "thumbnailPath = 'x.jpg'", "thumbnailPath = 'Recordings/../../x'",
      "title = printf('%.201c', 'x')", "notes = printf('%.5001c', 'x')",
      "playCount = -1", "playCount = 'many'", "lastPlayedAt = 'yesterday'", "createdAt = ''",
      "createdAt = NULL", "modifiedAt = 0", "originalFilename = ''",
      "sourceSHA256 = upper(sourceSHA256)", "sourceSHA256 = substr(sourceSHA256, 2)",
      "fileSHA256 = 'x' || substr(fileSHA256, 2)", "fileSHA256 = NULL", "thumbnailSHA256 = ''",
      "part = 0", "part = 2", "partCount = 0", "fileSize = 0", "fileSize = 1.5",
      "width = 0", "height = -1", "width = NULL", "searchText = NULL",
    ])
  func refused(assignment: String) throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog([
      try recording(
        id: #require(UUID(uuidString: "ABCDEFAB-CDEF-ABCD-EFAB-CDEFABCDEFAB")), source: 0xAB)
    ])
    let command = try SQLite3Command(path, "UPDATE recording SET \(assignment);")
    #expect(command.status != 0)
    #expect(
      ["CHECK constraint failed", "NOT NULL constraint failed", "cannot store"].contains {
        command.output.contains($0)
      }, "\(command.output)")
  }

  @Test(
    "Audio can have neither a thumbnail nor a size",
    arguments: [
      "thumbnailPath = 'Recordings/Thumbnails/x.jpg'", "thumbnailSHA256 = fileSHA256",
      "width = 1, height = 1",
    ])
  func audio(assignment: String) throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog([try recording(type: .audio)])
    let command = try SQLite3Command(path, "UPDATE recording SET \(assignment);")
    #expect(command.output.contains("CHECK constraint failed"), "\(command.output)")
  }

  @Test(
    "Values just within the limits are stored",
    arguments: [
      "duration = 120", "duration = 1e-9", "modifiedAt = NULL", "timestampOffset = 1439",
      "width = NULL, height = NULL",
      "title = printf('%.200c', 'x')", "notes = printf('%.5000c', 'x')", "thumbnailSHA256 = NULL",
      "title = replace(printf('%.200c', 'x'), 'x', '🌋')", "part = 3, partCount = 3",
    ])
  func stored(assignment: String) throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog([try recording()])
    try sqlite3(path, "UPDATE recording SET \(assignment);")
    #expect(
      try Catalog(path: path, access: .reading).recordings.matching(RecordingQuery()).count == 1)
  }

  @Test("Every word of the model's vocabularies is stored, and the longest recording")
  func vocabularies() throws {
    let catalog = try Catalog.inMemory()
    var recordings: [Recording] = []
    for type in RecordingType.allCases {
      for purpose in RecordingPurpose.allCases {
        for source in TimestampSource.allCases {
          var one = try recording(type: type, purpose: purpose, duration: RecordingLimit.longest)
          one.recorded.source = source
          recordings.append(one)
        }
      }
    }
    try catalog.recordings.insert(recordings)
    #expect(try Set(catalog.recordings.matching(RecordingQuery())) == Set(recordings))
  }

  @Test("Two recordings cannot share a file, and a library cannot have two names")
  func unique() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog([try recording(), try recording()])
    let shared = try SQLite3Command(path, "UPDATE recording SET filePath = 'Recordings/x.mov';")
    #expect(shared.output.contains("UNIQUE constraint failed: recording.filePath"))
    let second = try SQLite3Command(
      path, "INSERT INTO library SELECT 2, uuid, formatVersion, erasing, 0 FROM library;")
    #expect(second.output.contains("a catalog has one library"))
  }

  @Test("If one of two rows is invalid, neither is inserted, and the error says why")
  func allOrNone() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let catalog = try Catalog(path: path, access: .writing)
    var bad = try recording()
    bad.duration = 120.01
    let pair = [try recording(), bad]
    let error = #expect(throws: HoldfastError.self) { try catalog.recordings.insert(pair) }
    #expect(error?.code == .refused)
    #expect(
      error?.description == "\(path): the catalog refused a row that breaks a rule: "
        + "duration is more than 0 and at most 120; nothing was written")
    #expect(try sqlite3(path, "SELECT count(*) FROM recording;") == "0")
  }

  @Test("The mark of an erasure is an identity", arguments: ["''", "'x'", "lower(uuid)", "1"])
  func erasing(value: String) throws {
    let folder = try CatalogFolder()
    let command = try SQLite3Command(
      try folder.catalog(), "UPDATE library SET erasing = \(value);")
    #expect(command.status != 0)
    #expect(command.output.contains("erasing is an upper-case UUID"), "\(command.output)")
  }

  @Test(
    "Every search has its index",
    arguments: [
      ("SELECT * FROM recording ORDER BY timestamp DESC, id LIMIT 20", "recording_recent"),
      (
        "SELECT * FROM recording ORDER BY playCount DESC, timestamp DESC, id LIMIT 20",
        "recording_played"
      ),
      ("SELECT * FROM recording WHERE id >= 'AB' AND id < 'ABG' ORDER BY id", "autoindex"),
      ("SELECT * FROM recording WHERE sourceSHA256 = 'x' OR fileSHA256 = 'x'", "recording_source"),
      ("SELECT * FROM recording WHERE sourceSHA256 = 'x' OR fileSHA256 = 'x'", "recording_file"),
    ])
  func indexes(query: String, index: String) throws {
    let folder = try CatalogFolder()
    let plan = try sqlite3(try folder.catalog(), "EXPLAIN QUERY PLAN \(query);")
    #expect(plan.contains(index))
    #expect(!plan.contains("TEMP B-TREE"))
  }
}
