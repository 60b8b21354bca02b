import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastCLI

/// The folder `Tests/OldLibrary` has a library that an older version made, with records of every
/// kind, and the output of its commands. `Tests/OldLibrary/make` makes both.
@Suite(
  "The library of an older version", .temporaryFolder, .enabled(if: OldLibrary.isKnown))
struct OldLibraryTests {
  @Test("It opens, passes verify, and has the same documents byte for byte")
  func documents() async throws {
    let library = LibraryFolder(at: "library")
    _ = try await Command.output(
      of: "tar", ["-xzpf", OldLibrary.path("library.tar.gz"), "-C", temporary("")])
    let documents = try OldLibrary.documents
    #expect(documents.count > 100)
    for (command, document) in documents {
      #expect(try await output(of: command, library) == document, "\(command)")
    }
    try await library.expectSound()
  }

  /// A command's current output.
  private func output(of command: [String], _ library: LibraryFolder) async throws -> String {
    let tables = temporary("tables")
    let format =
      command.first != "export" ? ["--json"] : command.last == "csv" ? ["--output", tables] : []
    let result = try await Command.run(
      Command.holdfast, library.command(command + format), environment: ["TZ": "UTC"])
    #expect(result.status == 0, "\(command): \(result.errorOutput)")
    guard command.last == "csv" else { return OldLibrary.timeless(result.output, command) }
    return try FileManager.default.contentsOfDirectory(atPath: tables).sorted().map { name in
      try "\(name)\n" + String(contentsOfFile: "\(tables)/\(name)", encoding: .utf8)
    }.joined()
  }
}

/// The files in `Tests/OldLibrary`.
private enum OldLibrary {
  static func path(_ name: String) -> String { "\(Repository.root)/Tests/OldLibrary/\(name)" }

  /// The commands, in order, with their output.
  static var documents: [(command: [String], document: String)] {
    get throws {
      let text = try String(contentsOfFile: path("documents.txt"), encoding: .utf8)
      var documents: [(command: [String], document: String)] = []
      // By scalars, so that a line of a table keeps its carriage return.
      for line in text.unicodeScalars.split(separator: "\n").map(String.init) {
        if line.hasPrefix("$ ") {
          documents.append((line.dropFirst(2).split(separator: " ").map(String.init), ""))
        } else if !documents.isEmpty {
          documents[documents.count - 1].document += line + "\n"
        }
      }
      return documents.map { ($0, timeless($1, $0)) }
    }
  }

  /// Whether the program knows each of the library's journals.
  static var isKnown: Bool {
    struct Journal: Decodable { var name: String }
    guard
      let list = try? documents.first(where: { $0.command == ["journal", "list"] })?.document,
      let journals = try? JSONDecoder().decode([Journal].self, from: Data(list.utf8))
    else { return true }
    return Set(journals.map(\.name)).isSubset(of: TestedJournal.all.map(\.name))
  }

  /// A document without the values that change with time.
  static func timeless(_ document: String, _ command: [String]) -> String {
    guard command.starts(with: ["stats"]) || command.starts(with: ["habit", "show"]),
      let object = try? JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any],
      let data = try? JSONSerialization.data(withJSONObject: strip(object), options: .sortedKeys)
    else { return document }
    return String(decoding: data, as: UTF8.self)
  }

  private static func strip(_ object: [String: Any]) -> [String: Any] {
    object.filter { !["until", "daysSinceLastUse", "longestStretch", "rate"].contains($0.key) }
      .mapValues { ($0 as? [String: Any]).map(strip) ?? $0 }
  }
}
