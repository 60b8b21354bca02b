import Foundation
import HoldfastTestSupport
import Testing

/// A catalog of more than 8 MB takes longer to compact than other commands should have to wait.
@Suite("A large catalog", .temporaryFolder)
struct LargeCatalogTests {
  let library = LibraryFolder()
  private static let cravings = 16_000
  /// The first words of a note, which no other row has.
  private static let words = "One morning by the river I had had enough of it"

  /// Makes the library, with cravings whose notes are long.
  private func make() async throws {
    try await library.importing("voice.wav")
    try await library.changeCatalog(
      """
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(Self.cravings))
      INSERT INTO craving (id, timestamp, timestampOffset, intensity, notes, createdAt)
      SELECT printf('%08X-0000-4000-8000-000000000000', n * 40503 % 65536),
        strftime('%Y-%m-%d %H:%M:%f', 1700000000 + n / 3 * 60, 'unixepoch'), 0, 1 + n % 10,
        printf('note %d ', n) || hex(zeroblob(240)), '2024-01-01 00:00:00.000'
      FROM n;
      UPDATE craving SET notes = '\(Self.words)' WHERE id = (SELECT id FROM craving LIMIT 1);
      """)
  }

  private var isDue: Bool {
    get async throws { try await library.column("SELECT compactionDue FROM library") == ["1"] }
  }

  private var hint: String { "holdfast doctor --compact" }

