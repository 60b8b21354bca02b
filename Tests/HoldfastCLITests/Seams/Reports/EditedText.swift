import Foundation
import HoldfastTestSupport
import Testing

/// A text that a user writes and edits, of each part of Holdfast.
struct EditedText: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Its column in the catalog.
  var table: String
  var column: String
  /// The command that adds a record with a text.
  var add: @Sendable (_ text: String) -> [String]
  /// The command that edits the record's text.
  var edit: @Sendable (_ id: String, _ text: String) -> [String]

  static let all = [
    EditedText("a recording's title", "recording", "title") {
      ["import", "--allow-duplicates", Fixtures.path("voice.wav"), "--title", $0]
    } edit: {
      ["edit", $0, "--title", $1]
    },
    EditedText("a craving's notes", "craving", "notes") {
      ["craving", "log", "--intensity", "5", "--notes", $0]
    } edit: {
      ["craving", "edit", $0, "--notes", $1]
    },
    EditedText("the notes of a usage", "usage", "notes") {
      ["usage", "log", "--method", "Bowls", "--amount", "1", "--notes", $0]
    } edit: {
      ["usage", "edit", $0, "--notes", $1]
    },
    EditedText("a message", "message", "content") {
      ["message", "add", $0, "--category", "urge"]
    } edit: {
      ["message", "edit", $0, "--content", $1]
    },
    EditedText("the name of a food", "foodEntry", "foodName") {
      [
        "food", "log", "--name", $0, "--quantity", "1", "--unit", "piece", "--calories", "100",
        "--protein", "10", "--carbohydrates", "20", "--fat", "5",
      ]
    } edit: {
      ["food", "edit", $0, "--name", $1]
    },
    EditedText("the name of a habit", "habit", "name") {
      ["habit", "add", $0]
    } edit: {
      ["habit", "edit", $0, "--name", $1]
    },
    EditedText("the title of a prayer", "prayer", "title") {
      ["faith", "prayer", "add", "--title", $0]
    } edit: {
      ["faith", "prayer", "edit", $0, "--title", $1]
    },
  ]

  init(
    _ description: String, _ table: String, _ column: String,
    add: @escaping @Sendable (String) -> [String],
    edit: @escaping @Sendable (String, String) -> [String]
  ) {
    testDescription = description
    (self.table, self.column, self.add, self.edit) = (table, column, add, edit)
  }

  /// Adds a record with a text to a library, and returns its ID.
  func add(_ text: String, to library: LibraryFolder) async throws -> String {
    let added = try await library.holdfast(add(text))
    try #require(added.status == 0, "\(added.errorOutput)")
    return try #require(
      try await library.column("SELECT id FROM \(table) WHERE \(column) = '\(text)'").first)
  }

  /// Edits the record's text.
  func edit(_ id: String, to text: String, in library: LibraryFolder) async throws {
    let edited = try await library.holdfast(edit(id, text))
    try #require(edited.status == 0, "\(edited.errorOutput)")
  }

  /// The record's text.
  func text(of id: String, in library: LibraryFolder) async throws -> String? {
    try await library.column("SELECT \(column) FROM \(table) WHERE id = '\(id)'").first
  }
}

extension LibraryFolder {
  /// Enables all journals.
  func enableJournals() async throws {
    for journal in ["food", "habits", "faith"] {
      try #require(try await holdfast("journal", "enable", journal).status == 0)
    }
  }

  /// Imports data, and returns what the command printed.
  func importData(_ document: String, status: Int32 = 0) async throws -> CommandResult {
    let result = try await holdfast("import-data", document)
    #expect(result.status == status, "\(result.output)\(result.errorOutput)")
    return result
  }
}
