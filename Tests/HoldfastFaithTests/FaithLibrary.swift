import Foundation
import Holdfast
import HoldfastCravings
import HoldfastFaith
import HoldfastTestSupport
import Testing

/// The time of every test: noon on 2025-11-03 UTC.
let noon = Date(timeIntervalSince1970: 1_762_171_200)

/// The library in the test's own folder, with the journal enabled.
func openFaith(_ name: String = "library") throws -> Library {
  let location = LibraryLocation(path: "\(TemporaryFolder.current)/\(name)")
  try Library.create(at: location)
  let library = try Library.open(at: location, for: .writing, journals: [.cravings, .faith])
  try library.enableJournal("faith")
  return library
}

/// The sqlite3 program's answer.
func sqlite(_ statements: String, in name: String = "library") async throws -> String {
  try await Command.output(
    of: "sqlite3", ["-batch", "\(TemporaryFolder.current)/\(name)/catalog.sqlite", statements]
  ).output.trimmingCharacters(in: .newlines)
}

/// Whether the sqlite3 program refuses statements because of a constraint with these words.
func sqliteRefuses(_ statements: String, saying words: String = "") async throws -> Bool {
  let result = try await Command.run(
    "sqlite3",
    [
      "-batch", "-cmd", "PRAGMA foreign_keys = ON",
      "\(TemporaryFolder.current)/library/catalog.sqlite", statements,
    ])
  return result.status != 0 && result.errorOutput.contains("constraint failed")
    && (words.isEmpty || result.errorOutput.contains(words))
}

/// Expects that the body throws a rule's sentence with these words.
func expectRule(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch {
    #expect("\(error)".contains(words), "\(error)", sourceLocation: sourceLocation)
  }
}

/// An entry of noon on 2025-11-03 in Greenwich time.
func entry(
  _ title: String = "Morning", content: String = "", at date: Date = noon, offset: Int = 0,
  tags: [String] = [], mood: String? = nil, isPrivate: Bool = false
) -> JournalEntry {
  JournalEntry(
    title: title, content: content, date: date, dateOffset: offset, tags: tags, mood: mood,
    isPrivate: isPrivate, createdAt: noon)
}

/// An active prayer of noon on 2025-11-03.
func prayer(_ title: String = "For rain", at date: Date = noon, isPrivate: Bool = false)
  -> PrayerRequest
{
  PrayerRequest(
    title: title, details: "The well is low.", date: date, dateOffset: 0, isPrivate: isPrivate,
    createdAt: noon)
}

extension Library {
  /// The document of an export.
  func document() throws -> Data {
    var data = Data()
    try exportDocument { data += $0 }
    return data
  }
}
