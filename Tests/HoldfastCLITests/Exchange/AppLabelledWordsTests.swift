import Foundation
import HoldfastTestSupport
import Testing

@Suite("Words that an app's later form has no field for", .temporaryFolder)
struct AppLabelledWordsTests {
  private static let head = #""id": "\#(LibraryFolder.id(1))", "createdAt": "2025-06-08T07:00:00Z""#

  private func library(_ name: String) async throws -> LibraryFolder {
    let library = LibraryFolder(name)
    for journal in ["faith", "habits"] {
      _ = try await library.holdfast("journal", "enable", journal)
    }
    return library
  }

  @discardableResult
  private func importing(
    _ values: [String], as list: String, and more: String = "", into library: LibraryFolder
  ) async throws -> String {
    let path = temporary("app.json")
    let record = ([Self.head] + values).joined(separator: ", ")
    try Data("{\"\(list)\": [{\(record)}]\(more)}".utf8).write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    return result.output + result.errorOutput
  }

  /// A record of an app in two forms of its documents.
  struct Forms: Sendable, CustomTestStringConvertible {
    var list: String
    var common: String
    var old: String
    /// More lists of the old document.
    var oldLists = ""
    var query: String
    var own: String
    var kept: String
    var testDescription: String { list }
  }

  private static let forms = [
    Forms(
      list: "journalEntries",
      common: #""title": "Day", "content": "text", "date": "2025-06-08T07:00:00Z""#,
      old: #""audioTranscript": "spoken", "activities": ["Walk"]"#,
      query: "SELECT content FROM journalEntry", own: "text",
      kept: "text\n\nTranscript: spoken\n\nActivities: Walk"),
    Forms(
      list: "cravings",
      common: #""timestamp": "2025-06-08T07:00:00Z", "intensity": 5, "notes": "n""#,
      old: #""trigger": "Fight with Bob", "managementStrategy": "Called Ann""#,
      query: "SELECT notes FROM craving", own: "n",
      kept: "n\nTrigger: Fight with Bob\nCoping strategy: Called Ann"),
    Forms(
      list: "moodEntries",
      common: #""mood": "Calm", "date": "2025-06-08T07:00:00Z", "notes": "m", "intensity": 5"#,
      old: #""triggers": ["Noise"]"#,
      query: "SELECT notes FROM moodEntry", own: "m\nIntensity: 5",
      kept: "m\nIntensity: 5\nTriggers: Noise"),
    Forms(
      list: "habits",
      common: #""name": "Water", "habitDescription": "why", "habitType": "Habit Building", "#
        + #""goal": "3 times everyday", "startDate": "2025-06-08T07:00:00Z""#,
      old: #""userId": "u""#,
      oldLists: #", "habitNotes": [{"habitId": "\#(LibraryFolder.id(1))", "content": "good"}]"#,
      query: "SELECT habitDescription FROM habit", own: "why", kept: "why\nNote: good"),
  ]

