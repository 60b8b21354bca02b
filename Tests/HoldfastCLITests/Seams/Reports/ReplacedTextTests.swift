import Foundation
import HoldfastTestSupport
import Testing

@Suite("Replaced text in the catalog's file", .temporaryFolder)
struct ReplacedTextTests {
  let library = LibraryFolder()

  private func isDue(_ library: LibraryFolder) async throws -> Bool {
    try await library.column("SELECT compactionDue FROM library") == ["1"]
  }

  /// Makes the catalog too large to be compacted at once, and says that it is compacted.
  private func grow() async throws {
    try await library.enableJournals()
    try await library.changeCatalog(
      """
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 16000)
      INSERT INTO craving (id, timestamp, timestampOffset, intensity, notes, createdAt)
      SELECT printf('%08X-0000-4000-8000-000000000000', n), '2024-01-01 00:00:00.000', 0, 5,
        hex(zeroblob(240)), '2024-01-01 00:00:00.000' FROM n;
      UPDATE library SET compactionDue = 0;
      """)
  }

  @Test("An edit that replaces text makes a compaction due; one that only adds text does not")
  func due() async throws {
    try await grow()
    for text in EditedText.all {
      let id = try await text.add("first", to: library)
      try await library.changeCatalog("UPDATE library SET compactionDue = 0")
      try await text.edit(id, to: "the first and more", in: library)
      #expect(try await !isDue(library), "\(text.testDescription)")
      try await text.edit(id, to: "second", in: library)
      #expect(try await isDue(library), "\(text.testDescription)")
    }
    // So do an import of data and a merge.
    let copy = try await library.copy(to: "copy")
    for text in EditedText.all {
      let id = try await copy.column(
        "SELECT id FROM \(text.table) WHERE \(text.column) = 'second'")[0]
      try await text.edit(id, to: "third", in: copy)
    }
    let document = try await copy.export(to: "export.json")
    for (name, command) in [
      ("data", ["import-data", document]), ("merged", ["merge", copy.path]),
    ] {
      let own = try await library.copy(to: name)
      try await own.changeCatalog("UPDATE library SET compactionDue = 0")
      let result = try await own.holdfast(command)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await isDue(own), "\(name)")
      let doctor = try await own.holdfast("doctor")
      #expect(doctor.output.contains("holdfast doctor --compact"), "\(doctor.output)")
    }
    #expect(try await library.holdfast("doctor", "--compact").status == 0)
    #expect(try await !isDue(library))
  }

  @Test("A trigger that an edit removes makes a compaction due as well")
  func trigger() async throws {
    try await grow()
    let id = try await library.record(
      "craving", "log", "--intensity", "5", "--trigger", "Sad", "--trigger", "Bored"
    ).id
    _ = try await library.record("craving", "edit", id, "--intensity", "6")
    #expect(try await !isDue(library))
    _ = try await library.record("craving", "edit", id, "--trigger", "Sad")
    #expect(try await isDue(library))
    #expect(try await library.column("SELECT trigger FROM cravingTrigger") == ["Sad"])
  }

  @Test("A recording in place of another makes a compaction due as well")
  func link() async throws {
    try await library.importing("voice.wav", "aac.m4a")
    try await grow()
    let ids = try await library.column("SELECT id FROM recording")
    for arguments in [["add", "Read"], ["done", "Read"], ["link", "Read", ids[0]]] {
      let result = try await library.holdfast(["habit"] + arguments)
      try #require(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await !isDue(library))
    #expect(try await library.holdfast("habit", "link", "Read", ids[1]).status == 0)
    #expect(try await isDue(library))
  }

  @Test("No text that an edit, an import of data or a merge replaces stays in a small catalog")
  func small() async throws {
    try await library.enableJournals()
    func expectGone(_ words: String, _ own: LibraryFolder) async throws {
      #expect(try await own.grep(words).isEmpty)
      try await own.expectPrivate()
    }
    for text in EditedText.all {
      let id = try await text.add("the first words of \(text.table)", to: library)
      try await text.edit(id, to: "the second words of \(text.table)", in: library)
    }
    try await expectGone("the first words of", library)
    let copy = try await library.copy(to: "copy")
    for text in EditedText.all {
      let id = try await copy.column(
        "SELECT id FROM \(text.table) WHERE \(text.column) LIKE 'the second %'")[0]
      try await text.edit(id, to: "the third words of \(text.table)", in: copy)
    }
    let document = try await copy.export(to: "export.json")
    for (name, command) in [
      ("data", ["import-data", document]), ("merged", ["merge", copy.path]),
    ] {
      let own = try await library.copy(to: name)
      let result = try await own.holdfast(command)
      #expect(result.status == 0, "\(result.errorOutput)")
      try await expectGone("the second words of", own)
    }
  }

  @Test("No replaced text can be found in a small catalog's file", arguments: [4, 14])
  func bytes(seed: UInt64) async throws {
    var random = seed
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % limit
    }
    var numbers: [String: Int] = [:]
    for step in 0..<120 {
      var id = String(format: "%08X-0000-4000-8000-%012d", next(1 << 30), step)
      if numbers.count >= 25, next(5) > 0 { id = numbers.keys.sorted()[next(numbers.count)] }
      let isNew = numbers.updateValue(step, forKey: id) == nil
      let notes =
        "secret \(1000 + step) " + String(repeating: "x", count: [5, 20, 100, 300, 480][next(5)])
      let edited = isNew ? "" : String(format: #","modifiedAt":"2026-01-02T10:00:00.%03dZ""#, step)
      let document = try LibraryFolder.document(
        """
        ,"cravings":[{"id":"\(id)","timestamp":"2026-01-01T10:00:00.000Z","intensity":5,
        "triggers":[],"notes":"\(notes)","createdAt":"2026-01-01T10:00:00.000Z"\(edited)}]
        """)
      let result = try await library.importData(document)
      try #require(result.lines.contains("cravings: 1 \(isNew ? "added" : "updated")"))
      let found = try await Command.output(
        of: "grep", ["-aoE", "secret [0-9]{4}", "\(library.path)/catalog.sqlite"])
      let left = Set(found.output.split(separator: "\n").map(String.init))
        .subtracting(numbers.values.map { "secret \(1000 + $0)" })
      try #require(left.isEmpty, "after step \(step): \(left)")
    }
    try await library.expectPrivate()
  }
}
