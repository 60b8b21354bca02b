import Foundation
import HoldfastTestSupport
import Testing

@Suite("Exporting", .temporaryFolder)
struct ExportTests {
  let library = LibraryFolder()

  /// The sqlite3 program's answer about the tables of an export, and about the catalog as
  /// `library`.
  private func compare(_ folder: String, _ query: String) async throws -> [String] {
    let imports = ["recordings", "cravings", "usage", "messages"].map {
      ".import --csv '\(folder)/\($0).csv' \($0)"
    }
    let attach = "ATTACH 'file:\(library.path)/catalog.sqlite?mode=ro' AS library"
    let answer = try await Command.output(
      of: "sqlite3", ["-batch", "-noheader", ":memory:"] + imports + [attach, query])
    return answer.lines
  }

  /// A column of a table in the catalog, in the export's form.
  private func stored(_ name: Substring) -> String {
    switch name {
    case "timestamp", "createdAt", "modifiedAt", "lastPlayedAt", "lastShownAt":
      "ifnull(replace(\(name), ' ', 'T') || 'Z', '')"
    default: "CAST(ifnull(\(name), '') AS TEXT)"
    }
  }

  /// A column of a table of comma-separated values, where everything is text.
  private func read(_ name: Substring) -> String {
    ["duration", "amount"].contains(name) ? "CAST(CAST(\(name) AS REAL) AS TEXT)" : "\(name)"
  }

  private static let recordings = """
    id timestamp timestampOffset timestampSource type purpose duration filePath thumbnailPath \
    title notes playCount lastPlayedAt createdAt modifiedAt originalFilename sourceSHA256 part \
    partCount fileSize fileSHA256 thumbnailSHA256 width height
    """

  /// The columns of each table, and where an export has them.
  static let tables = [
    ("recording", "recordings", recordings),
    (
      "craving", "cravings",
      "id timestamp timestampOffset intensity location notes recordingId createdAt modifiedAt"
    ),
    (
      "usage", "usage",
      "id timestamp timestampOffset method amount location notes createdAt modifiedAt"
    ),
    (
      "message", "messages",
      "id content category isCustom priority timesShown lastShownAt isActive createdAt modifiedAt"
    ),
  ]

