import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@testable import HoldfastCLI
@testable import HoldfastConsole

/// Tests of all journals together. `Tests/Documents` has an export of each, with records of every
/// kind.
@Suite("A library with every journal", .temporaryFolder)
struct JournalExchangeTests {
  @Test("An export, an erasure and an import bring everything back, and leave no trace meanwhile")
  func exchange() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("craving", "log", "--intensity", "7", "--notes", "gooseberry")
    for journal in TestedJournal.all {
      _ = try await library.holdfast("journal", "enable", journal.name)
      let document = "\(Repository.root)/Tests/Documents/\(journal.name).json"
      let filled = try await library.holdfast("import-data", document)
      try #require(filled.status == 0, "\(filled.errorOutput)")
    }
    let first = temporary("first.json")
    let exported = try await library.holdfast("export", "--format", "json", "--output", first)
    #expect(exported.status == 0, "\(exported.errorOutput)")
    let text = try String(contentsOfFile: first, encoding: .utf8)
    // A document brings no photos, because it has no files.
    for kind in Journals.all.flatMap({ $0.journal.kinds.map { $0.kind.name } })
    where kind != "entryPhotos" {
      #expect(text.contains("\"\(kind)\":[\n{"), "The document has no \(kind)")
    }
    try await expectPrivate(library)
    try await expectValid(first)
    try await expectColumns(library)

    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let erased = try await library.holdfast("erase", "--everything", "--yes", uuid)
    #expect(erased.status == 0, "\(erased.errorOutput)")
    for table in TestedJournal.all.flatMap({ $0.command.tables }) {
      #expect(try await library.column("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
    }
    let found = try await Command.run(
      "grep", ["-rail", "gooseberry\\|still waters\\|rye bread\\|smoke less", library.path])
    #expect(found.status == 1, "\(found.output)")
    try await expectPrivate(library)

    let imported = try await library.holdfast("import-data", first)
    #expect(imported.status == 0, "\(imported.errorOutput)")
    let second = temporary("second.json")
    _ = try await library.holdfast("export", "--format", "json", "--output", second)
    #expect(try String(contentsOfFile: second, encoding: .utf8) == text)
    try await library.expectSound()
    try await expectPrivate(library)
  }

  private static let validator = Repository.root + "/.build/python/bin/python"

  /// Expects that docs/exchange.md lists the columns of every table.
  private func expectColumns(_ library: LibraryFolder) async throws {
    let page = try String(contentsOfFile: Repository.root + "/docs/exchange.md", encoding: .utf8)
    let folder = temporary("tables")
    _ = try await library.holdfast("export", "--format", "csv", "--output", folder)
    for table in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(table)", encoding: .utf8)
      let columns = text.split(whereSeparator: \.isNewline)[0].split(separator: ",")
        .map { "`\($0)`" }.joined(separator: ", ")
      #expect(page.contains("| `\(table)` | \(columns) |"))
    }
  }

  /// Expects that the jsonschema program finds a document valid, and one with a wrong value not.
  private func expectValid(_ document: String) async throws {
    guard FileManager.default.fileExists(atPath: Self.validator) else { return }
    let script = """
      import json, jsonschema, sys
      schema, document = [json.load(open(path)) for path in sys.argv[1:]]
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
      errors = [(list(e.absolute_path), e.message) for e in validator.iter_errors(document)]
      assert not errors, errors
      for change in [{'intensity': 11}, {'triggers': ['x']}, {'other': 1}, {'id': None}]:
        changed = json.loads(json.dumps(document))
        changed['cravings'][0].update(change)
        assert not validator.is_valid(changed), change
      """
    _ = try await Command.output(
      of: Self.validator,
      ["-c", script, Repository.root + "/docs/holdfast.schema.json", document])
  }

  private func expectPrivate(
    _ library: LibraryFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let privacy = try await library.holdfast("doctor", "--privacy")
    #expect(
      privacy.status == 0, "\(privacy.output)\(privacy.errorOutput)", sourceLocation: sourceLocation
    )
    #expect(try library.foreignText == [], sourceLocation: sourceLocation)
  }
}
