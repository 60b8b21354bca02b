import Foundation
import HoldfastTestSupport
import Testing

@Suite("Text of deleted recordings in the catalog's file", .temporaryFolder)
struct PrivacyCatalogTests {
  let library = LibraryFolder()
  private static let note = "The morning on which I had had enough of it, at last"

  /// Whether the grep program finds words in the catalog's file.
  private func holds(_ words: String) async throws -> Bool {
    let result = try await Command.run("grep", ["-qaF", words, "\(library.path)/catalog.sqlite"])
    try #require([0, 1].contains(result.status), "\(result.errorOutput)")
    return result.status == 0
  }

  /// The findings about the catalog's file.
  private func findings() async throws -> [Finding] {
    let (status, findings) = try await library.privacy()
    #expect((status == 4) == !findings.isEmpty)
    return findings.filter { $0.path == "catalog.sqlite" }
  }

  @Test(
    "A note that another program's deletion left in a page stays; holdfast's own leaves none",
    arguments: [52, 5000])
  func left(_ length: Int) async throws {
    try await library.importing("voice.wav", "aac.m4a", "portrait.mov")
    // Without the conversions, the rows share a page.
    try await library.changeCatalog("UPDATE recording SET conversion = NULL; VACUUM")
    let rows = try await library.sql("SELECT id, filePath FROM recording ORDER BY duration")
    // A long note has its own pages, which become free.
    let note = String(repeating: Self.note + ". ", count: length / 54 + 1).prefix(length)
    for row in rows.prefix(2) {
      let edited = try await library.holdfast("edit", row[0], "--notes", "\(note)")
      try #require(edited.status == 0, "\(edited.errorOutput)")
    }
    try await library.expectPrivate()

    // Half of it, as another program would delete.
    try await library.changeCatalog(
      """
      PRAGMA secure_delete = OFF; PRAGMA foreign_keys = ON;
      DELETE FROM recording WHERE id = '\(rows[0][0])'
      """)
    try FileManager.default.removeItem(atPath: "\(library.path)/\(rows[0][1])")
    #expect(try await holds(Self.note))
    let freePages = try await library.column("PRAGMA freelist_count").first
    #expect((length > 4096) == (freePages != "0"))
    // The note is also the other recording's.
    #expect(try library.foreignText.contains { $0.contains(rows[0][0]) })

    // And as Holdfast deletes, which also removes the rest.
    #expect(try await library.holdfast("delete", "--yes", rows[1][0]).status == 0)
    #expect(try await !holds(Self.note))
    for row in rows.prefix(2) { #expect(try await !holds(row[0])) }
    #expect(try await findings().isEmpty)
    try await library.expectPrivate()
  }

  @Test("A deletion without a compaction is found until a command writes")
  func due() async throws {
    try await library.importing("voice.wav")
    try await library.changeCatalog("UPDATE library SET compactionDue = 1")
    let found = try await findings()
    #expect(found.map(\.kind) == ["deletedText"])
    #expect(found.first?.detail.contains("was not compacted") == true)
    try await library.importing("aac.m4a")
    #expect(try await findings().isEmpty)
  }

  @Test("Records that Holdfast writes, edits, counts and deletes leave nothing to find")
  func inUse() async throws {
    try await library.importing("voice.wav", "aac.m4a")
    let ids = try await library.column("SELECT id FROM recording")
    for number in 1...12 {
      let words = "the words of number \(number), which change each time: \(number * number)"
      for id in ids {
        try await library.holdfast("edit", id, "--notes", words, "--title", "Title \(number)")
        try await library.holdfast("play", "--count-only", id)
      }
      try await library.holdfast("craving", "log", "--intensity", "5", "--notes", words)
    }
    for id in try await library.column("SELECT id FROM craving").prefix(6) {
      try await library.holdfast("craving", "edit", id, "--notes", "other words, not as many")
    }
    // A long note has its own pages, which are freed when it becomes short.
    let long = (1...160).map { "the words of number \($0)" }.joined(separator: ", ")
    try await library.holdfast("edit", ids[0], "--notes", long)
    #expect(try await holds("the words of number 159"))
    try await library.holdfast("edit", ids[0], "--notes", "short")
    #expect(try await library.column("PRAGMA freelist_count") == ["0"])
    #expect(try await !holds("the words of number 159"))
    try await library.expectPrivate()
    for id in try await library.column("SELECT id FROM craving").prefix(6) {
      #expect(try await library.holdfast("craving", "delete", "--yes", id).status == 0)
    }
    try await library.expectPrivate()
  }
}