  @Test("The JSON document equals the tables, by the sqlite3 program")
  func document() async throws {
    try await library.fill()
    let document = temporary("export.json")
    let result = try await library.holdfast("export", "--format", "json", "--output", document)
    #expect(result.status == 0)
    #expect(
      result.output
        == "exported  \(document): 2 recordings, 0 transcripts, 3 cravings, 2 usage, 12 messages\n")
    #expect(
      try await Find.names(temporary(""), ["-name", "export.json", "-perm", "600"]).count == 1)
    for (table, list, names) in Self.tables {
      let names = names.split(separator: " ")
      let stored = "SELECT \(names.map(stored).joined(separator: ", ")) FROM \(table)"
      let values = names.map { name in
        let value = "value->>'\(name)'"
        return ["duration", "amount"].contains(name)
          ? "CAST(CAST(\(value) AS REAL) AS TEXT)" : "CAST(ifnull(\(value), '') AS TEXT)"
      }
      let read = """
        SELECT \(values.joined(separator: ", "))
        FROM json_each(readfile('\(document)'), '$.\(list)')
        """
      for (one, other) in [(stored, read), (read, stored)] {
        #expect(try await library.sql("\(one) EXCEPT \(other)").isEmpty, "\(table)")
      }
      #expect(
        try await library.column(
          "SELECT value->>'id' FROM json_each(readfile('\(document)'), '$.\(list)')")
          == library.column("SELECT id FROM \(table) ORDER BY id"))
    }
    for table in ["craving", "usage"] {
      let list = table == "craving" ? "cravings" : "usage"
      let stored = "SELECT \(table)Id, trigger FROM \(table)Trigger"
      let read = """
        SELECT e.value->>'id', t.value FROM json_each(readfile('\(document)'), '$.\(list)') e,
          json_each(e.value, '$.triggers') t
        """
      for (one, other) in [(stored, read), (read, stored)] {
        #expect(try await library.sql("\(one) EXCEPT \(other)").isEmpty, "\(table)")
      }
    }
    let head = "SELECT group_concat(key), value FROM json_each(readfile('\(document)'))"
    #expect(
      try await library.sql(head)
        == [
          [
            "format,schemaVersion,versions,recordings,transcripts,cravings,usage,messages",
            "holdfast",
          ]
        ])
    let plain = try await library.holdfast("export", "--format", "json")
    #expect(plain.outputBytes == Array(try Data(contentsOf: URL(fileURLWithPath: document))))
    #expect(plain.errorOutput == "2 recordings, 0 transcripts, 3 cravings, 2 usage, 12 messages.\n")
  }

  @Test("The tables of an export equal the catalog's, by the sqlite3 program")
  func tables() async throws {
    try await library.fill()
    let folder = temporary("tables")
    let result = try await library.holdfast(
      "export", "--format", "csv", "--output", folder, "--json")
    #expect(result.status == 0)
    #expect(
      result.output == """
        {"counts":{"cravings":3,"messages":12,"recordings":2,"transcripts":0,"usage":2},\
        "event":"exported","output":"\(folder)"}

        """)
    for (table, file, names) in Self.tables {
      let names = names.split(separator: " ")
      let stored = "SELECT \(names.map(stored).joined(separator: ", ")) FROM library.\(table)"
      let read = "SELECT \(names.map(read).joined(separator: ", ")) FROM main.\(file)"
      for (one, other) in [(stored, read), (read, stored)] {
        let difference = try await compare(folder, "\(one) EXCEPT \(other)")
        #expect(difference.isEmpty, "\(table): \(difference)")
      }
    }
    #expect(
      try await compare(
        folder, "SELECT id, triggers FROM main.cravings WHERE triggers <> '' ORDER BY id")
        == ["\(LibraryFolder.id(1))|Anxious; Bored"])
    let files = try await Find.names(folder, ["-type", "f", "-perm", "600"])
    #expect(
      files == ["cravings.csv", "messages.csv", "recordings.csv", "transcripts.csv", "usage.csv"])
    #expect(try await Find.names(temporary(""), ["-name", "tables", "-perm", "700"]).count == 1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/usage.csv"))
    let head = Data(
      "id,timestamp,timestampOffset,method,amount,triggers,location,notes,createdAt,modifiedAt\r\n"
        .utf8)
    #expect(bytes.starts(with: head))
    #expect(bytes.suffix(2) == Data("\r\n".utf8))
  }

  /// Texts, and their form in a table.
  private static let inert = [
    ("=1+1", "'=1+1"), ("+49 30 1234", "'+49 30 1234"), ("-5", "'-5"), ("@SUM(A1)", "'@SUM(A1)"),
    ("  =1", "'  =1"), ("\u{A0}\u{2003}=1", "'\u{A0}\u{2003}=1"), ("\u{200B}=1", "'\u{200B}=1"),
    ("\t=1", "'\t'=1"), ("\tx", "'\tx"), ("\rx", "'\rx"), ("\nx", "'\nx"), ("\"=1\"", "'\"=1\""),
    ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"), (" ﹦1", "' ﹦1"),
    ("a=1", "a=1"), ("1-2", "1-2"), ("a;=1", "a;'=1"), ("a; \"=1", "a;' \"=1"),
    ("a,@x", "a,'@x"), ("a|+x", "a|'+x"), ("a\n- b\r\n- c", "a\n'- b\r\n'- c"),
    ("a;-5;+2.5;x", "a;-5;+2.5;x"), ("a;-5+cmd", "a;'-5+cmd"), ("'=1", "''=1"),
    ("=\u{301}1", "'=\u{301}1"), ("a;=\u{301}", "a;'=\u{301}"), ("", ""), ("x", "x"),
    ("say \"hi\", you", "say \"hi\", you"),
  ]

  @Test("Text that a spreadsheet would run is made inert, and numbers stay numbers")
  func formulas() async throws {
    _ = try await library.holdfast("import-data", LibraryFolder.document(""))
    let rows = Self.inert.enumerated().map { index, texts in
      """
      ('\(LibraryFolder.id(index))', '2026-01-01 10:00:00.000', 'Bowls', 1.5,
        nullif(CAST(x'\(hexadecimal(texts.0))' AS TEXT), ''), '2026-01-01 10:00:00.000', 0)
      """
    }
    try await library.changeCatalog(
      """
      INSERT INTO usage (id, timestamp, method, amount, notes, createdAt, timestampOffset) VALUES
        \(rows.joined(separator: ","))
      """)
    let folder = temporary("tables")
    #expect(
      try await library.holdfast("export", "--format", "csv", "--output", folder).status == 0)
    #expect(
      try await compare(folder, "SELECT hex(notes), amount FROM main.usage ORDER BY id")
        == Self.inert.map { "\(hexadecimal($0.1))|1.5" })
  }

  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { String(Int($0) + 0x100, radix: 16, uppercase: true).dropFirst() }.joined()
  }

  @Test(
    "An export replaces nothing, writes into no library, and leaves nothing if it fails",
    arguments: ["json", "csv"])
  func places(format: String) async throws {
    try await library.fill()
    for (name, words) in [
      ("taken", format == "json" ? "File exists" : "empty folder"),
      ("library/new", "is inside a Holdfast library"),
      ("library/Recordings/new", "is inside a Holdfast library"),
      ("missing/new", "the folder does not exist"),
    ] {
      try? FileManager.default.createDirectory(
        atPath: temporary("taken/x"), withIntermediateDirectories: true)
      let before = try await Find.snapshot(TemporaryFolder.current)
      let result = try await library.holdfast(
        "export", "--format", format, "--output", temporary(name))
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
      #expect(try await Find.snapshot(TemporaryFolder.current) == before)
    }
    // An unreadable row: an export without it would be incomplete.
    try await library.changeCatalog("UPDATE recording SET filePath = 'Recordings//x' || id")
    let result = try await library.holdfast(
      "export", "--format", format, "--output", temporary("new"))
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("cannot be read"))
    let left = try await Find.names(
      TemporaryFolder.current, ["-name", "new*", "-o", "-name", ".holdfast*"])
    #expect(left.isEmpty)
  }

  @Test("CSV tables go into an empty folder, and --format csv needs --output")
  func emptyFolder() async throws {
    try makeFolder("empty")
    let result = try await library.holdfast(
      "export", "--format", "csv", "--output", temporary("empty") + "/")
    #expect(result.status == 0)
    #expect(try await Find.names(temporary("empty"), []).count == 5)
    let bare = try await library.holdfast("export", "--format", "csv")
    #expect(bare.status == 64)
  }

  @Test(
    "A command whose output is lost says so, and a script sees it", arguments: ["list", "stats"])
  func lostOutput(command: String) async throws {
    try await library.fill()
    let holdfast = try Command.holdfast
    let arguments = library.command([command, "--json"])
    let full = try await Command.run(
      "bash", ["-c", "\"$0\" \"$@\" > /dev/full", holdfast] + arguments)
    #expect(full.status == 1)
    #expect(
      full.errorOutput == "Error: the output could not be written: No space left on device; "
        + "what was done stands\n")
    let gone = try await Command.run(
      "bash", ["-c", "\"$0\" \"$@\" | true; exit ${PIPESTATUS[0]}", holdfast] + arguments)
    #expect((gone.status, gone.errorOutput) == (0, ""))
  }

  @Test("A full disk behind standard output is an error, and a reader that goes away is not")
  func standardOutput() async throws {
    let holdfast = try Command.holdfast
    let arguments = library.command(["export", "--format", "json"])
    let full = try await Command.run(
      "bash", ["-c", "\"$0\" \"$@\" > /dev/full", holdfast] + arguments)
    #expect(full.status == 1)
    #expect(
      full.errorOutput == "Error: standard output: could not write: No space left on device\n")
    let gone = try await Command.run(
      "bash", ["-c", "\"$0\" \"$@\" | true; exit ${PIPESTATUS[0]}", holdfast] + arguments)
    #expect(gone.status == 0 || gone.status == 1)
    #expect(!gone.errorOutput.contains("Error"))
  }
}
