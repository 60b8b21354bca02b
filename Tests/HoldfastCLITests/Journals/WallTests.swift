import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastCLI
@testable import HoldfastConsole

/// The core knows no journal, and no journal knows another. `scripts/check-wall` deletes a journal,
/// and builds and tests the rest; this reads only the sources, which is quick.
@Suite("The wall before the journals", .temporaryFolder)
struct WallTests {
  @Test(
    "Nothing but its own targets and two lists names a journal",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func names(journal: TestedJournal) async throws {
    let wall = try await Wall(journal)
    let hits = try await wall.hits(in: Repository.root + "/Sources")
    #expect(hits.filter { !$0.contains("/HoldfastCLI/Journals.swift:") } == [])
    let pages = try await wall.hits(in: Repository.root + "/Web/Sources")
    #expect(pages.filter { !$0.contains("/HoldfastWebProgram/Journals.swift:") } == [])
  }

  @Test(
    "The check notices a type, a module and a table of a journal",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func notices(journal: TestedJournal) async throws {
    let wall = try await Wall(journal)
    let file = temporary("Core.swift")
    for name in wall.types + wall.modules {
      try "let record: [\(name).self]\n".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await wall.hits(in: temporary("")).count == 1, "\(name)")
    }
    for table in journal.command.tables {
      let lines = [
        "try rows(\"SELECT * FROM \(table) WHERE id = ?\")", "\"DELETE FROM \\\"\(table)\\\"\"",
        "    CREATE TABLE \(table) (", "REFERENCES \(table) (id)", "JOIN \(table) ON",
        "// FROM \(table)", "/// `\(table)`", "let \(table)s = 1",
      ]
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let found = try await wall.hits(in: temporary(""))
      #expect(found.count == 5, "\(table): \(found)")
    }
  }

  @Test(
    "Each journal says what its commands do without a library",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func hasTests(journal: TestedJournal) async throws {
    let folder = try await Wall(journal).module.dropFirst("Holdfast".count)
    let found = try await Command.run(
      "grep",
      [
        "-rl", "NoLibrary.expectComplete",
        "\(Repository.root)/Tests/HoldfastCLITests/Journals/\(folder)",
      ])
    #expect(found.lines.count == 1)
  }
}

/// Names that code outside a journal must not use.
private struct Wall {
  /// The journal's module, such as `HoldfastFood`.
  let module: String
  var modules: [String] { [module, module + "Commands", module + "Pages"] }
  /// The types that it, its commands and its pages declare, and nothing else.
  let types: [String]
  private let tables: [String]

  init(_ journal: TestedJournal) async throws {
    let commands = String(reflecting: journal.command).prefix { $0 != "." }
    let module = String(commands.dropLast("Commands".count))
    self.module = module
    tables = journal.command.tables.sorted()
    let declaration = #"^(?:[a-z]+ )*(?:struct|enum|class|actor|protocol|typealias) \K\w+"#
    func declared(_ options: [String]) async throws -> Set<String> {
      let found = try await Command.output(
        of: "grep", ["-rhoP", "--include=*.swift", declaration] + options)
      return Set(found.lines)
    }
    let (sources, web) = (Repository.root + "/Sources", Repository.root + "/Web/Sources")
    let own = try await declared([
      "\(sources)/\(module)", "\(sources)/\(module)Commands", "\(web)/\(module)Pages",
    ])
    // A name that others also declare, such as `DayOptions`, proves nothing.
    types = own.subtracting(try await declared(["--exclude-dir=\(module)*", sources, web])).sorted()
    try #require(!types.isEmpty && !tables.isEmpty)
  }

  /// The lines below a folder that name the journal, without comments and its own targets.
  func hits(in folder: String) async throws -> [String] {
    // A word between quotation marks may be a trigger's name.
    let names = #"(?<!["'])\b(?:\#((types + modules).joined(separator: "|")))\b(?!["'])"#
    let statement =
      #"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|REFERENCES|ON|EXISTS) \\?"?"#
      + #"(?:\#(tables.joined(separator: "|")))\b"#
    let found = try await Command.run(
      "grep",
      [
        "-rnP", "--include=*.swift", "--exclude-dir=\(module)*",
        #"^(?!\s*//).*(?:\#(names)|\#(statement))"#, folder,
      ])
    try #require(found.status < 2, "\(found.errorOutput)")
    return found.lines
  }
}
