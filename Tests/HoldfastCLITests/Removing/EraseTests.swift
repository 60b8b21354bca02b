import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast erase", .temporaryFolder)
struct EraseTests {
  let library = LibraryFolder()
  /// Stored text that must not be found afterwards.
  private static let words = [
    "Zwetschgenknoedel", "Quarkstrudel", "Marillenfleck", "Powidltascherl", "hevc10.mov",
    "Germknoedel", "Buchteln", "voice note of mine.m4a",
  ]

  /// A library with something of everything, some of it deleted or changed again.
  private func fill() async throws -> String {
    try await library.importing(
      "hevc10.mov", options: ["--title", "Zwetschgenknoedel", "--notes", "Quarkstrudel"])
    let note = try copyFixture("aac.m4a", to: "voice note of mine.m4a")
    #expect(try await library.holdfast("import", note).status == 0)
    let id = try await library.column("SELECT id FROM recording WHERE title NOT NULL")[0]
    _ = try await library.record("edit", id, "--title", "Marillenfleck")
    // Its sound is measured.
    _ = try await library.holdfast("show", id)
    _ = try await library.record(
      "craving", "log", "--intensity", "7", "--notes", "Powidltascherl", "--recording", id,
      "--trigger", "Sad")
    _ = try await library.record(
      "usage", "log", "--method", "Dab", "--amount", "1", "--notes", "Germknoedel")
    _ = try await library.record("message", "add", "Buchteln")
    _ = try await library.record("message", "next")
    let hidden = try await library.records("message", "list", "--category", "social")[0].id
    _ = try await library.record("message", "hide", hidden)
    // A file that a repair moved aside, and a note of its old place.
    let quarantine = "\(library.path)/.quarantine/2026-01-01"
    try FileManager.default.createDirectory(atPath: quarantine, withIntermediateDirectories: true)
    try Data("Recordings/Zwetschgenknoedel".utf8)
      .write(to: URL(filePath: "\(quarantine)/note.txt"))
    return id
  }

