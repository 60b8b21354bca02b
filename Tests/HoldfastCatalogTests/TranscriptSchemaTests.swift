import Foundation
@testable import HoldfastCatalog
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Transcripts in the catalog")
struct TranscriptSchemaTests {
  private let folder: CatalogFolder
  private let path: String
  private let recordings: [Recording]

  init() throws {
    recordings = try (1...3).map { try recording(source: $0) }
    folder = try CatalogFolder()
    path = try folder.catalog(recordings)
  }

  private var catalog: Catalog { get throws { try Catalog(path: path, access: .writing) } }

  private func transcript(_ index: Int, _ texts: String...) throws -> Transcript {
    let segments = texts.enumerated().map {
      SpokenWords.Segment(
        startTime: $0 * 1000, endTime: $0 * 1000 + 900, text: $1,
        words: [SpokenWord($1, startTime: $0 * 1000, endTime: $0 * 1000 + 900)])
    }
    return Transcript(
      of: recordings[index].id,
      try SpokenWords(language: "en_gb", segments: segments, duration: 60_000), source: .program,
      program: "whisper-cli", model: "tiny", createdAt: noon)
  }

  /// The counts, and the revision of each recording's transcript.
  private func counts() throws -> String {
    try sqlite3(
      path,
      """
      SELECT added || ' ' || removed || ': ' || (
        SELECT ifnull(group_concat(ifnull(revision, '-'), ' '), '') FROM (
          SELECT revision FROM recording LEFT JOIN transcript USING (id) ORDER BY sourceSHA256))
      FROM wordGeneration;
      """)
  }

  @Test("A transcript is read as it was written, and sqlite3 sees its times")
  func roundTrip() throws {
    let catalog = try catalog
    let written = try transcript(0, "The lighthouse.", "Ёлка ﬁre")
    try catalog.insert(written)
    #expect(try catalog.record(Transcript.self, id: written.id) == written)
    #expect(written.language == "en-GB")
    #expect(
      try sqlite3(path, "SELECT position, startTime, endTime, text FROM transcriptSegment;")
        == "0|0|900|The lighthouse.\n1|1000|1900|Ёлка ﬁre")
    let words = try #require(
      try catalog.record(Transcript.self, id: written.id)?.segments.last?.words)
    #expect(words == [SpokenWord("Ёлка ﬁre", startTime: 1000, endTime: 1900)])
  }

  @Test("Each change is counted once, and only removals as removals")
  func generation() throws {
    let catalog = try catalog
    #expect(try counts() == "0 0: - - -")
    try catalog.insert(transcript(0, "one"))
    try catalog.insert(transcript(1, "two", "three"))
    #expect(try counts() == "2 0: 1 2 -")
    try catalog.update(Transcript.self, id: recordings[0].id) { $0.segments[0].text = "edited" }
    #expect(try counts() == "3 1: 3 2 -")
    #expect(try catalog.delete(Transcript.self, id: recordings[0].id))
    #expect(try counts() == "3 2: - 2 -")
    // With its recording, from this program and from another one.
    try catalog.recordings.delete(id: recordings[1].id)
    #expect(try counts() == "3 3: - -")
    try catalog.insert(transcript(2, "four"))
    try sqlite3(
      path, "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; DELETE FROM recording;")
    #expect(try counts() == "4 4: ")
    #expect(try sqlite3(path, "SELECT count(*) FROM transcriptSegment;") == "0")
    #expect(try catalog.integrity.findings() == [])
    #expect(try catalog.integrity.referenceFindings() == [])
  }

  @Test("A trigger that changes a row does not run itself")
  func recursion() throws {
    try catalog.insert(transcript(0, "one"))
    try sqlite3(
      path, "PRAGMA recursive_triggers = ON; UPDATE transcript SET language = 'de';")
    #expect(try counts() == "2 1: 2 - -")
  }

  @Test("Erasing empties the tables, and the counts go on")
  func erasing() throws {
    let catalog = try Catalog(path: path, access: .writing, journals: [.cravings])
    try catalog.insert(transcript(0, "one"))
    try catalog.insert(transcript(1, "two"))
    try catalog.erasure.begin(UUID())
    #expect(try counts() == "2 2: ")
    #expect(
      try sqlite3(
        path, "SELECT count(*) FROM transcript; SELECT count(*) FROM transcriptSegment;")
        == "0\n0")
  }

  @Test(
    "The sqlite3 command cannot store an invalid value",
    arguments: [
      ("transcript", "id = lower(id)"), ("transcript", "state = 'none'"),
      ("transcript", "source = 'Phone'"), ("transcript", "source = 'person'"),
      ("transcript", "state = 'never'"), ("transcript", "modifiedAt = 'now'"),
      ("transcript", "program = ''"), ("transcript", "model = printf('%.101c', 'x')"),
      ("transcript", "language = printf('%.36c', 'x')"), ("transcript", "isLanguageDoubtful = 2"),
      ("transcript", "createdAt = 'now'"), ("transcript", "createdAt = NULL"),
      ("transcriptSegment", "position = 5000"), ("transcriptSegment", "position = -1"),
      ("transcriptSegment", "startTime = -1"), ("transcriptSegment", "startTime = 901"),
      ("transcriptSegment", "endTime = 86400001"), ("transcriptSegment", "text = ' '"),
      ("transcriptSegment", "text = NULL"), ("transcriptSegment", "wordTimes = ''"),
      ("transcriptSegment", "text = printf('%.1000001c', 'x')"),
      ("wordGeneration", "id = 2"), ("wordGeneration", "added = -1"),
      ("wordGeneration", "removed = -1"),
    ])
  func refused(table: String, assignment: String) throws {
    try catalog.insert(transcript(0, "one"))
    let command = try SQLite3Command(path, "UPDATE \(table) SET \(assignment);")
    #expect(command.status != 0, "\(assignment)")
    #expect(
      ["CHECK constraint failed", "NOT NULL constraint failed"].contains {
        command.output.contains($0)
      }, "\(command.output)")
  }

  @Test("There is one transcript for a recording, and none without one")
  func keys() throws {
    try catalog.insert(transcript(0, "one"))
    #expect(throws: HoldfastError.self) { try catalog.insert(transcript(0, "two")) }
    var lost = try transcript(1, "lost")
    lost.id = UUID()
    #expect(throws: HoldfastError.self) { try catalog.insert(lost) }
  }
}
