import Foundation
import HoldfastTestSupport
import Testing

@Suite("After a clock was wrong", .temporaryFolder)
struct WrongClockTests {
  let library = LibraryFolder()

  @Test("The later of two edits wins a merge, whatever the clock said", arguments: EditedText.all)
  func laterEdit(_ text: EditedText) async throws {
    try await library.enableJournals()
    let id = try await text.add("as it was", to: library)
    try await text.edit(id, to: "while the clock was ahead", in: library)
    try await library.changeCatalog(
      """
      UPDATE \(text.table) SET modifiedAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 year')
      WHERE id = '\(id)'
      """)
    let copy = try await library.copy(to: "copy")
    try await text.edit(id, to: "with the right clock", in: library)
    for (own, other) in [(library, copy), (copy, library)] {
      let merged = try await own.holdfast("merge", other.path)
      #expect(merged.status == 0, "\(merged.output)\(merged.errorOutput)")
      #expect(try await text.text(of: id, in: own) == "with the right clock")
    }
  }

  @Test("A link, a hidden message, a day of a habit and its new goal are edits as well")
  func otherEdits() async throws {
    try await library.enableJournals()
    try await library.importing("aac.m4a")
    let recording = try await library.column("SELECT id FROM recording")[0]
    let craving = try await library.record("craving", "log", "--intensity", "5").id
    let message = try await library.column("SELECT id FROM message ORDER BY id")[0]
    _ = try await library.holdfast("habit", "add", "Read", "--goal", "5")
    _ = try await library.holdfast("habit", "done", "Read")
    let ahead = "2099-01-01 00:00:00.000"
    try await library.changeCatalog(
      ["craving", "message", "habitDay"].map { "UPDATE \($0) SET modifiedAt = '\(ahead)';" }
        .joined())
    let edits = [
      ("craving", ["craving", "link", craving, recording]),
      ("message", ["message", "hide", message]),
      ("habitDay", ["habit", "difficulty", "Read", "3"]),
      ("habitDay", ["habit", "edit", "Read", "--goal", "4"]),
    ]
    var last = ["habitDay": ahead]
    for (table, command) in edits {
      let result = try await library.holdfast(command)
      #expect(result.status == 0, "\(command): \(result.errorOutput)")
      let moment = try await library.column("SELECT max(modifiedAt) FROM \(table)")[0]
      #expect(moment > last[table] ?? ahead, "\(command)")
      last[table] = moment
    }
    try await library.expectSound()
  }

  @Test("A record of the last day that can be written can still be edited")
  func lastMoment() async throws {
    let id = try await library.record("craving", "log", "--intensity", "5").id
    try await library.changeCatalog(
      "UPDATE craving SET modifiedAt = '9999-12-31 23:59:59.999'")
    #expect(try await library.record("craving", "edit", id, "--notes", "x").notes == "x")
    #expect(
      try await library.column("SELECT modifiedAt FROM craving") == ["9999-12-31 23:59:59.999"])
  }

  @Test("Records of the future are imported and merged with a remark, and verify counts them once")
  func future() async throws {
    try await library.importing("aac.m4a")
    for _ in 1...2 { _ = try await library.record("craving", "log", "--intensity", "5") }
    try await library.changeCatalog(
      """
      UPDATE craving SET timestamp = '2099-01-01 11:30:00.000';
      UPDATE recording SET title = 'ahead', modifiedAt = '2098-01-01 12:00:00.000';
      """)
    let document = try await library.export(to: "export.json")
    let (other, merged) = (LibraryFolder("other"), LibraryFolder("merged"))
    try await other.importing("aac.m4a", options: ["--allow-duplicates"])
    let dry = try await other.holdfast("import-data", document, "--dry-run")
    let result = try await other.importData(document)
    #expect(
      result.lines[0] == "recordings: 1 updated" && result.lines.contains("cravings: 2 added"))
    #expect(dry.output == result.output && dry.errorOutput == result.errorOutput)
    func remarks(_ result: CommandResult) -> [String] {
      result.errorLines.filter { $0.contains("in the future") }
    }
    #expect(remarks(result).count == 3, "\(result.errorOutput)")
    #expect(
      remarks(result).first?.hasPrefix("note: recordings[0] (") == true, "\(result.errorOutput)")
    #expect(remarks(result).last?.contains("is dated 2099-01-01 ") == true, "\(result.errorOutput)")
    // Each is named once.
    #expect(try await remarks(other.importData(document)).isEmpty)
    #expect(try await remarks(merged.holdfast("merge", library.path)).count == 3)
    #expect(try await remarks(merged.holdfast("merge", library.path)).isEmpty)
    let verified = try await merged.holdfast("verify")
    #expect(verified.status == 0, "\(verified.output)")
    #expect(remarks(verified).count == 1, "\(verified.errorOutput)")
    #expect(verified.errorOutput.contains("3 records are dated in the future"))
    try await merged.expectSound()
  }
}