  private func expectErased(_ library: LibraryFolder) async throws {
    for word in Self.words { #expect(try await library.grep(word).isEmpty, "\(word)") }
    for table in [
      "recording", "thumbnail", "sound", "craving", "cravingTrigger", "usage", "usageTrigger",
    ] {
      #expect(try await library.column("SELECT count(*) FROM \(table)") == ["0"])
    }
    #expect(
      try await library.sql(
        """
        SELECT count(*), sum(isCustom), sum(timesShown), sum(isActive), count(lastShownAt),
          sum(modifiedAt IS NULL) FROM message
        """) == [["11", "0", "0", "11", "0", "11"]])
    #expect(
      try await library.column("SELECT count(*) FROM library WHERE erasing NOT NULL") == ["0"])
    #expect(
      try await library.find() == [
        ".lock", ".staging", ".trash", "Recordings", "Recordings/Thumbnails", "catalog.sqlite",
        "holdfast.json",
      ])
    try await library.expectSound()
  }

  @Test("Nothing that was ever stored can be found afterwards, and the library still works")
  func erase() async throws {
    _ = try await fill()
    for word in Self.words.dropFirst(2) {
      #expect(try await !library.grep(word).isEmpty, "\(word)")
    }
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let result = try await library.answering("erase library", ["erase", "--everything", "--json"])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output == "{\"event\":\"erased\",\"id\":\"\(uuid)\"}\n")
    try await expectErased(library)
    try await library.importing("aac.m4a")
    #expect(try await library.record("message", "next").timesShown == 0)
    #expect(try await library.column("SELECT sum(timesShown) FROM message") == ["1"])
    try await library.expectSound()
  }

  @Test(
    "It asks for the word erase and the folder's name",
    arguments: [
      ("erase\nlibrary", 0), ("erase", 1), ("library", 1), ("erase\nother", 1), ("yes", 1),
      ("ERASE library", 1), ("", 1),
    ])
  func confirmation(lines: String, status: Int32) async throws {
    try await library.importing("aac.m4a")
    let result = try await library.answering(lines, ["erase", "--everything"])
    #expect(result.status == status, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT count(*) FROM recording") == [status == 0 ? "0" : "1"])
    try await library.expectSound()
  }

  @Test("--yes accepts only this library's UUID")
  func uuid() async throws {
    try await library.importing("aac.m4a")
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    for (arguments, words) in [
      (["erase"], "Give --everything"),
      (["erase", "--everything", "--yes", "yes"], "give the library's UUID"),
      (["erase", "--everything", "--yes", UUID().uuidString], "which is \(uuid)"),
      (["erase", "--everything"], "give --yes LIBRARY-UUID"),
    ] { try await library.expectRefusal(arguments, saying: words) }
    let erased = try await library.holdfast("erase", "--everything", "--yes", uuid.lowercased())
    #expect(erased.status == 0)
    #expect(try await library.column("SELECT uuid FROM library") == [uuid])
  }

  @Test("An unfinished erasure does not prevent logging, and is finished when possible")
  func unfinished() async throws {
    _ = try await fill()
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let erase = library.command(["erase", "--everything", "--yes", uuid])
    let failed = try await Strace.run(
      ["trace=unlinkat,unlink", "inject=unlinkat:error=EIO"], erase)
    #expect(failed.result.status == 1)
    let logged = try await Strace.run(
      ["trace=unlinkat,unlink", "inject=unlinkat:error=EIO"],
      library.command(["craving", "log", "--intensity", "1"]))
    #expect(logged.result.status == 0)
    #expect(logged.result.errorOutput.contains("may still be found in the library's folder"))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    let craving = try await library.record("craving", "log", "--intensity", "2")
    #expect(try await library.records("craving", "list").count == 2)
    for id in try await library.records("craving", "list").map(\.id) {
      #expect(try await library.holdfast("craving", "delete", "--yes", id).status == 0)
    }
    #expect(craving.intensity == 2)
    try await expectErased(library)
  }

  /// While an erasure could not finish, each command that wrote removed the whole quarantine.
  @Test("Files that a repair quarantines after an unfinished erasure stay")
  func laterQuarantine() async throws {
    _ = try await fill()
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let failed = try await Strace.run(
      ["trace=unlinkat,unlink", "inject=unlinkat:error=EIO"],
      library.command(["erase", "--everything", "--yes", uuid]))
    #expect(failed.result.status == 1)
    let stranger = "\(library.path)/Recordings/stranger.txt"
    try FileManager.default.createDirectory(
      atPath: "\(library.path)/Recordings", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data("precious".utf8).write(to: URL(filePath: stranger))
    // Its removal fails too.
    let repaired = try await Strace.run(
      ["trace=unlinkat,unlink", "inject=unlinkat:error=EIO"],
      library.command(["verify", "--repair"]))
    #expect(repaired.result.output.contains("is in .quarantine/"), "\(repaired.result.output)")
    #expect(try await library.holdfast("craving", "log", "--intensity", "2").status == 0)
    let kept = try await library.find("-name", "stranger.txt")
    #expect(kept.count == 1 && kept[0].hasPrefix(".quarantine/"), "\(kept)")
    for word in Self.words { #expect(try await library.grep(word).isEmpty, "\(word)") }
    #expect(
      try await library.column("SELECT count(*) FROM library WHERE erasing NOT NULL") == ["0"])
  }

  @Test("While an import is at work nothing is erased")
  func livingImport() async throws {
    let clip = try await makeSlowClip("slow.avi")
    try await library.importing("aac.m4a")
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    // It is converting, without the lock, and is stopped there.
    let imported = try await library.holdfast(
      sending: SIGSTOP, toGroup: true, whileImporting: [clip]
    ) { _ in
      try await library.expectRefusal(
        ["erase", "--everything", "--yes", uuid], saying: "an import or a backup, is at work")
    }
    #expect(imported.status == 0)
    try await library.expectSound()
  }
}
