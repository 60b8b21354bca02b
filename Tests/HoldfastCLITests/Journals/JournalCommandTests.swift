import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@testable import HoldfastCLI
@testable import HoldfastConsole

extension JournalCommand {
  /// The word of its command, such as `food`.
  static var word: String {
    command(to: "list", journal.kinds[0].kind).prefix { $0 != " " }.description
  }

  /// Its tables, as its records declare them.
  static var tables: Set<String> {
    Set(journal.kinds.flatMap { type in tables(of: type) })
  }

  private static func tables<Value: JournalRecord>(of type: Value.Type) -> [String] {
    type.declaration.tables
  }
}

/// One of the program's journals.
struct TestedJournal: Sendable, CustomTestStringConvertible {
  let command: any JournalCommand.Type

  var name: String { command.journal.name }
  var testDescription: String { name }

  static let all = Journals.all.map(TestedJournal.init)
}

/// Tests of every journal. A journal's own tests are in its folder.
@Suite("The journals of a library", .temporaryFolder)
struct JournalCommandTests {
  private static let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2"
  private static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"

  @Test(
    "A journal's tables exist from enable to disable",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func tables(journal: TestedJournal) async throws {
    let name = journal.name
    let library = LibraryFolder()
    let before = try await library.sql(Self.schema)
    let core = Set(try await library.column(Self.tables))
    #expect(core.isDisjoint(with: journal.command.tables))
    let enabled = try await library.holdfast("journal", "enable", name.capitalized)
    #expect(enabled.output == "enabled  \(name); see holdfast \(journal.command.word) --help\n")
    let added = Set(try await library.column(Self.tables)).subtracting(core)
    #expect(added == journal.command.tables)
    let again = try await library.holdfast("journal", "enable", name)
    #expect((again.status, again.output) == (0, "The journal \(name) is already enabled.\n"))
    let disabled = try await library.holdfast("journal", "disable", name)
    #expect((disabled.status, disabled.output) == (0, "disabled  \(name)\n"))
    #expect(try await library.sql(Self.schema) == before)
    let without = try await library.holdfast("journal", "disable", name)
    #expect((without.status, without.output) == (0, "The journal \(name) is not enabled.\n"))
  }

  @Test(
    "The fingerprint of a journal's tables is the one that sha256sum computes",
    arguments: TestedJournal.all
  )
  func fingerprint(journal: TestedJournal) async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", journal.name)
    let tables = journal.command.tables.map { "'\($0)'" }.joined(separator: ",")
    let lines = try await library.column(
      """
      SELECT line FROM (SELECT quote(type) || ',' || quote(name) || ',' || quote(sql) AS line
        FROM sqlite_schema WHERE tbl_name IN (\(tables))) ORDER BY line
      """)
    let text = temporary("schema")
    try lines.joined(separator: "\n").write(toFile: text, atomically: true, encoding: .utf8)
    #expect(try await sha256(of: text) == journal.command.journal.fingerprint)
  }

  @Test("Only the command that was typed is parsed, or all commands where several may be meant")
  func parsed() {
    let all = HoldfastCommand.commands(for: []).count
    for arguments in [
      ["--help"], ["help"], ["help", "list"], ["list", "--help"], ["hlep"],
      ["--generate-completion-script", "bash"],
      ["list", "--generate-completion-script", "bash"], ["--experimental-dump-help"],
    ] {
      #expect(HoldfastCommand.commands(for: arguments).count == all, "\(arguments)")
    }
    #expect(HoldfastCommand.commands(for: ["--version"]).isEmpty)
    let words = TestedJournal.all.map { [$0.command.word, "list"] }
    for arguments in words + [
      ["list"], ["message", "next"], ["journal", "list"], ["list", "--hel"],
    ] {
      #expect(HoldfastCommand.commands(for: arguments).count == 1, "\(arguments)")
    }
  }

  @Test("A library that never had a journal has not one byte of its tables")
  func notOneByte() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("craving", "log", "--intensity", "5")
    let names = TestedJournal.all.flatMap { Array($0.command.tables) }
    let migrations = try await library.column("SELECT identifier FROM grdb_migrations")
    for name in TestedJournal.all.map(\.name) {
      #expect(!migrations.contains { $0.hasPrefix("\(name).") }, "\(name)")
    }
    // Two tables have the names of core terms, in small letters.
    for name in names {
      let found = try await library.column(
        "SELECT name FROM sqlite_schema WHERE name LIKE '\(name)%' OR sql LIKE '%TABLE \(name)%' "
          + "OR sql LIKE '%TABLE \"\(name)%' OR sql LIKE '%REFERENCES \(name)%'")
      #expect(found == [], "\(name)")
    }
    let words = Journals.all.flatMap { $0.journal.kinds.map { $0.kind.name } } + names
    for word in words where !["habit", "ingredient"].contains(word) {
      let found = try await Command.run("grep", ["-rail", word, library.path])
      #expect(found.status == 1, "\(word): \(found.output)")
    }
  }

  @Test("The list names each journal and what it is for, as text and as JSON")
  func list() async throws {
    let library = LibraryFolder()
    let list = try await library.holdfast("journal", "list")
    let pages = try HelpPage.all()
    let lines = try Journals.all.map { command in
      let page = try #require(pages.first { $0.command == [command.word] })
      let abstract = page.text.prefix { $0 != "\n" }.dropFirst("OVERVIEW: ".count)
      return "\(command.journal.name.padded(to: 7))  not enabled  \(abstract)"
    }
    let state = lines.isEmpty ? "STATE" : "STATE      "
    #expect(list.lines == ["JOURNAL  \(state)  HOLDS"] + lines)
    let json = try await library.holdfast("journal", "list", "--json")
    let objects = Journals.all.map { #"{"isEnabled":false,"name":"\#($0.journal.name)"}"# }
    #expect(json.output == "[\(objects.joined(separator: ","))]\n")
  }

  @Test(
    "As JSON, each command prints one document",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func json(journal: TestedJournal) async throws {
    let library = LibraryFolder()
    for (verb, events) in [
      ("enable", ["enabled", "unchanged"]), ("disable", ["disabled", "unchanged"]),
    ] {
      for event in events {
        let result = try await library.holdfast("journal", verb, journal.name, "--json")
        #expect(result.output == #"{"event":"\#(event)","journal":"\#(journal.name)"}"# + "\n")
      }
    }
  }

  @Test("A name that no journal has is refused, and the names are listed")
  func unknownName() async throws {
    for verb in ["enable", "disable"] {
      let result = try await LibraryFolder("library-\(verb)").holdfast("journal", verb, "foot")
      #expect(result.status == 64)
      for name in TestedJournal.all.map(\.name) {
        #expect(result.errorOutput.contains("'\(name)'"), "\(result.errorOutput)")
      }
    }
  }

  @Test(
    "Without the journal, its commands say how to enable it",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func notEnabled(journal: TestedJournal) async throws {
    let library = LibraryFolder()
    let lists = journal.command.journal.kinds.map { journal.command.command(to: "list", $0.kind) }
    // Records that belong to another are listed with it.
    for list in lists where list.hasSuffix(" list") {
      let words = list.split(separator: " ").map(String.init)
      let result = try await library.holdfast(words)
      #expect((result.status, result.output) == (1, ""), "\(words)")
      #expect(
        result.errorOutput == """
          Error: the journal "\(journal.name)" is not enabled in the library in \(library.path); \
          holdfast journal enable \(journal.name) makes its tables

          """)
    }
  }
}
