import Foundation
import HoldfastTestSupport
import Testing

@Suite("A row that cannot be read", .temporaryFolder)
struct DamagedRowTests {
  private let library = LibraryFolder()

  /// An invalid value in a column of a kind.
  struct Damage: CustomTestStringConvertible {
    var table: String
    var values: String
    /// The words about it in every sentence.
    var words: String
    var testDescription: String { "\(table): \(words)" }

    init(_ table: String, _ values: String, _ words: String) {
      (self.table, self.values, self.words) = (table, values, words)
    }

    static let all = [
      Damage("craving", "timestamp = 'soon'", "its timestamp is \"soon\""),
      Damage("craving", "createdAt = 'soon'", "its createdAt is \"soon\""),
      Damage("craving", "modifiedAt = 'soon'", "its modifiedAt is \"soon\""),
      Damage("craving", "recordingId = 'abc'", "its recordingId is \"abc\""),
      Damage("craving", "intensity = 77", "its intensity is 77"),
      Damage("craving", "location = 'moon'", "its location is \"moon\""),
      Damage("cravingTrigger", "trigger = 'moon'", "its triggers is [\"moon\"]"),
      Damage("usage", "timestamp = 'soon'", "its timestamp is \"soon\""),
      Damage("usage", "method = 'pipe'", "its method is \"pipe\""),
      Damage("usage", "location = '91,0'", "its location is \"91,0\""),
      Damage("message", "category = 'pipe' WHERE isCustom = 1", "its category is \"pipe\""),
      Damage("message", "lastShownAt = 'soon'", "its lastShownAt is \"soon\""),
      Damage("habit", "createdAt = 'soon'", "its createdAt is \"soon\""),
      Damage("habit", "habitType = 'pipe'", "its habitType is \"pipe\""),
      Damage("habitDay", "day = '2025-13-01'", "its day is \"2025-13-01\""),
      Damage("xpTransaction", "timestamp = 'soon'", "its timestamp is \"soon\""),
      Damage("foodEntry", "timestamp = 'soon'", "its timestamp is \"soon\""),
    ]
  }

  /// One record of each damaged kind.
  private func fill() async throws {
    try await library.enableJournals()
    for command in [
      ["craving", "log", "--intensity", "5", "--trigger", "angry"],
      ["usage", "log", "--method", "vape", "--amount", "3"],
      ["message", "add", "Be kind", "--category", "urge"],
      ["habit", "add", "Read"], ["habit", "done", "Read"],
      [
        "food", "log", "--name", "Soup", "--quantity", "1", "--unit", "cup", "--calories", "150",
        "--protein", "5", "--carbohydrates", "20", "--fat", "6",
      ],
    ] {
      let result = try await library.holdfast(command)
      try #require(result.status == 0, "\(command): \(result.errorOutput)")
    }
  }

  @Test("is named with its column by verify and by an export", arguments: Damage.all)
  func column(_ damage: Damage) async throws {
    try await fill()
    try await library.changeCatalog(
      "PRAGMA ignore_check_constraints = 1; UPDATE \(damage.table) SET \(damage.values)")
    try #require(try await library.sql("SELECT count(*) FROM \(damage.table)") != [["0"]])
    let found = try await library.findings().filter { $0.kind == "brokenRule" }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.detail.hasSuffix("cannot be read: \(damage.words)") }, "\(found)")
    let export = try await library.holdfast(
      "export", "--format", "json", "--output", temporary("export.json"))
    #expect(export.status == 1)
    #expect(
      export.errorOutput.contains("catalog.sqlite: row "), "\(export.errorOutput)")
    #expect(
      export.errorOutput.hasSuffix(" cannot be read: \(damage.words); run holdfast verify\n"),
      "\(export.errorOutput)")
  }

  @Test(
    "ends the statistics with its value and the catalog's path",
    arguments: [
      Damage("craving", "timestamp = '9999-99-99 99:99:99.999'", "its hour is NULL"),
      Damage("craving", "location = 'moon'", "its location is \"moon\""),
      Damage("cravingTrigger", "trigger = 'moon'", "its trigger is \"moon\""),
    ])
  func statistics(_ damage: Damage) async throws {
    try await fill()
    try await library.changeCatalog(
      "PRAGMA ignore_check_constraints = 1; UPDATE \(damage.table) SET \(damage.values)")
    for options in [[], ["--days", "all"]] {
      let result = try await library.holdfast(["stats"] + options)
      #expect(result.status == 1)
      #expect(
        result.errorOutput
          == "Error: \(library.path)/catalog.sqlite: its statistics cannot be read: the "
          + "\(damage.words.dropFirst(4)); run holdfast verify\n")
    }
  }

  @Test("Without any files, the statistics do not say that every byte was verified")
  func nothingThere() async throws {
    try await library.importing("aac.m4a")
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    let path = try await library.column("SELECT filePath FROM recording")[0]
    try FileManager.default.removeItem(atPath: "\(library.path)/\(path)")
    #expect(try await library.holdfast("verify", "--deep").status == 4)
    let lines = try await library.holdfast("stats").lines
    #expect(!lines.contains { $0.contains("verified") })
    #expect(lines.contains { $0.contains("None of them can be read now.") })
  }

  @Test("Blank optional text is stored as none")
  func blank() async throws {
    try await library.enableJournals()
    _ = try await library.holdfast(
      "habit", "add",
      "Smoke", "--type", "breaking", "--goal", "5", "--baseline", "10", "--baseline-unit", "cups")
    let document = try await library.export(to: "export.json")
    let text = try String(contentsOfFile: document, encoding: .utf8)
    try #require(text.contains("\"cups\""))
    try Data(text.replacing("\"cups\"", with: "\" \"").utf8)
      .write(to: URL(fileURLWithPath: document))
    let other = LibraryFolder("other")
    try await other.enableJournals()
    _ = try await other.importData(document)
    #expect(try await other.sql("SELECT name FROM habit WHERE baselineUnit IS NULL") == [["Smoke"]])
    #expect(try await other.importData(document).lines.contains("habits: 1 unchanged"))
  }
}
