import Foundation
import HoldfastTestSupport
import Testing

@Suite("Transcripts that a phone stored in a file", .temporaryFolder)
struct PhoneTranscriptTests {
  private let library = LibraryFolder()
  private static let runs: [VoiceMemo.Run] = [
    ("Why", 0.1, 0.3), (" I stopped.", 0.3, 0.6), (" Lighthouse.", 0.7, 1.2),
  ]

  /// A memo with words, made from a fixture.
  private func memo(
    _ runs: [VoiceMemo.Run] = runs, in fixture: String = "aac.m4a", as name: String = "memo.m4a"
  ) throws -> String {
    let path = temporary(name)
    try VoiceMemo.add(
      VoiceMemo.box(VoiceMemo.Form.interleaved.json(runs)), to: Fixtures.path(fixture), as: path)
    return path
  }

  private func imports(_ arguments: String...) async throws {
    let result = try await library.holdfast(["import"] + arguments)
    try #require(result.status == 0, "\(result.errorOutput)")
  }

  /// A place and a form of the words.
  struct Stored: CustomTestStringConvertible, Sendable {
    var name: String
    var testDescription: String
    var bytes: [UInt8]
  }

  static let stored: [Stored] = VoiceMemo.Form.allCases.flatMap { form in
    let json = form.json(runs)
    return [
      Stored(name: "memo.m4a", testDescription: "udta, \(form)", bytes: VoiceMemo.box(json)),
      Stored(name: "memo.qta", testDescription: "meta, \(form)", bytes: VoiceMemo.meta(json)),
      Stored(
        name: "memo.qta", testDescription: "meta with a version, \(form)",
        bytes: VoiceMemo.meta(json, hasVersion: true)),
      Stored(
        name: "memo.mov", testDescription: "both, \(form)",
        bytes: VoiceMemo.meta(json) + VoiceMemo.box(json)),
    ]
  }