  @Test("They stay, until a form that has the field removes them", arguments: forms)
  func kept(_ forms: Forms) async throws {
    let (library, other) = (try await library("library"), try await library("other"))
    try await importing(
      [forms.common, forms.old], as: forms.list, and: forms.oldLists, into: library)
    let copy = try await library.copy(to: "copy")
    for _ in 1...2 {
      try await importing([forms.common], as: forms.list, into: library)
      #expect(try await library.column(forms.query) == [forms.kept])
    }
    try await importing([forms.common], as: forms.list, into: other)
    #expect(try await other.column(forms.query) == [forms.own])
    for (into, from) in [(copy, other), (other, copy)] {
      _ = try await into.holdfast("merge", from.path)
      #expect(try await into.column(forms.query) == [forms.kept])
    }
    // A form that lacks the field has removed nothing. One that has it in another record did.
    let dated = [forms.common, #""updatedAt": "2025-06-09T07:00:00Z""#]
    try await importing(dated, as: forms.list, into: library)
    #expect(try await library.column(forms.query) == [forms.kept])
    guard forms.oldLists.isEmpty else { return }
    let later = [forms.common, #""updatedAt": "2025-06-10T07:00:00Z""#]
    let second = [Self.head, forms.common, forms.old].joined(separator: ", ")
      .replacing(LibraryFolder.id(1), with: LibraryFolder.id(2))
    try await importing(later + ["\"a\": 1}, {\(second)"], as: forms.list, into: library)
    #expect(try await library.column(forms.query + " ORDER BY id")[0] == forms.own)
  }

  @Test("They stay alone, beside another record's own words")
  func alone() async throws {
    let library = try await library("library")
    let common = #""timestamp": "2025-06-08T07:00:00Z""#
    try await importing(
      [common, #""intensity": 5, "trigger": "Fight""#], as: "cravings", into: library)
    let second = #"{"id": "\#(LibraryFolder.id(2))", \#(common), "intensity": 5, "notes": "n"}"#
    try await importing(
      [common, #""intensity": 7, "updatedAt": "2025-06-09T07:00:00Z"}, "# + second.dropLast()],
      as: "cravings", into: library)
    #expect(
      try await library.sql("SELECT intensity, notes FROM craving ORDER BY id")
        == [["7", "Trigger: Fight"], ["5", "n"]])
  }

  @Test("What a form lacks stays in an entry that was changed later")
  func fields() async throws {
    let library = try await library("library")
    let common = [#""title": "Day", "content": "text", "date": "2025-06-08T07:00:00Z""#]
    try await importing(
      common + [#""location": "Sea", "tags": ["calm"]"#], as: "journalEntries", into: library)
    try await importing(
      [
        #""title": "Day", "content": "more", "date": "2025-06-08T07:00:00Z""#,
        #""updatedAt": "2025-06-09T07:00:00Z""#,
      ], as: "journalEntries", into: library)
    #expect(
      try await library.sql(
        "SELECT content, location, tag FROM journalEntry JOIN entryTag ON journalEntryId = id")
        == [["more", "Sea", "calm"]])
  }

  @Test(
    "What the app does not say is not assumed about a record that says it here",
    arguments: ["", #", "updatedAt": "2025-06-09T07:00:00Z""#])
  func assumed(change: String) async throws {
    let library = try await library("library")
    let entry = #""content": "text", "date": "2025-06-08T07:00:00Z""#
    try await importing(
      [entry, #""title": "Day", "isPrivate": true"#], as: "journalEntries", into: library)
    try await importing(
      [entry, #""title": "Night"\#(change)"#], as: "journalEntries", into: library)
    #expect(
      try await library.sql("SELECT title, isPrivate FROM journalEntry") == [["Night", "1"]])

    // Two habits to give up: the document has the baseline of one of them.
    let habit =
      #""habitType": "Habit Breaking", "goal": "2 times everyday", "#
      + #""startDate": "2025-06-08T07:00:00Z""#
    func habits(_ name: String, _ values: [String]) -> [String] {
      let second = [Self.head, habit, #""name": "b\#(name)"\#(change)"#]
        .joined(separator: ", ").replacing(LibraryFolder.id(1), with: LibraryFolder.id(2))
      return [habit, #""name": "a\#(name)"\#(change), \#(values[0])}, {\#(second)"#]
        + values.dropFirst()
    }
    try await importing(
      habits("1", [#""baseline": 9"#, #""baseline": 8"#]), as: "habits", into: library)
    try await importing(habits("2", [#""baseline": 10"#]), as: "habits", into: library)
    #expect(
      try await library.sql("SELECT name, baselineCount FROM habit ORDER BY name")
        == [["a2", "10"], ["b2", "8"]])
  }

  @Test("A target counts for a habit to give up only")
  func target() async throws {
    let library = try await library("library")
    for (id, type, target) in [(1, "Building", 1), (2, "Breaking", 2)] {
      let path = temporary("target.json")
      let habit = """
        {"habits": [{"id": "\(LibraryFolder.id(id))", "name": "\(type)", "target": \(target),
          "habitType": "Habit \(type)", "goal": "5 times everyday", "baseline": 9,
          "startDate": "2025-06-08T07:00:00Z", "createdAt": "2025-06-08T07:00:00Z"}]}
        """
      try Data(habit.utf8).write(to: URL(filePath: path))
      #expect(try await library.holdfastInUTC("import-app", path).status == 0)
    }
    #expect(
      try await library.sql("SELECT name, goalCount FROM habit ORDER BY name")
        == [["Breaking", "2"], ["Building", "5"]])
  }

  @Test("A remark says that they do not fit")
  func cut() async throws {
    let library = try await library("library")
    let common = #""timestamp": "2025-06-08T07:00:00Z", "intensity": 5"#
    try await importing([common, #""trigger": "Fight with Bob""#], as: "cravings", into: library)
    let notes = String(repeating: "n", count: 485)
    for isChanged in [true, false] {
      let output = try await importing(
        [common, "\"notes\": \"\(notes)\""], as: "cravings", into: library)
      #expect(output.contains("only 500 characters fit") == isChanged, "\(output)")
      #expect(try await library.column("SELECT notes FROM craving") == [notes + "\nTrigger: Figh…"])
    }
  }
}
