import Foundation
import Holdfast
@testable import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: lists of entries", .temporaryFolder)
struct EntryListTests {
  private func titles(_ library: Library, _ query: FaithQuery<JournalEntry>) throws -> [String] {
    try library.faith.entries(matching: query).map(\.title)
  }

  @Test("5: Private entries are in no list, search, count or table unless requested")
  func privacy() throws {
    let library = try openFaith()
    try library.faith.write(
      entry("open", content: "the sea", tags: ["hope"], mood: "Sad"))
    try library.faith.write(
      entry(
        "hidden", content: "the sea", at: noon.addingTimeInterval(-1), tags: ["Hope"],
        mood: "sad", isPrivate: true))
    for query in [
      FaithQuery<JournalEntry>(), .init(tag: "HOPE"), .init(mood: "SAD"), .init(search: "SEA"),
      .init(from: try Day("2025-11-03")),
    ] {
      #expect(try titles(library, query) == ["open"])
      var all = query
      all.includesPrivate = true
      #expect(try titles(library, all) == ["open", "hidden"])
    }
    #expect(try titles(library, .init(search: "hidden")).isEmpty)
    #expect(try library.faith.tags() == [TagCount(tag: "hope", count: 1)])
    #expect(try library.faith.tags(includingPrivate: true).map(\.count) == [2])
    #expect(try library.faith.moodCounts().map(\.count) == [1])
    #expect(try library.faith.moodCounts(includingPrivate: true).map(\.count) == [2])
    #expect(try library.faith.statistics(of: .everything).entries == 1)
    let folder = TemporaryFolder.current
    try library.exportTables(toFolder: "\(folder)/shown")
    try library.exportTables(toFolder: "\(folder)/all", includingPrivate: true)
    func table(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(name)/journalEntries.csv", encoding: .utf8)
    }
    #expect(try !table("shown").contains("hidden") && table("shown").contains("open"))
    #expect(try table("all").contains("hidden"))
    #expect(String(decoding: try library.document(), as: UTF8.self).contains("hidden"))
  }

  @Test("A search finds titles, contents and tags in any case, with or without accents")
  func search() throws {
    let library = try openFaith()
    try library.faith.write(entry("Crème", content: "still\nwaters", tags: ["100%", "Psalm"]))
    func isFound(_ term: String) throws -> Bool {
      try titles(library, .init(search: term)) == ["Crème"]
    }
    for term in ["creme", "CRÈME", "still waters", "WATERS", "0%", "psalm"] {
      #expect(try isFound(term), "\(term)")
    }
    // Across the title's end, and as a pattern.
    for term in ["crèmestill", "creme still", "%aters", "_"] {
      #expect(try !isFound(term), "\(term)")
    }
    #expect(try isFound(" "))
  }

  @Test("Days are those of each entry's own clock, and pages follow one another")
  func days() throws {
    let library = try openFaith()
    let day = try Day("2025-11-03")
    for (title, hours, offset) in [
      ("before", -12.1, 0), ("first", -12, 0), ("last", 11.9, 0), ("after", 12, 0),
      ("east", -13, 120), ("west", 13, -120),
    ] {
      try library.faith.write(
        entry(title, at: noon.addingTimeInterval(hours * 3600), offset: offset),
        now: noon.addingTimeInterval(86_400))
    }
    #expect(
      try titles(library, .init(from: day, through: day)) == ["west", "last", "first", "east"])
    #expect(
      try titles(library, .init(from: day, through: day, limit: 2, offset: 1))
        == ["last", "first"])
    #expect(
      try titles(library, .init(from: day, through: day, search: "st", limit: 2, offset: 1))
        == ["last", "first"])
    #expect(try titles(library, .init(search: "st", offset: 4)).isEmpty)
  }

  @Test("A list of many entries has each once, whether a tag is rare or common")
  func many() async throws {
    let library = try openFaith()
    try library.faith.write(entry("0", at: noon.addingTimeInterval(-10_000)))
    // 3,000 entries in pairs at one moment; each has the tag "common", and every third "rare".
    _ = try await sqlite(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
      INSERT INTO journalEntry SELECT printf('%08X', n) || substr(id, 9), 'entry ' || n, '',
        strftime('%Y-%m-%d %H:%M:%S.000', '2025-11-01', (n / 2) || ' seconds'), 0, NULL, NULL, NULL,
        n % 2, NULL, createdAt, NULL, 'entry ' || n, NULL
      FROM number, journalEntry;
      INSERT INTO entryTag SELECT id, 'common', 0, 'Common' FROM journalEntry
        WHERE title LIKE 'entry%';
      INSERT INTO entryTag SELECT id, 'rare', 1, 'Rare' FROM journalEntry
        WHERE title LIKE 'entry%' AND substr(title, 7) % 3 = 0;
      """)
    for (query, count) in [
      (FaithQuery<JournalEntry>(tag: "common"), 3000), (.init(tag: "rare"), 1000),
      (.init(search: "entry"), 3000),
    ] {
      var query = query
      query.includesPrivate = true
      let all = try library.faith.entries(matching: query)
      #expect(all.count == count && Set(all.map(\.id)).count == count)
      let isInOrder = zip(all, all.dropFirst()).allSatisfy { one, next in
        one.date > next.date
          || (one.date == next.date && one.id.uuidString < next.id.uuidString)
      }
      #expect(isInOrder)
      (query.limit, query.offset) = (7, 995)
      #expect(try library.faith.entries(matching: query) == Array(all[995...].prefix(7)))
    }
    #expect(try titles(library, .init(search: "entry 2999")).isEmpty)
    #expect(try titles(library, .init(search: "entry 2998")) == ["entry 2998"])
    #expect(
      try library.faith.tags() == [
        TagCount(tag: "Common", count: 1500), TagCount(tag: "Rare", count: 500),
      ])
  }
}