  @Test("are kept with the recording, and not in its file", arguments: stored)
  func kept(_ stored: Stored) async throws {
    let path = temporary(stored.name)
    try VoiceMemo.add(stored.bytes, to: Fixtures.path("aac.m4a"), as: path)
    try await imports("--keep-metadata", path)
    #expect(
      try await library.segments()
        == [["100", "600", "Why I stopped."], ["700", "1200", "Lighthouse."]])
    #expect(
      try await library.sql(
        "SELECT state, source, program IS NULL, model IS NULL, language, modifiedAt IS NULL "
          + "FROM transcript") == [["words", "phone", "1", "1", "en-US", "1"]])
    #expect(
      try await library.column("SELECT count(*) FROM transcriptSegment WHERE wordTimes NOT NULL")
        == ["2"])
    let id = try await library.column("SELECT id FROM recording")[0]
    let shown = try await library.holdfast("transcript", "show", id)
    #expect(shown.output == "0:00  Why I stopped.\n0:00  Lighthouse.\n")
    #expect(shown.errorOutput == "The phone wrote this; words can be wrong.\n")
    let found = try await library.holdfast("list", "--search", "lighthouse")
    #expect(found.output.contains(String(id.prefix(8))), "\(found.output)")
    let file = try await library.column("SELECT filePath FROM recording")[0]
    let bytes = try Data(contentsOf: URL(filePath: "\(library.path)/\(file)"))
    for word in ["tsrp", "VoiceMemos", "Lighthouse"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil)
    }
    // Nothing but the transcript's own tables has the words.
    #expect(
      try await library.column(
        "SELECT count(*) FROM recording WHERE conversion LIKE '%ighthouse%'") == ["0"])
    try await library.expectSound()
    // `probe` reads the same, and prints no words.
    let probed = try await library.holdfast("probe", "--json", path)
    #expect(probed.status == 0 && !probed.output.contains("ighthouse"))
  }

  @Test("are cut with the recording, and each part gets its own")
  func parts() async throws {
    let path = try memo(
      [("One.", 1, 2), (" Two.", 60.2, 60.6), (" Three.", 60.6, 61), (" Four.", 119.9, 120.4)],
      in: "len-121.m4a")
    try await imports("--over-limit", "trim", path)
    #expect(try await library.sentences() == ["One.", "Two.", "Three."])
    let split = LibraryFolder("split")
    #expect(try await split.holdfast("import", "--over-limit", "split", path).status == 0)
    let rows = try await split.sql(
      """
      SELECT part, startTime, text
      FROM recording JOIN transcriptSegment ON transcriptId = recording.id
      ORDER BY part, position
      """)
    #expect(
      rows.map { [$0[0], $0[2]] } == [
        ["1", "One."], ["1", "Two."], ["2", "Three."], ["2", "Four."],
      ])
    let times = rows.compactMap { Int($0[1]) }
    #expect(times.count == 4 && times[..<2] == [1000, 60_200])
    #expect(zip(times[2...], [100, 59_400]).allSatisfy { abs($0 - $1) <= 50 }, "\(times)")
    try await split.expectSound()
  }

  @Test("Words up to a second beyond the end are kept, at the end")
  func beyondTheEnd() async throws {
    let duration = try #require(
      Double(
        try await Command.output(
          of: "ffprobe",
          [
            "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
            Fixtures.path("aac.m4a"),
          ]
        ).output.split(separator: "\n").first ?? ""))
    let path = try memo([
      ("One.", 0.1, 0.4), (" Late.", duration + 0.2, duration + 0.5),
    ])
    try await imports("--move", path)
    #expect(try await library.sentences().joined(separator: " ") == "One. Late.")
    #expect(
      try await library.column(
        "SELECT max(endTime) <= round(duration * 1000) FROM transcriptSegment, recording") == ["1"])
  }

  @Test("A part in which nothing was said gets none")
  func silentPart() async throws {
    let path = try memo([("One.", 1, 2)], in: "len-121.m4a")
    try await imports("--over-limit", "split", path)
    #expect(
      try await library.column(
        "SELECT part FROM recording JOIN transcript ON transcript.id = recording.id") == ["1"])
    let empty = temporary("empty.m4a")
    try VoiceMemo.add(
      VoiceMemo.box(#"{"attributedString": ""}"#), to: Fixtures.path("aac.m4a"), as: empty)
    let lines = try await library.importEvents(empty)
    #expect(lines.first?.event == "imported" && lines.first?.warnings == [])
    #expect(try await library.column("SELECT count(*) FROM transcript") == ["1"])
  }

  @Test("A second import changes nothing that a person wrote or decided")
  func again() async throws {
    let path = try memo()
    try await imports(path)
    let id = try await library.column("SELECT id FROM recording")[0]
    let lines = temporary("lines")
    try Data("[0:00.100] Mine.\n".utf8).write(to: URL(filePath: lines))
    #expect(try await library.holdfast("transcript", "edit", id, "--file", lines).status == 0)
    try await imports(path)
    #expect(try await library.sentences() == ["Mine."])
    for (command, state) in [
      (["transcript", "delete", "--yes", id], "deleted"),
      (["transcribe", "--never", id, "--yes"], "never"),
    ] {
      #expect(try await library.holdfast(command).status == 0)
      try await imports(path)
      #expect(
        try await library.sql("SELECT id, state FROM transcript") == [[id, state]])
      #expect(try await library.sentences() == [])
    }
  }

  @Test("import --transcribe transcribes the recordings that have none")
  func transcribe() async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(
      "for sound in sounds: write(sound, whisper((0, 0.5, 'Program.')))")
    #expect(try await fake.transcribe(library).status == 0)
    let result = try await Command.run(
      Command.holdfast,
      library.command(["import", "--transcribe", try memo(), Fixtures.path("alac.m4a")]),
      environment: FakeTranscriber.environment)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT source FROM transcript ORDER BY source")
        == ["phone", "program", "program"])
    #expect(
      try await library.sentences().sorted()
        == ["Lighthouse.", "Program.", "Program.", "Why I stopped."])
  }

  @Test("A kill at any write to the catalog leaves both the recording and its words, or neither")
  func kills() async throws {
    let path = try memo()
    var kills = 0
    while kills < 100 {
      let library = LibraryFolder("killed-\(kills)")
      let result = try await Strace.run(
        ["trace=pwrite64", "inject=pwrite64:signal=KILL:when=\(kills + 1)"],
        path: library.path + "/catalog.sqlite", library.command(["import", path])
      ).result
      // sqlite3 rolls back what was begun, in a copy.
      let copy = try makeFolder("copy-\(kills)")
      _ = try await Command.output(
        of: "sh", ["-c", "cp \"$0\"/catalog.sqlite* \"$1\"", library.path, copy])
      let counts = try await Command.output(
        of: "sqlite3",
        [
          "\(copy)/catalog.sqlite",
          """
          SELECT (SELECT count(*) FROM recording), (SELECT count(*) FROM transcript),
          (SELECT count(*) FROM transcriptSegment)
          """,
        ]
      ).output
      #expect(["0|0|0\n", "1|1|2\n"].contains(counts), "after \(kills + 1) writes")
      if result.status == 0 { break }
      #expect(try await library.holdfast("import", path).status == 0)
      #expect(try await library.column("SELECT count(*) FROM transcriptSegment") == ["2"])
      kills += 1
    }
    #expect((3..<100).contains(kills))
  }
}
