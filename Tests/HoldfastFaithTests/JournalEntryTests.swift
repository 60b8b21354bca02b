import Foundation
import Holdfast
import HoldfastCravings
import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: entries", .temporaryFolder)
struct JournalEntryTests {
  @Test("1: An entry is read back equal, with all values and with none; tags keep their order")
  func roundTrip() async throws {
    let library = try openFaith()
    let bare = entry()
    var full = JournalEntry(
      title: "Sea", content: "Blue.\nWide.", date: noon.addingTimeInterval(-60), dateOffset: -300,
      tags: ["Trust", " Faith ", "faith", "a b"], mood: " Grateful ", location: "the pier",
      isPrivate: true, photoURLs: ["2025/sea.jpg", "2025/sea.jpg"],
      drawingData: Data([0, 1, 255]), createdAt: noon)
    #expect(full.tags == ["Trust", "Faith", "a b"])
    #expect(full.mood == "Grateful")
    try library.faith.write(bare)
    try library.faith.write(full)
    #expect(try library.record(JournalEntry.self, id: bare.id) == bare)
    #expect(try library.record(JournalEntry.self, id: full.id) == full)
    #expect(
      try await sqlite("SELECT tag, foldedTag FROM entryTag ORDER BY position")
        == "Trust|trust\nFaith|faith\na b|a b")
    #expect(
      try await sqlite("SELECT hex(drawing) FROM journalEntry WHERE drawing IS NOT NULL")
        == "0001FF")
    full.tags += ["FAITH", "new"]
    #expect(full.tags == ["Trust", "Faith", "a b", "new"])
    full.removeTags(["trust", "A B"])
    #expect(full.tags == ["Faith", "new"])
    full.tags = ["one"]
    try library.edit(JournalEntry.self, id: full.id) { $0 = full }
    #expect(try library.record(JournalEntry.self, id: full.id)?.tags == ["one"])
  }

  @Test("1: A blank title is refused by the model and by the schema, without a crash")
  func title() async throws {
    let library = try openFaith()
    for title in ["", "  ", "\u{2003}\t"] {
      expectRule("the title is blank") { try library.faith.write(entry(title)) }
    }
    try library.faith.write(entry())
    for title in ["''", "'  '", "char(8195)"] {
      #expect(
        try await sqliteRefuses("UPDATE journalEntry SET title = \(title)", saying: "title"))
    }
    #expect(try library.faith.entries().count == 1)
  }

  /// A change that the model and the schema refuse.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: String
    var change: @Sendable (inout JournalEntry) -> Void
  }

  private static let changes: [Change] = [
    Change(testDescription: "title = printf('%.201c', 'x')", words: "title has 201") {
      $0.title = String(repeating: "x", count: 201)
    },
    Change(testDescription: "content = printf('%.100001c', 'x')", words: "has 100001") {
      $0.content = String(repeating: "x", count: 100_001)
    },
    Change(testDescription: "location = printf('%.201c', 'x')", words: "location has 201") {
      $0.location = String(repeating: "x", count: 201)
    },
    Change(testDescription: "mood = printf('%.41c', 'x')", words: "mood has 41") {
      $0.mood = String(repeating: "x", count: 41)
    },
    Change(testDescription: "mood = ' x'", words: "white space") { $0.mood = " x" },
    Change(testDescription: "mood = char(160)", words: "blank") { $0.mood = "\u{A0}" },
    Change(testDescription: "dateOffset = 1440", words: "1440") { $0.dateOffset = 1440 },
    Change(testDescription: "drawing = zeroblob(5242881)", words: "5242881 bytes") {
      $0.drawingData = Data(count: 5_242_881)
    },
  ]

  @Test("The model and the schema agree on every rule", arguments: changes)
  func rules(change: Change) async throws {
    let library = try openFaith()
    let entry = entry()
    try library.faith.write(entry)
    expectRule(change.words) {
      try library.edit(JournalEntry.self, id: entry.id, change.change)
    }
    #expect(try await sqliteRefuses("UPDATE journalEntry SET \(change.testDescription)"))
    #expect(try library.faith.entries() == [entry])
  }

  @Test("Tags are at most 50 of at most 50 characters, each once in any case")
  func tagRules() async throws {
    let library = try openFaith()
    expectRule("51 tags") { try library.faith.write(entry(tags: (1...51).map { "\($0)" })) }
    expectRule("a tag has 51") {
      try library.faith.write(entry(tags: [String(repeating: "x", count: 51)]))
    }
    expectRule("a tag is blank") { try library.faith.write(entry(tags: ["a", " "])) }
    try library.faith.write(entry(tags: ["a"]))
    let values = "SELECT id, 'a', 1, 'A' FROM journalEntry"
    #expect(try await sqliteRefuses("INSERT INTO entryTag \(values)", saying: "UNIQUE"))
    #expect(try await sqliteRefuses("UPDATE entryTag SET position = 50"))
    #expect(try await sqliteRefuses("UPDATE entryTag SET tag = ' a'"))
  }

  @Test(
    "13: A photo's reference cannot lead elsewhere",
    arguments: [
      "../x", "/x", "file:///x", "https://x", "x/../y", "..", "x/..", "C:\\x", "a:b", "data:,x",
      "x\\..\\y", " ", "/\u{301}x",
    ])
  func photos(reference: String) async throws {
    let library = try openFaith()
    var bad = entry()
    bad.photoURLs = [reference]
    expectRule("photo") { try library.faith.write(bad) }
    var good = entry()
    good.photoURLs = ["2025/sea:1.jpg", "a..b", "...", "x"]
    try library.faith.write(good)
    #expect(try library.faith.entries() == [good])
    #expect(
      try await sqliteRefuses(
        "UPDATE entryPhoto SET reference = '\(reference)' WHERE position = 0",
        saying: "reference"))
  }

  @Test(
    "12: A drawing of 5 MiB is the same after an export and an import; one byte more is refused")
  func drawing() throws {
    let library = try openFaith()
    var drawn = entry()
    drawn.drawingData = Data((0..<5_242_880).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try library.faith.write(drawn)
    let path = "\(TemporaryFolder.current)/export.json"
    try library.exportDocument(toFile: path)
    try library.delete(JournalEntry.self, id: drawn.id)
    let document = try ExportDocument(contentsOf: path, journals: [.cravings, .faith])
    #expect(try library.importData(document).items.isEmpty)
    #expect(try library.record(JournalEntry.self, id: drawn.id) == drawn)
    drawn.drawingData?.append(0)
    expectRule("5242881 bytes") { try drawn.validate() }
  }

  @Test("14: Limits count scalars, whatever they are, and a NUL is refused")
  func hostileText() throws {
    let library = try openFaith()
    let marks = "e" + String(repeating: "\u{301}", count: 4999)
    let family = "👨‍👩‍👧‍👦"
    let hebrew = String(repeating: "שלום ", count: 2000)
    let written = entry(family, content: marks + hebrew, tags: [family, "אמונה"])
    try library.faith.write(written)
    #expect(try library.record(JournalEntry.self, id: written.id) == written)
    #expect(try library.faith.entries(matching: .init(search: "שלום ש")).count == 1)
    #expect(try library.faith.entries(matching: .init(search: "E")).count == 1)
    #expect(try library.faith.entries(matching: .init(tag: "אמונה")).count == 1)
    expectRule("has 201 characters") {
      try library.faith.write(entry("e" + String(repeating: "\u{301}", count: 200)))
    }
    for bad in [entry("a\0"), entry(content: "\0"), entry(tags: ["a\0"]), entry(mood: "\0a")] {
      expectRule("NUL") { try library.faith.write(bad) }
    }
  }

  @Test("Times in the future are refused, and an edit checks what it changes")
  func future() throws {
    let library = try openFaith()
    expectRule("in the future") {
      try library.faith.write(entry(at: noon.addingTimeInterval(1)), now: noon)
    }
    let written = entry()
    try library.faith.write(written, now: noon)
    expectRule("in the future") {
      try library.edit(JournalEntry.self, id: written.id, now: noon) {
        $0.date = noon.addingTimeInterval(1)
      }
    }
  }
}