  @Test(
    "A large catalog is compacted on request, not by a deletion, and commands say it is due")
  func compacting() async throws {
    try await make()
    let before = try await library.privacy()
    #expect(before.status == 0, "\(before.findings)")
    let id = try await library.column("SELECT id FROM craving WHERE notes = '\(Self.words)'")[0]
    // As another program would: the bytes stay.
    try await library.changeCatalog(
      "PRAGMA secure_delete = OFF; DELETE FROM craving WHERE id = '\(id)'")
    let other = try await library.column("SELECT id FROM craving LIMIT 1")[0]
    let deleted = try await library.holdfast("craving", "delete", other, "--yes")
    #expect(deleted.status == 0)
    #expect(deleted.errorLines.count { $0.contains(hint) } == 1, "\(deleted.errorOutput)")
    #expect(try await isDue)

    // Nor does a command that opens it for writing.
    try await library.holdfast("message", "next")
    #expect(try await isDue)
    let doctor = try await Command.run(Command.holdfast, ["doctor", "--library", library.path])
    #expect(doctor.status == 0 && doctor.output.contains(hint), "\(doctor.output)")
    let found = try await library.privacy()
    #expect(found.status == 4)
    #expect(found.findings.map(\.kind) == ["compactionDue"])
    let text = try await library.holdfast("doctor", "--privacy").lines
    #expect(text.count == 1, "\(text)")
    #expect(text.first?.hasSuffix("; \(hint) compacts it") == true, "\(text)")
    #expect(try library.foreignText.contains { $0.contains(Self.words) })

    let compacted = try await library.holdfast("doctor", "--compact")
    #expect(compacted.status == 0)
    #expect(compacted.lines.first?.hasPrefix("compacted  ") == true, "\(compacted.output)")
    #expect(compacted.errorOutput.contains("Compacting the catalog"))
    #expect(try await !isDue)
    #expect(try await library.grep(Self.words).isEmpty)
    #expect(try await library.column("PRAGMA freelist_count") == ["0"])
    let nothing = try await library.holdfast("doctor", "--compact", "--json")
    #expect(nothing.output == "{\"event\":\"notDue\"}\n")
    try await library.expectPrivate()
    #expect(
      try await library.column("SELECT count(*) FROM craving") == ["\(Self.cravings - 2)"])
  }

  /// A reader without the lock blocked the writer's commit, and the writer gave up.
  @Test("is not read whole while another command is writing, and that is reported")
  func unchecked() async throws {
    try await make()
    let command = library.command(["verify", "--lock-timeout", "0"])
    let result = try await Command.run(
      "flock", ["\(library.path)/.lock", Command.holdfast] + command,
      environment: ["HOLDFAST_TRACE_SQL": "1"])
    #expect(result.status == 0)
    #expect(result.errorOutput.contains("structure was not checked"))
    #expect(!result.errorOutput.contains("integrity_check"))
    #expect(!result.errorOutput.contains("foreign_key_check"))
    let checked = try await library.holdfast("verify", "--lock-timeout", "0")
    #expect(checked.status == 0 && !checked.errorOutput.contains("not checked"))
  }

  @Test("is erased without a trace all the same")
  func erasing() async throws {
    try await make()
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    #expect(try await library.holdfast("erase", "--everything", "--yes", uuid).status == 0)
    #expect(try await library.grep(Self.words).isEmpty)
    #expect(try await !isDue)
    try await library.expectPrivate()
  }

  @Test(
    "is read in steps: a long list or figure lets go of the catalog again and again",
    arguments: Extent.sample(
      [
        (["craving", "list", "--limit", "16000"], 16),
        (["craving", "list", "--offset", "15990"], 2),
        (["show", "--json"], 16), (["craving", "list", "--trigger", "Sad"], 2),
      ], every: 6))
  func steps(_ arguments: [String], _ steps: Int) async throws {
    try await make()
    let id = try await library.column("SELECT id FROM recording")[0]
    try await library.changeCatalog("UPDATE craving SET recordingId = '\(id)'")
    let shown = arguments[0] == "show" ? [id] : []
    // Each read of SQLite begins with a shared lock on the 510 bytes from 2^30 + 2 on.
    let trace = try await Strace.run(
      ["trace=fcntl"], path: "\(library.path)/catalog.sqlite", library.command(arguments + shown))
    #expect(trace.result.status == 0, "\(trace.result.errorOutput)")
    let locks = trace.calls.count {
      $0.contains("F_RDLCK") && $0.contains("l_start=1073741826") && $0.contains("l_len=510")
    }
    // Opening it also needs some: as many as a short list.
    let short = try await Strace.run(
      ["trace=fcntl"], path: "\(library.path)/catalog.sqlite",
      library.command(["list", "--limit", "0"]))
    let opening = short.calls.count { $0.contains("F_RDLCK") && $0.contains("l_len=510") }
    #expect(locks - opening >= steps, "\(locks) and \(opening)")
  }

  @Test(
    "is waited for, and the wait is reported, by a command that only reads",
    arguments: Extent.sample(
      [["list"], ["craving", "list"], ["stats"], ["message", "list"]], every: 3))
  func waiting(_ arguments: [String]) async throws {
    try await library.importing("voice.wav")
    // Another command locks all of it, until the reader reports that it waits.
    let script = """
      cd "$1"; shift
      mkfifo sql
      flock library/.lock sqlite3 library/catalog.sqlite <sql >locked &
      exec 3>sql
      echo 'BEGIN EXCLUSIVE; SELECT 1;' >&3
      until [ -s locked ]; do sleep 0.02; done
      "$@" 2>said &
      reader=$!
      until grep -q waiting said || ! kill -0 $reader 2>/dev/null; do sleep 0.02; done
      echo 'COMMIT;' >&3
      exec 3>&-
      wait $reader
      status=$?
      cat said >&2
      exit $status
      """
    let result = try await Command.run(
      "bash",
      ["-c", script, "bash", TemporaryFolder.current, Command.holdfast]
        + library.command(arguments))
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.errorLines.count { $0.hasPrefix("waiting to read the catalog for ") } == 1,
      "\(result.errorOutput)")
  }
}

@Suite("Reading beside a delete", .temporaryFolder)
struct ReadersBesideTests {
  @Test("No reader fails, and a backup made as docs/library.md says is whole")
  func beside() async throws {
    let script = "\(Repository.root)/scripts"
    let environment = [
      "HOLDFAST_PROGRAM": try Command.holdfast, "TMPDIR": TemporaryFolder.current,
    ]
    let library = temporary("library")
    _ = try await Command.output(
      of: "\(script)/make-catalog",
      [library, "--recordings", "200", "--cravings", "4000", "--usage", "200"],
      environment: environment)
    let result = try await Command.run(
      "\(script)/readers-beside", ["--rounds", "2", "--copies", "10", library],
      environment: environment)
    // Their times are only tested on an idle machine.
    #expect(!result.errorOutput.contains(" failed: "), "\(result.errorOutput)")
    #expect(result.lines.last?.hasPrefix("10 copies: 0 damaged, ") == true, "\(result.output)")
  }
}
