import Foundation
@testable import HoldfastCatalog
import HoldfastCravings
import HoldfastModel
import Testing
import HoldfastTestSupport

/// `secure_delete` overwrites deleted bytes, but not all their copies: where SQLite moves rows
/// between pages (`rebuildPage` in its btree.c), the old bytes stay in the gap before a page's
/// content, and a row that is deleted later has moved away from them. This affects about one in a
/// thousand changes. A compacted catalog has no such copies.
@Suite("Deleted or replaced text cannot be found in a compacted catalog")
struct DeletionTests {
  @Test("Text of single recordings, in any order of inserts, edits and deletions")
  func recordings() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let catalog = try Catalog(path: path, access: .writing)
    _ = try catalog.pragma("synchronous = OFF")
    var (numbers, words) = (SeededNumbers(seed: 1), UniqueWords())
    var living: [(id: RecordingID, texts: [String])] = []
    var dead: [String] = []
    for step in 1...1400 {
      let one = living.indices.randomElement(using: &numbers)
      switch (Int.random(in: 0..<10, using: &numbers), one) {
      case (0...1, let one?):
        dead += living[one].texts
        try catalog.recordings.delete(id: living.remove(at: one).id)
      case (2...3, let one?):
        let texts = [words.text(12), words.text(.random(in: 1...300, using: &numbers))]
        dead += living[one].texts.prefix(2)
        living[one].texts.replaceSubrange(0..<2, with: texts)
        _ = try catalog.recordings.update(id: living[one].id) {
          $0.title = texts[0]
          $0.notes = texts[1]
        }
      default:
        let texts = [
          words.text(.random(in: 1...15, using: &numbers)),
          words.text(.random(in: 0...100, using: &numbers)), words.text(2),
        ]
        let one = try recording(
          at: noon.addingTimeInterval(.random(in: 0...1e8, using: &numbers)), title: texts[0],
          notes: texts[1], name: texts[2])
        try catalog.recordings.insert([one])
        living.append((one.id, texts))
      }
      guard step.isMultiple(of: 200) else { continue }
      try catalog.compaction.run()
      #expect(try UniqueWords.found(dead, in: path) == [])
      let kept = living.flatMap(\.texts)
      #expect(try UniqueWords.found(kept, in: path) == UniqueWords.all(in: kept))
    }
    #expect(try catalog.integrity.findings() == [])
  }

  @Test("Text of single cravings, usage and messages")
  func entries() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    let catalog = try Catalog(path: path, access: .writing, journals: [.cravings])
    _ = try catalog.pragma("synchronous = OFF")
    var (numbers, words) = (SeededNumbers(seed: 2), UniqueWords())
    var living: [(id: UUID, text: String)] = []
    var dead: [String] = []
    for step in 1...2400 {
      let text = words.text(.random(in: 1...38, using: &numbers))
      let one = living.indices.randomElement(using: &numbers)
      switch (Int.random(in: 0..<10, using: &numbers), one) {
      case (0...2, let one?):
        let (id, text) = living.remove(at: one)
        dead.append(text)
        let isGone =
          try catalog.delete(Craving.self, id: id) || catalog.delete(Usage.self, id: id)
          || catalog.delete(Message.self, id: id)
        #expect(isGone)
      case (3...4, let one?):
        dead.append(living[one].text)
        living[one].text = text
        let id = living[one].id
        try catalog.update(Craving.self, id: id) { $0.notes = text }
        try catalog.update(Usage.self, id: id) { $0.notes = text }
        try catalog.update(Message.self, id: id) { $0.content = text }
      case (5...6, _):
        let one = try craving(triggers: [.sad], notes: text)
        try catalog.insert(one)
        living.append((one.id, text))
      case (7...8, _):
        let one = usage(triggers: [.sad], notes: text)
        try catalog.insert(one)
        living.append((one.id, text))
      default:
        let one = Message(content: text, category: .urge, createdAt: noon)
        try catalog.insert(one)
        living.append((one.id, text))
      }
      guard step.isMultiple(of: 400) else { continue }
      try catalog.compaction.run()
      #expect(try UniqueWords.found(dead, in: path) == [])
      let kept = living.map(\.text)
      #expect(try UniqueWords.found(kept, in: path) == UniqueWords.all(in: kept))
    }
  }

  @Test("An erasure leaves nothing but the default messages in their first state")
  func erasure() throws {
    let folder = try CatalogFolder()
    let path = try folder.catalog()
    var catalog = try Catalog(path: path, access: .writing, journals: [.cravings])
    _ = try catalog.pragma("synchronous = OFF")
    let uuid = try catalog.libraryUUID()
    let defaults = try catalog.records(Message.self)
    var words = UniqueWords()
    var texts: [String] = []
    func text(_ count: Int) -> String {
      texts.append(words.text(count))
      return texts[texts.count - 1]
    }
    for _ in 0..<150 {
      let one = try recording(title: text(10), notes: text(200), name: text(2))
      try catalog.recordings.insert([one])
      _ = try catalog.recordings.update(id: one.id) { $0.title = text(12) }
      try catalog.insert(
        try craving(triggers: [.sad, .bored], notes: text(30), recording: one.id))
      try catalog.insert(usage(triggers: [.habit], notes: text(30)))
      try catalog.insert(Message(content: text(30), category: .social, createdAt: noon))
    }
    for category in MessageCategory.allCases {
      let shown = try #require(defaults.first { $0.category == category })
      try catalog.update(Message.self, id: shown.id) {
        $0.timesShown += 1
        $0.lastShownAt = noon
        $0.isActive = false
        $0.modifiedAt = noon
      }
    }
    try #require(try !UniqueWords.found(texts, in: path).isEmpty)

    #expect(try catalog.erasure.current() == nil)
    let id = UUID()
    try catalog.erasure.begin(id)
    // The next command after a crash sees the compaction that is due.
    catalog = try Catalog(path: path, access: .writing, journals: [.cravings])
    #expect(try catalog.erasure.current() == id)
    try catalog.compaction.run()
    #expect(try catalog.erasure.current() == id)
    try catalog.erasure.end()
    #expect(try catalog.erasure.current() == nil)

    #expect(try UniqueWords.found(texts, in: path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["catalog.sqlite"])
    #expect(try catalog.libraryUUID() == uuid)
    #expect(try catalog.records(Message.self) == defaults)
    #expect(try catalog.recordings.count(matching: RecordingQuery()) == 0)
    #expect(try catalog.records(Craving.self) == [])
    #expect(try catalog.records(Usage.self) == [])
    #expect(
      try sqlite3(
        path,
        "SELECT count(*) FROM cravingTrigger; SELECT count(*) FROM usageTrigger; "
          + "PRAGMA freelist_count;") == "0\n0\n0")
    #expect(try catalog.integrity.findings() == [])
  }

  @Test("A reader does not compact the catalog")
  func reader() throws {
    let folder = try CatalogFolder()
    let reader = try Catalog(path: try folder.catalog(), access: .reading)
    for step in [
      { try reader.compaction.run() }, { try reader.erasure.begin(UUID()) },
      { try reader.erasure.end() },
    ] {
      let error = #expect(throws: HoldfastError.self, performing: step)
      #expect(error?.code == .readOnly)
    }
  }
}
