import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Queries")
struct QueryTests {
  private func catalog(_ recordings: [Recording]) throws -> Catalog {
    let catalog = try Catalog.inMemory()
    try catalog.recordings.insert(recordings)
    return catalog
  }

  @Test(
    "A search finds title, notes and name, regardless of case, accents and wildcards",
    arguments: [
      ("100%", ["A"]), ("0%_", ["A"]), ("_d", ["A"]), ("\\o/", ["B"]), ("%", ["A"]),
      ("_", ["A", "C"]),
      ("élan", ["B"]), ("ELAN", ["B"]), ("e\u{301}lan", ["B"]), ("Straße", ["C"]),
      ("img_00", ["C"]), ("한국", ["C"]), ("\u{1112}\u{1161}\u{11AB}", ["C"]), ("Ё", ["B"]),
      ("çà", ["A"]), ("", ["A", "B", "C"]), ("nothing of the kind", []), ("'; DROP", []), ("*", []),
      (String(repeating: "%", count: 60_000), []),
    ])
  func search(needle: String, titles: [String]) throws {
    let catalog = try catalog([
      try recording(title: "A", notes: "100%_done, ca va", name: "x.mov"),
      try recording(title: "B", notes: "E\u{301}LAN \\o/ ещё", name: "x.mov"),
      try recording(title: "C", notes: "straße", name: "IMG_0001 한국.MOV"),
    ])
    let query = RecordingQuery(search: needle, sort: .title)
    #expect(try catalog.recordings.matching(query).map(\.title) == titles)
    #expect(try catalog.recordings.count(matching: query) == titles.count)
  }

  @Test("Filters combine")
  func filters() throws {
    let catalog = try catalog([
      try recording(type: .audio, purpose: .milestone, title: "one"),
      try recording(type: .audio, purpose: .craving, title: "two"),
      try recording(type: .video, purpose: .milestone, title: "three"),
    ])
    func titles(_ query: RecordingQuery) throws -> [String?] {
      try catalog.recordings.matching(query).map(\.title)
    }
    #expect(try titles(RecordingQuery(type: .audio, sort: .title)) == ["one", "two"])
    #expect(try titles(RecordingQuery(purpose: .milestone, sort: .title)) == ["one", "three"])
    #expect(try titles(RecordingQuery(type: .audio, purpose: .milestone)) == ["one"])
    #expect(try titles(RecordingQuery(type: .video, purpose: .milestone, search: "one")) == [])
  }

  @Test("Each order, with ties in the order of IDs", arguments: RecordingQuery.Sort.allCases)
  func orders(sort: RecordingQuery.Sort) throws {
    let later = noon.addingTimeInterval(0.001)
    let recordings = [
      try recording(id: uuid(1), at: noon, duration: 30, title: "zebra", playCount: 2),
      try recording(id: uuid(2), at: later, duration: 10, title: "Émile", playCount: 2),
      try recording(id: uuid(3), at: noon, duration: 30, title: nil, name: "b", playCount: 0),
      try recording(id: uuid(4), at: later, duration: 20, title: "emil", playCount: 9),
      try recording(id: uuid(5), at: noon, duration: 30, title: nil, name: "A", playCount: 0),
    ]
    let expected: [RecordingQuery.Sort: [Int]] = [
      .recent: [2, 4, 1, 3, 5], .played: [4, 2, 1, 3, 5], .longest: [1, 3, 5, 4, 2],
      .title: [4, 2, 1, 3, 5],
    ]
    let catalog = try catalog(recordings.reversed())
    let ids = try catalog.recordings.matching(RecordingQuery(sort: sort)).map(\.id)
    #expect(try ids == expected[sort]?.map { try uuid($0) })
  }

