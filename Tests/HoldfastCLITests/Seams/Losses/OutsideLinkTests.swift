import Foundation
import HoldfastTestSupport
import Testing

@Suite("Links to recordings that come from outside", .temporaryFolder)
struct OutsideLinkTests {
  let library = LibraryFolder()
  private let entry = LibraryFolder.id(1)
  private static let (earlier, later) = ("2026-02-01T10:00:00.000Z", "2026-03-01T10:00:00.000Z")

  /// A kind of entry with a link.
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var table: String
    var values: String

    static let all = [
      Kind(testDescription: "cravings", table: "craving", values: #""intensity":5,"triggers":[]"#),
      Kind(
        testDescription: "foodEntries", table: "foodEntry",
        values: """
          "rawDescription":"","foodName":"Bread","quantity":1,"unit":"slice","calories":1,\
          "protein":1,"carbohydrates":1,"fat":1,"confidence":1
          """),
    ]
  }

  /// A document with one entry.
  private func document(
    _ kind: Kind, link: String?, at moment: String = later
  ) throws -> String {
    let path = temporary("\(UUID()).json")
    let document = """
      {"format":"holdfast","schemaVersion":2,"versions":{"\(kind.testDescription)":1},
      "\(kind.testDescription)":[{"id":"\(entry)","timestamp":"2026-01-01T10:00:00.000Z",
      "timestampOffset":0,\(kind.values),"recordingId":\(link.map { "\"\($0)\"" } ?? "null"),
      "createdAt":"2026-01-01T10:00:00.000Z","modifiedAt":"\(moment)"}]}
      """
    try Data(document.utf8).write(to: URL(filePath: path))
    return path
  }

  private func link(of kind: Kind) async throws -> String? {
    try await library.column(
      "SELECT ifnull(recordingId, 'none') FROM \(kind.table) WHERE id = '\(entry)'"
    ).first
  }

  @Test("A link is kept, follows a merge, or is removed, as its document says", arguments: Kind.all)
  func link(_ kind: Kind) async throws {
    try await library.enableJournals()
    try await library.importing("aac.m4a", "voice.wav")
    let ids = try await library.column("SELECT id FROM recording ORDER BY id")
    // As a merge leaves it: the recording had another ID.
    let old = UUID().uuidString
    try await library.changeCatalog(
      "INSERT INTO alias (id, recordingId) VALUES ('\(old)', '\(ids[0])')")
    _ = try await library.importData(document(kind, link: old, at: Self.earlier))
    #expect(try await link(of: kind) == ids[0])
    // An unknown recording replaces none.
    _ = try await library.importData(document(kind, link: UUID().uuidString))
    #expect(try await link(of: kind) == ids[0])
    #expect(
      try await library.column("SELECT modifiedAt FROM \(kind.table)")
        == ["2026-03-01 10:00:00.000"])
    // Of two versions of one edit, the document's link counts if it leads to a recording.
    _ = try await library.importData(document(kind, link: ids[1]))
    #expect(try await link(of: kind) == ids[1])
    for other in [UUID().uuidString, nil] {
      _ = try await library.importData(document(kind, link: other))
      #expect(try await link(of: kind) == ids[1])
    }
    _ = try await library.importData(
      document(kind, link: nil, at: "2026-04-01T10:00:00.000Z"))
    #expect(try await link(of: kind) == "none")
    try await library.expectSound()
  }

  @Test("A merge keeps the link to a recording if the newer link leads to none")
  func unmergeable() async throws {
    try await library.importing("aac.m4a")
    let own = try await library.column("SELECT id FROM recording")[0]
    let craving = try await library.record(
      "craving", "log", "--intensity", "5", "--recording", own)
    let other = try await library.copy(to: "other")
    try await other.importing("voice.wav")
    let id = try await other.column("SELECT id FROM recording WHERE id <> '\(own)'")[0]
    _ = try await other.holdfast("craving", "link", craving.id, id)
    _ = try await other.record("craving", "edit", craving.id, "--notes", "newer")
    try await other.changeCatalog(BrokenRow.all[0].statement(about: id))
    #expect(try await library.holdfast("merge", other.path).status == 3)
    #expect(try await library.sql("SELECT notes, recordingId FROM craving") == [["newer", own]])
  }

  @Test("An edit in a library that deleted the recording keeps the link where the recording is")
  func deletedElsewhere() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    let craving = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    let other = try await library.copy(to: "other")
    #expect(try await other.holdfast("delete", "--yes", id).status == 0)
    _ = try await other.record("craving", "edit", craving.id, "--notes", "newer")
    let (before, otherBefore) = (
      try await library.copy(to: "before"), try await other.copy(to: "other-before")
    )
    for (target, source) in [(library, otherBefore), (other, before), (library, other)] {
      #expect(try await target.holdfast("merge", source.path).status == 0)
      #expect(try await target.sql("SELECT notes, recordingId FROM craving") == [["newer", id]])
    }
    // A user who removed the link where the recording is wants it to stay removed.
    _ = try await other.holdfast("craving", "unlink", craving.id)
    #expect(try await library.holdfast("merge", other.path).status == 0)
    #expect(try await library.column("SELECT recordingId IS NULL FROM craving") == ["1"])
  }
}
