import Foundation
import HoldfastTestSupport
import Testing

@Suite("Rebuilding a catalog", .temporaryFolder)
struct RebuildTests {
  let library = LibraryFolder()

  /// A line of `restore --rebuild --json`.
  private struct Line: Decodable {
    var event: String
    var kind: String?
    var count: Int?
    var path: String?
    var quarantine: String?
  }

  private static let tables = [
    "recording", "thumbnail", "sound", "craving", "cravingTrigger", "usage", "usageTrigger",
    "message",
  ]

  private var catalog: String { "\(library.path)/catalog.sqlite" }

  private func rebuild() async throws -> CommandResult {
    try await library.holdfast("restore", "--rebuild", "--json")
  }

  private func bash(_ script: String) async throws {
    _ = try await Command.output(of: "bash", ["-c", "set -e; cd \"$0\"; \(script)", library.path])
  }

  /// Fills the library with entries on many pages, and keeps a copy of the catalog.
  ///
  /// - Parameter journals: The journals to enable, with records of every kind.
  /// - Returns: The path of the copy.
  private func fill(_ journals: [TestedJournal] = []) async throws -> String {
    try await library.importing("portrait.mov", "aac.m4a")
    for journal in journals {
      _ = try await library.holdfast("journal", "enable", journal.name)
      let document = "\(Repository.root)/Tests/Documents/\(journal.name).json"
      let filled = try await library.holdfast("import-data", document)
      try #require(filled.status == 0, "\(filled.errorOutput)")
    }
    _ = try await library.holdfast("usage", "log", "--method", "Dab", "--amount", "1")
    _ = try await library.holdfast(
      "show", try await library.column("SELECT id FROM recording")[0])
    try await library.changeCatalog(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO craving (id, timestamp, timestampOffset, intensity, notes, recordingId, createdAt)
      SELECT printf('%08X-0000-4000-8000-000000000000', i * 2654435 % 4294967295),
        '2025-10-01 10:00:00.000', 60, i % 10 + 1, printf('%.*c', i % 300, 'n') || i,
        (SELECT id FROM recording WHERE type = iif(i % 2, 'video', 'audio')),
        '2025-10-01 10:00:00.000' FROM n;
      INSERT INTO cravingTrigger SELECT 'Sad', id FROM craving;
      UPDATE recording SET notes = printf('%.*c', 5000, 'x');
      """)
    try await bash("cp catalog.sqlite ../original.sqlite")
    return temporary("original.sqlite")
  }

  @Test("Without a catalog, each recording gets a row again from its file")
  func missing() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    let columns = """
      SELECT id, substr(timestamp, 1, 19), type, duration, filePath, thumbnailPath, fileSize,
      fileSHA256, thumbnailSHA256, width, height, videoCodec, audioCodec FROM recording ORDER BY id
      """
    let before = try await library.sql(columns)
    try await bash("rm catalog.sqlite")
    let result = try await rebuild()
    #expect(result.status == 0, "\(result.errorOutput)")
    let lines = try result.jsonLines(of: Line.self)
    #expect(lines.map(\.event) == ["rebuilt", "rebuilt", "rebuilt", "finished"])
    // A file has its recording's time to the second.
    let after = try await library.sql(columns)
    #expect(after == before)
    try await library.expectSound()
    #expect(
      try await library.holdfast("show", after[0][0]).output.contains("rebuilt from its file"))
    #expect(try await library.find("-path", "*/.quarantine/*").isEmpty)
  }

  @Test("A catalog that can be opened is not rebuilt, and neither is that of another library")
  func whole() async throws {
    try await library.importing("aac.m4a")
    let before = try await sha256(of: catalog)
    let refused = try await rebuild()
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("is not rebuilt"), "\(refused.errorOutput)")
    #expect(try await sha256(of: catalog) == before)
    let other = LibraryFolder("other")
    try await bash(
      "cp ../other/catalog.sqlite . && printf x | dd of=catalog.sqlite bs=1 seek=2 conv=notrunc "
        + "status=none"
    )
    let foreign = try await rebuild()
    #expect(foreign.status == 1)
    #expect(foreign.errorOutput.contains("another library"), "\(foreign.errorOutput)")
    #expect(try await library.find("-path", "*/.staging/*").isEmpty)
    _ = other
  }

  @Test("A catalog behind a link does not count as missing, and neither does a missing disk")
  func notThere() async throws {
    try await library.importing("aac.m4a")
    try await bash(
      "mv catalog.sqlite ../elsewhere.sqlite && ln -s ../elsewhere.sqlite catalog.sqlite")
    let link = try await rebuild()
    #expect(link.status == 1)
    #expect(link.errorOutput.contains("symbolic link"), "\(link.errorOutput)")
    try await bash("rm catalog.sqlite && mv Recordings ../away")
    let disk = try await rebuild()
    #expect(disk.status == 1)
    #expect(disk.errorOutput.contains("Recordings is missing"), "\(disk.errorOutput)")
    #expect(try await library.find("-name", "catalog.sqlite").isEmpty)
  }

  @Test("A row with an unreadable path is kept, and an unreadable row is replaced")
  func unreadableRows() async throws {
    try await library.importing("portrait.mov", "aac.m4a", options: ["--title", "Why"])
    try await library.changeCatalog(
      """
      PRAGMA ignore_check_constraints = 1;
      UPDATE recording SET filePath = replace(filePath, '.m4a', char(23) || 'm4a')
      WHERE type = 'audio';
      UPDATE recording SET duration = -1 WHERE type = 'video';
      """)
    try await bash("printf '\\0' | dd of=catalog.sqlite bs=1 conv=notrunc status=none")
    let result = try await rebuild()
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      try await library.sql("SELECT type, coalesce(title, '') FROM recording ORDER BY type")
        == [["audio", "Why"], ["video", ""]])
    try await library.expectSound()
  }

  @Test("A catalog that no longer names its last migrations keeps its rows")
  func lostMigrations() async throws {
    let original = try await fill()
    // In raw bytes, as damage does.
    try await bash(
      """
      python3 -c 'b = bytearray(open("catalog.sqlite", "rb").read())
      page = next(i for i in range(0, len(b), 4096)
        if b"v9" in b[i:i+4096] and b"v5" in b[i:i+4096] and b"CREATE" not in b[i:i+4096])
      p = bytes(b[page:page+4096])
      start, end = p.rfind(b"v9") - 3, p.rfind(b"v5") + 2
      b[page+start:page+end] = bytes([255]) * (end - start)
      open("catalog.sqlite", "wb").write(b)'
      """)
    let result = try await rebuild()
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    for table in ["recording", "craving", "plays", "message"] {
      let rows = "SELECT count(*) FROM \(table)"
      let before = try await Command.output(of: "sqlite3", [original, rows]).lines
      #expect(try await library.column(rows) == before, "\(table)")
    }
    try await library.expectSound()
  }

  /// Damage to a catalog.
  private static let damages: [(name: String, script: String)] = [
    ("header", "dd if=/dev/urandom of=catalog.sqlite bs=100 count=1 conv=notrunc status=none"),
    ("first page", "dd if=/dev/zero of=catalog.sqlite bs=4096 count=1 conv=notrunc status=none"),
    (
      "schema",
      """
      python3 -c 'b = bytearray(open("catalog.sqlite", "rb").read())
      for i in range(0, len(b), 4096):
        if i == 0 or b"CREATE " in b[i:i+4096] or b"CONSTRAINT " in b[i:i+4096]:
          b[i:i+4096] = bytes(4096)
      open("catalog.sqlite", "wb").write(b)'
      """
    ),
    ("half", "truncate -s $(( $(stat -c %s catalog.sqlite) / 2 + 700 )) catalog.sqlite"),
    (
      "trigger",
      "sqlite3 catalog.sqlite 'CREATE TRIGGER t AFTER INSERT ON usage BEGIN SELECT 1; END'"
    ),
    ("folder", "rm catalog.sqlite && mkdir catalog.sqlite"),
  ]

  @Test(
    "The readable rows of a damaged catalog are kept",
    arguments: Extent.sample(Array(damages.indices), every: 6))
  func damaged(index: Int) async throws {
    // Without a schema, a row is added to each table to which it may belong, possibly in two
    // journals.
    let journals = Self.damages[index].name == "schema" ? [] : TestedJournal.all
    let tables = journals.flatMap { $0.command.tables }
    let original = try await fill(journals)
    try await bash(Self.damages[index].script)
    try await expectRebuilt(original)
    let old = try await library.find("-path", "*/.quarantine/*/catalog.sqlite")
    #expect(old.count == 1)
    switch Self.damages[index].name {
    case "half", "folder": break
    default:
      // The rows were on other pages, so all are there.
      for table in Self.tables + tables {
        let difference = try await library.column(
          """
          ATTACH '\(original)' AS o;
          SELECT count(*) FROM (SELECT * FROM o.\(table) EXCEPT SELECT * FROM main.\(table))
          """)
        #expect(difference == ["0"], "\(table)")
      }
      // No table has another table's row.
      for table in tables {
        let others = try await library.column(
          """
          ATTACH '\(original)' AS o;
          SELECT count(*) FROM (SELECT * FROM main.\(table) EXCEPT SELECT * FROM o.\(table))
          """)
        #expect(others == ["0"], "\(table)")
      }
    }
  }

  @Test("Whichever pages are lost, the rows that sqlite3's .recover finds are kept")
  func pages() async throws {
    let original = try await fill()
    let count = try #require(
      try await library.column("SELECT page_count FROM pragma_page_count").first.flatMap { Int($0) }
    )
    for seed in 1...Extent.choose(sample: 4, whole: 20) {
      var random = SeededNumbers(seed: UInt64(seed))
      let lost = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        Int.random(in: 0..<count, using: &random)
      }
      try await bash("cp ../original.sqlite catalog.sqlite")
      for page in lost {
        let source = Bool.random(using: &random) ? "zero" : "urandom"
        try await bash(
          "dd if=/dev/\(source) of=catalog.sqlite bs=4096 count=1 seek=\(page) conv=notrunc "
            + "status=none"
        )
      }
      try await expectRebuilt(original, "pages \(lost)")
    }
  }

  /// Rebuilds the damaged catalog, and compares it with the result of `.recover`.
  private func expectRebuilt(_ original: String, _ moment: String = "") async throws {
    let peer = temporary("peer.sqlite")
    try await bash(
      """
      rm -f ../peer.sqlite; test -f catalog.sqlite || exit 0
      sqlite3 catalog.sqlite .recover 2>/dev/null | sqlite3 ../peer.sqlite >/dev/null 2>&1 || true
      """)
    let result = try await rebuild()
    guard result.status != 1 || !result.errorOutput.contains("is not rebuilt") else { return }
    #expect(result.status == 0, "\(moment): \(result.errorOutput)\(result.output)")
    try await library.expectSound(moment)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"], "\(moment)")
    guard FileManager.default.fileExists(atPath: peer) else { return }
    for table in Self.tables {
      // Rows of a lost entry are lost with it.
      let owned =
        table.hasSuffix("Trigger")
        ? " WHERE \(table.dropLast(7))Id IN (SELECT id FROM main.\(table.dropLast(7)))" : ""
      let lost = try await Command.run(
        "sqlite3",
        [
          catalog,
          """
          ATTACH '\(peer)' AS p; ATTACH '\(original)' AS o;
          SELECT count(*) FROM (SELECT * FROM (SELECT * FROM p.\(table) INTERSECT
            SELECT * FROM o.\(table))\(owned) EXCEPT SELECT * FROM main.\(table))
          """,
        ])
      // sqlite3's copy may have no such table.
      guard lost.status == 0 else { continue }
      #expect(lost.lines == ["0"], "\(moment): \(table)")
    }
  }

  @Test("A file that is not a recording is named and left alone")
  func strangers() async throws {
    try await library.importing("aac.m4a")
    let names = [
      "notes.txt", "audio_00000000-0000-4000-8000-000000000001.m4a",
      "Thumbnails/video_00000000-0000-4000-8000-000000000002_thumb.jpg",
    ]
    for name in names {
      try Data("mine".utf8).write(to: URL(filePath: "\(library.path)/Recordings/\(name)"))
    }
    try await bash("chmod 600 Recordings/*.* Recordings/Thumbnails/*")
    let before = try await library.findings()
    try await bash("rm catalog.sqlite")
    let result = try await rebuild()
    #expect(result.status == 3)
    let left = try result.jsonLines(of: Line.self).filter { $0.event == "left" }.compactMap(\.path)
    #expect(Set(left) == Set(names.map { "Recordings/\($0)" }))
    #expect(try await library.findings() == before)
    for name in names {
      #expect(
        try String(contentsOfFile: "\(library.path)/Recordings/\(name)", encoding: .utf8) == "mine")
    }
  }

  @Test("The new catalog is on the disk before it replaces the old one, and its name after")
  func order() async throws {
    try await library.importing("aac.m4a")
    try await bash(Self.damages[0].script)
    let trace = try await Strace.run(
      [FaultPoints.expression], library.command(["restore", "--rebuild"]))
    #expect(trace.result.status == 0, "\(trace.result.errorOutput)")
    let steps = WriteOrder(trace, in: library).steps
    let rename = try #require(
      steps.firstIndex { if case .rename(_, "catalog.sqlite") = $0 { true } else { false } })
    guard case .rename(let from, _) = steps[rename] else { return }
    let write = try #require(steps[..<rename].lastIndex(of: .write(from)))
    #expect(steps[write..<rename].contains(.sync(from)))
    #expect(steps[rename...].contains(.sync("")))
  }
}
