import Foundation
import HoldfastTestSupport
import Testing

@Suite("A crafted library", .temporaryFolder)
struct HostileCatalogTests {
  let library = LibraryFolder()

  /// A library that was crafted to do harm.
  struct Craft: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Bash, run in the library's folder with the folder outside as argument.
    var script: String
    /// Words of the refusal of commands.
    var words: String
    /// Whether commands that only read are refused as well.
    var isForReadersToo = true

    static let all = [
      sql(
        "trigger that deletes", "trigger sweep",
        """
        CREATE TRIGGER sweep AFTER UPDATE ON recording BEGIN DELETE FROM craving; END;
        CREATE TRIGGER turn AFTER INSERT ON craving
          BEGIN UPDATE recording SET filePath = 'Recordings/x' || id; END;
        """),
      sql("trigger less", "trigger message_default", "DROP TRIGGER message_default_stays"),
      sql(
        "view in a table's place", "schema",
        """
        ALTER TABLE recording RENAME TO r;
        CREATE VIEW recording AS WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
          SELECT r.* FROM r, c;
        """),
      sql(
        "view in place of the migrations", "view grdb_migrations",
        """
        DROP TABLE grdb_migrations;
        CREATE VIEW grdb_migrations AS WITH RECURSIVE c (identifier) AS
          (SELECT 'v1' UNION ALL SELECT identifier FROM c) SELECT identifier FROM c;
        """),
      sql("virtual table", "table words", "CREATE VIRTUAL TABLE words USING fts5 (word)"),
      sql(
        "virtual table in a table's place", "schema",
        "DROP TABLE usage; CREATE VIRTUAL TABLE usage USING fts5 (id, timestamp, method, amount)"),
      sql(
        "generated column", "table recording",
        "ALTER TABLE recording ADD COLUMN x TEXT AS (hex(zeroblob(100000000)))"),
      sql(
        "index that calls functions", "index heavy",
        "CREATE INDEX heavy ON recording (hex(zeroblob(1000)), lower(title))"),
      sql(
        "schema that is not SQL", "the catalog is damaged",
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE recording (x' WHERE name = 'recording'
        """),
      sql(
        "schema with a root page beyond the end", "the catalog is damaged",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 999999"),
      sql(
        "schema with a table on another's page", "",
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema
          WHERE name = 'library') WHERE name = 'recording'
        """),
      sql(
        "schema with bytes for names", "the catalog",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = x'1B5B324A' || x'FF'"),
      header("huge page count", at: 28, "\\xFF\\xFF\\xFF\\xFE", "the catalog is damaged"),
      header("huge free list", at: 32, "\\x7F\\xFF\\xFF\\xFF\\x7F\\xFF\\xFF\\xFF", ""),
      header("page size of 0", at: 16, "\\x00\\x00", "not a SQLite database"),
      header("page size of 65,536", at: 16, "\\x00\\x01", "the catalog"),
      header("unknown encoding", at: 56, "\\x00\\x00\\x00\\x07", "the catalog"),
      header("format of the future", at: 44, "\\x00\\x00\\x00\\x7F", "unsupported file format"),
      Craft(
        testDescription: "catalog without a byte", words: "not a catalog of Holdfast",
        script: "truncate -s 0 catalog.sqlite"),
      Craft(
        testDescription: "catalog with a hole", words: "",
        script: "truncate -s 1T catalog.sqlite"),
      Craft(
        testDescription: "hot journal of garbage", words: "",
        script: "head -c 100000 /dev/urandom > catalog.sqlite-journal"),
      Craft(
        testDescription: "journal that names another file", words: "is not Holdfast's",
        script: #"{ head -c 999 /dev/zero; printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7'; } "#
          + "> catalog.sqlite-journal"),
      Craft(
        testDescription: "journal that is a link", words: "",
        script: "ln -s $1/victim.mov catalog.sqlite-journal"),
      Craft(
        testDescription: "catalog that is a link", words: "a link, folder or special file",
        script: "mv catalog.sqlite $1/; ln -s $1/catalog.sqlite"),
      Craft(
        testDescription: "catalog that is a pipe", words: "a link, folder or special file",
        script: "rm catalog.sqlite; mkfifo catalog.sqlite"),
      Craft(
        testDescription: "catalog that is a folder", words: "a link, folder or special file",
        script: "rm catalog.sqlite; mkdir catalog.sqlite"),
      Craft(
        testDescription: "marker that is a link", words: "holdfast.json",
        script: "mv holdfast.json $1/; ln -s $1/holdfast.json"),
      Craft(
        testDescription: "marker that is a pipe", words: "not a regular file",
        script: "rm holdfast.json; mkfifo holdfast.json"),
      Craft(
        testDescription: "marker that is a folder", words: "not a regular file",
        script: "rm holdfast.json; mkdir holdfast.json"),
      Craft(
        testDescription: "marker that never ends", words: "holdfast.json: damaged",
        script: "head -c 10000000 /dev/zero | tr '\\0' '[' > holdfast.json"),
      Craft(
        testDescription: "lock that is a link", words: ".lock",
        script: "rm .lock; ln -s $1/victim.mov .lock", isForReadersToo: false),
      Craft(
        testDescription: "lock that leads nowhere", words: ".lock",
        script: "rm .lock; ln -s $1/new .lock", isForReadersToo: false),
      Craft(
        testDescription: "lock that is a pipe", words: ".lock",
        script: "rm .lock; mkfifo .lock", isForReadersToo: false),
      Craft(
        testDescription: "lock that is a folder", words: ".lock",
        script: "rm .lock; mkdir .lock", isForReadersToo: false),
    ]

    init(
      testDescription: String, words: String, script: String, isForReadersToo: Bool = true
    ) {
      self.testDescription = testDescription
      self.script = script
      self.words = words
      self.isForReadersToo = isForReadersToo
    }

    private static func sql(_ name: String, _ words: String, _ statements: String) -> Craft {
      Craft(
        testDescription: name, words: words,
        script: "sqlite3 -bail catalog.sqlite <<'END'\n.dbconfig defensive off\n\(statements);\nEND"
      )
    }

    private static func header(
      _ name: String, at offset: Int, _ bytes: String, _ words: String
    ) -> Craft {
      Craft(
        testDescription: name, words: words,
        script: "printf '\(bytes)' | dd of=catalog.sqlite bs=1 seek=\(offset) conv=notrunc")
    }
  }

  @Test(
    "ends every command in a sentence, and does no harm", .timeLimit(.minutes(40)),
    arguments: Extent.sample(Craft.all, every: 6))
  func crafted(craft: Craft) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await library.record("craving", "log", "--intensity", "5")
    let row = try await library.sql("SELECT id FROM recording WHERE type = 'video'")[0]
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let outside = try Outside()
    _ = try await Command.output(
      of: "bash", ["-ec", craft.script, "bash", outside.folder], workingDirectory: library.path)
    let before = try await Find.snapshot(library.path)
    let reading = [
      ["list"], ["show", row[0]], ["verify"], ["stats"], ["craving", "list"],
      ["export", "--format", "json"],
    ]
    let writing = [
      ["play", row[0]], ["edit", row[0], "--title", "x"], ["craving", "log", "--intensity", "3"],
      ["message", "next"], ["import", "--quiet", Fixtures.path("voice.wav")],
      ["delete", row[0], "--yes"], ["erase", "--everything", "--yes", uuid],
    ]
    for arguments in reading + writing {
      let result = try await outside.expectUntouched(
        by: library.command(arguments), ["env", "HOLDFAST_PLAYER=true"])
      // Without words, the command need not refuse.
      guard !craft.words.isEmpty else {
        if result.status == 1 { #expect(result.errorLines.count == 1) }
        continue
      }
      guard craft.isForReadersToo || writing.contains(arguments) else { continue }
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errorLines.count == 1, "\(arguments): \(result.errorOutput)")
      #expect(result.errorOutput.contains(craft.words), "\(arguments): \(result.errorOutput)")
      // A message is shown before it is counted.
      let speaks = arguments == ["message", "next"] && !craft.isForReadersToo
      #expect(result.output.isEmpty != speaks, "\(arguments)")
    }
    if !craft.words.isEmpty { #expect(try await Find.snapshot(library.path) == before) }
  }
}
