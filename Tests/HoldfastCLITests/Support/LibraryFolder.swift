import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// A path in the running test's folder.
func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

/// A library in the running test's folder: changed through the `holdfast` command, and checked by
/// other programs.
struct LibraryFolder {
  let path: String

  /// A new library, made here so that no test has to.
  init(_ name: String = "library") {
    self.init(at: name)
    do {
      let isNew = try Library.create(at: LibraryLocation(path: path))
      #expect(isNew, "There is a library in \(path) already")
      ImportedLibraries.note(new: path)
    } catch {
      Issue.record(error)
    }
  }

  /// A path for a library; nothing is made.
  init(at name: String) { path = temporary(name) }

  /// Runs `holdfast` with this library.
  @discardableResult
  func holdfast(_ arguments: String...) async throws -> CommandResult {
    try await holdfast(arguments)
  }

  /// Runs `holdfast` with this library.
  func holdfast(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(Command.holdfast, command(arguments))
  }

  /// The arguments that make `holdfast` work with this library.
  func command(_ arguments: [String]) -> [String] {
    ImportedLibraries.note(touched: path)
    // "craving list" is one command in two words, but "backup usb" is the default command of its
    // group.
    var words = 0
    while HelpPage.groups.contains(Array(arguments.prefix(words))) { words += 1 }
    return arguments.prefix(words) + ["--library", path] + arguments.dropFirst(words)
  }

  /// Imports fixtures; all must succeed.
  ///
  /// The first untouched library of a test becomes a copy of an earlier import of them: an import
  /// starts four processes and loads FFmpeg twice, and hundreds of tests begin with one.
  func importing(_ fixtures: String..., options: [String] = []) async throws {
    if options.isEmpty, ImportedLibraries.mayBeCopied(path) {
      let template = try await ImportedLibraries.shared.library(holding: fixtures)
      _ = try await Command.output(of: "cp", ["-aT", "--remove-destination", template, path])
      return
    }
    let result = try await holdfast(["import"] + options + fixtures.map(Fixtures.path))
    try #require(result.status == 0, "\(result.errorOutput)")
  }

  /// The lines that an import prints with `--json`, its summary last.
  func importEvents(_ arguments: String...) async throws -> [ImportLine] {
    try await ImportLine.lines(of: holdfast(["import", "--json"] + arguments))
  }

  /// The sqlite3 program's answer, one array of columns a row.
  func sql(_ query: String) async throws -> [[String]] {
    ImportedLibraries.note(touched: path)
    let database = "file:\(path)/catalog.sqlite?mode=ro"
    let answer = try await Command.output(
      of: "sqlite3",
      ["-batch", "-noheader", "-ascii", "-cmd", ".timeout 10000", database, query])
    return answer.output.split(separator: "\u{1E}").map {
      $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The first column of sqlite3's answer.
  func column(_ query: String) async throws -> [String] {
    try await sql(query).compactMap(\.first)
  }

  /// Changes the catalog without the command.
  func changeCatalog(_ statements: String) async throws {
    ImportedLibraries.note(touched: path)
    _ = try await Command.output(
      of: "sqlite3", ["-batch", "\(path)/catalog.sqlite", statements])
  }

  /// The findings of `verify --json`.
  func findings() async throws -> [Finding] {
    let result = try await holdfast("verify", "--json")
    try #require(result.status == 0 || result.status == 4, "\(result.errorOutput)")
    let findings = try result.jsonLines(of: Finding.self)
    #expect((result.status == 4) == !findings.isEmpty)
    return findings
  }

  /// The names below the library's folder that pass the tests of the find program, in order.
  func find(_ tests: String...) async throws -> [String] {
    ImportedLibraries.note(touched: path)
    return try await Find.names(path, tests)
  }

  /// Expects that the library is sound by `verify`, `find` and sha256sum.
  ///
  /// - Parameter moment: The preceding step, for the failure message.
  func expectSound(
    _ moment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let findings = try await findings()
    #expect(findings.isEmpty, "\(moment)", sourceLocation: sourceLocation)
    let leftovers = try await find("-path", "\(path)/.staging/*", "-o", "-path", "\(path)/.trash/*")
    #expect(leftovers.isEmpty, "\(moment)", sourceLocation: sourceLocation)
    var query = """
      SELECT filePath, fileSHA256, fileSize FROM recording UNION ALL
      SELECT thumbnailPath, thumbnailSHA256, '' FROM recording WHERE type = 'video'
      """
    if try await !sql("SELECT 1 FROM sqlite_schema WHERE name = 'entryPhotoFile'").isEmpty {
      query += """
         UNION ALL SELECT 'Recordings/Photos/photo_' || id || '.jpg', fileSHA256, fileSize
        FROM entryPhotoFile
        """
    }
    let rows = try await sql(query)
    // Without files in quarantine, which have the same paths there.
    let files = try await find("-path", "\(path)/Recordings/*", "-type", "f")
    #expect(Set(rows.map { $0[0] }) == Set(files), "\(moment)", sourceLocation: sourceLocation)
    #expect(rows.count == files.count, "\(moment)", sourceLocation: sourceLocation)
    let hashes = try await sha256(of: files.map { "\(path)/\($0)" })
    for row in rows {
      let file = "\(path)/\(row[0])"
      #expect(hashes[file] == row[1], "\(row[0]) \(moment)", sourceLocation: sourceLocation)
      guard !row[2].isEmpty else { continue }
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      #expect(size == Int(row[2]), "\(row[0]) \(moment)", sourceLocation: sourceLocation)
    }
  }
}

/// One line of `verify --json`.
struct Finding: Decodable, Equatable {
  var kind: String
  var path: String
  var recording: String?
  var detail: String
  var since: String?
  var repair: String?
  var repaired: Bool?
}

/// One line of `import --json`.
struct ImportLine: Decodable, Equatable {
  /// Whether a source was moved, or, in the summary, how many were.
  enum Moved: Decodable, Equatable {
    case source(Bool)
    case count(Int)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let count = try? value.decode(Int.self) {
        self = .count(count)
      } else {
        self = .source(try value.decode(Bool.self))
      }
    }
  }

  struct Recording: Decodable, Equatable {
    var id: String
    var type: String
    var duration: Double
    var filePath: String
    var thumbnailPath: String?
    var sourceSHA256: String
    var fileSHA256: String
  }

  var event: String
  var source: String?
  var recordings: [Recording]?
  var warnings: [String]?
  var moved: Moved?
  var stays: String?
  var reason: String?
  var recording: String?
  var duplicateOf: String?
  var photo: String?
  var code: String?
  var error: String?
  var planned: Int?
  var imported: Int?
  var skipped: Int?
  var failed: Int?
  var interrupted: Int?

  static func lines(of result: CommandResult) throws -> [ImportLine] {
    try result.jsonLines(of: ImportLine.self)
  }
}

extension CommandResult {
  /// Standard output as JSON Lines, which must be complete.
  func jsonLines<Line: Decodable>(of type: Line.Type) throws -> [Line] {
    try #require(output.isEmpty || output.hasSuffix("\n"))
    return try output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  /// The lines of standard error.
  var errorLines: [String] { errorOutput.split(separator: "\n").map(String.init) }

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

extension String {
  /// This JSON with the same text for every UUID and for every moment of making or changing.
  var withoutChance: String {
    replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "ID")
      .replacing(/"(createdAt|modifiedAt|lastUpdated)":"[^"]*"/) { "\"\($0.1)\":\"NOW\"" }
  }
}