  @Test("Pages of a list neither overlap nor leave gaps, and the count is of all")
  func listPages() throws {
    let catalog = try catalog(try (0..<25).map { _ in try recording() })
    let all = try catalog.recordings.matching(RecordingQuery())
    var pages: [Recording] = []
    for offset in stride(from: 0, to: 30, by: 7) {
      let query = RecordingQuery(limit: 7, offset: offset)
      pages += try catalog.recordings.matching(query)
      #expect(try catalog.recordings.count(matching: query) == 25)
    }
    #expect(pages == all)
    #expect(try catalog.recordings.matching(RecordingQuery(offset: 20)).count == 5)
    #expect(try catalog.recordings.matching(RecordingQuery(limit: 0)) == [])
    #expect(try catalog.recordings.matching(RecordingQuery(limit: -1, offset: -1)) == [])
  }

  @Test("Pages for long readers go through everything in the order of IDs")
  func longPages() throws {
    let recordings = try (0..<1005).map { _ in try recording() }
    let catalog = try catalog(recordings)
    let sorted = recordings.sorted { $0.id.uuidString < $1.id.uuidString }
    #expect(try catalog.files.page(after: nil, limit: 5000).count == Catalog.longestPage)
    var files: [StoredFiles] = []
    while case let page = try catalog.files.page(after: files.last?.id.uuidString, limit: 400),
      !page.isEmpty
    {
      files += page
    }
    #expect(files.map(\.id) == sorted.map(\.id))
    #expect(files.map(\.filePath) == sorted.map(\.filePath.string))
    #expect(files.map(\.thumbnailPath) == sorted.map(\.thumbnailPath?.string))
    #expect(files.allSatisfy { $0.fileSize == 1000 && $0.type == .video })
  }

  @Test(
    "A prefix of an ID finds the recordings that begin with it",
    arguments: [
      ("AAAA", [10]), ("aaaa", [10]), ("aaaaaaaa-aAaA", [10]), ("ffff", [15]), ("0", [0]),
      ("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", [15]), ("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFFF", []),
      ("AB", []), ("", []), ("G", []), ("%", []), ("_", []), ("A*", []), ("ﬀ", []), ("é", []),
      ("A'", []),
    ])
  func prefixes(prefix: String, found: [Int]) throws {
    let catalog = try catalog(try [0, 9, 10, 15].map { try recording(id: uuid($0)) })
    let ids = try catalog.recordings.matching(idPrefix: prefix, limit: 5).map(\.id)
    #expect(try ids == found.map { try uuid($0) })
  }

  @Test("With a limit, two rows are enough to tell that a prefix is ambiguous")
  func prefixLimit() throws {
    let ids = try (0..<3).map {
      try #require(UUID(uuidString: "ABCD0000-0000-0000-0000-00000000000\($0)"))
    }
    let catalog = try catalog(try ids.reversed().map { try recording(id: $0) })
    #expect(
      try catalog.recordings.matching(idPrefix: "abcd", limit: 2).map(\.id) == Array(ids.prefix(2)))
    #expect(try catalog.recordings.matching(idPrefix: "abcd", limit: -1) == [])
  }

  @Test("A source is known by its own hash, by a file's hash, and by its first part")
  func sources() throws {
    let parts = try [2, 3, 1].map {
      try recording(source: 0x11, file: UInt8(0x20 + $0), part: $0, partCount: 3)
    }
    let catalog = try catalog(parts)
    #expect(try catalog.recordings.find(ofSource: digest(0x11)) == parts[2])
    #expect(try catalog.recordings.find(ofSource: digest(0x23)) == parts[1])
    #expect(try catalog.recordings.find(ofSource: digest(0x99)) == nil)
  }

  @Test("A recording is found by its ID, and an unknown ID is not found")
  func byID() throws {
    let one = try recording()
    let catalog = try catalog([one])
    #expect(try catalog.recordings.find(id: one.id) == one)
    #expect(try catalog.recordings.contains(id: one.id))
    #expect(try catalog.recordings.find(id: UUID()) == nil)
    #expect(try !catalog.recordings.contains(id: UUID()))
  }
}
