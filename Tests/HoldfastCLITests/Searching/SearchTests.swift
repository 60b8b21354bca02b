import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast list --search", .temporaryFolder)
struct SearchTests {
  let library = LibraryFolder()

  private func ids() async throws -> [String] {
    try await library.importing("hevc10.mov", "aac.m4a")
    return try await library.column("SELECT id FROM recording ORDER BY timestamp DESC, id")
  }

  private func found(_ text: String, _ options: String...) async throws -> [FoundLine] {
    let result = try await library.holdfast(["list", "--json", "--search", text] + options)
    try #require(result.status == 0, "\(result.errorOutput)")
    return try JSONDecoder().decode([FoundLine].self, from: Data(result.output.utf8))
  }

  @Test("Spoken words are found, with their time and sentence; titles are found as before")
  func finds() async throws {
    let ids = try await ids()
    try await library.say(
      ["Good morning.", "I walked to the Straße by the lighthouse."], in: ids[1])
    #expect(try await library.holdfast("edit", ids[0], "--title", "Lighthouse").status == 0)
    let result = try await library.holdfast("list", "--search", "lighthouse")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix(ids[0].prefix(8)) && lines[2].hasPrefix(ids[1].prefix(8)))
    #expect(lines[3] == "          0:10  I walked to the Straße by the lighthouse.")
    #expect(result.errorOutput.contains("A computer wrote the words that were said"))
    let found = try await found("strasse I")
    #expect(found.map(\.id) == [ids[1]])
    let hit = try #require(found.first?.hits?.first)
    #expect(hit.start == 10)
    #expect(hit.ranges == [[0, 1], [16, 22]])
    #expect(hit.isByComputer)
    let compound = try await self.found("light house")
    #expect(compound.map(\.id) == [ids[1]])
    #expect(compound.first?.hits?.first?.ranges == [[30, 40]])
  }

  @Test("Without a search, the JSON has no hits")
  func noHits() async throws {
    _ = try await ids()
    let result = try await library.holdfast("list", "--json")
    #expect(!result.output.contains("hits"))
    #expect(try await library.find("-name", "words.sqlite*").isEmpty)
  }

  @Test(
    "No text is a query's syntax",
    arguments: [
      "walk -x", "\"walk", "walk AND", "walk*", "text:walk", "NEAR(walk)", "(walk", "walk OR",
      "'walk",
      "walk\n", "^walk",
    ])
  func syntax(_ text: String) async throws {
    let ids = try await ids()
    try await library.say(["near walk and or x text walk"], in: ids[0])
    #expect(try await found(text).map(\.id) == [ids[0]])
  }

  @Test("Recordings that are added later are found, newest first, with every order and filter")
  func later() async throws {
    let ids = try await ids()
    try await library.say(["the sea"], in: ids[0])
    #expect(try await found("sea").map(\.id) == [ids[0]])
    let old = try await library.addRow("2019-01-01 00:00:00.000", like: ids[1])
    let new = try await library.addRow("2026-01-01 00:00:00.000", like: ids[1])
    for id in [new, old] { try await library.say(["the sea again"], in: id) }
    #expect(try await found("sea").map(\.id) == [new, ids[0], old])
    #expect(try await found("sea", "--offset", "1", "--limit", "1").map(\.id) == [ids[0]])
    let type = try await library.column("SELECT type FROM recording WHERE id = '\(ids[1])'")[0]
    #expect(try await found("sea", "--type", type).count == 2)
    #expect(try await found("sea", "--sort", "longest").count == 3)
    #expect(try await library.terms() == ["again", "sea", "the"])
  }

  @Test(
    "An index that is damaged, or something else, is not used and not an error",
    arguments: [
      "printf x > F", "truncate -s 5000 F", "rm F; mkdir F; touch F/x", "rm F; mkfifo F",
      "rm F; ln -s /etc/passwd F", ": > F", "chmod 0 F",
      "dd if=/dev/urandom of=F bs=1k seek=4 count=9 conv=notrunc", "rm F; ln -s F F",
    ])
  func obstacles(_ damage: String) async throws {
    let ids = try await ids()
    try await library.say(["the lighthouse"], in: ids[0])
    #expect(try await found("light").count == 1)
    let script = damage.replacing("F", with: "'\(library.wordIndex)'")
    _ = try await Command.output(of: "sh", ["-c", script])
    #expect(try await found("light").map(\.id) == [ids[0]])
    #expect(try await found("light").map(\.id) == [ids[0]])
    #expect(try await library.holdfast("verify", "--repair").status != 1)
    #expect(try await found("light").map(\.id) == [ids[0]])
    try await library.expectSound()
    #expect(try await library.terms() == ["lighthouse", "the"])
  }

  @Test("An index that another process is filling, or has left unfinished, is not used")
  func unfinished() async throws {
    let ids = try await ids()
    try await library.say(["the lighthouse"], in: ids[0])
    #expect(try await found("light").count == 1)
    _ = try await Command.output(of: "sqlite3", [library.wordIndex, "PRAGMA user_version = 0"])
    #expect(try await found("light").map(\.id) == [ids[0]])
    #expect(
      try await Command.output(of: "sqlite3", [library.wordIndex, "PRAGMA user_version"]).output
        == "1\n")
  }

  @Test("Several searches at once make one index")
  func atOnce() async throws {
    let ids = try await ids()
    try await library.say(["the lighthouse"], in: ids[0])
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try await found("light").map(\.id) } }
      for try await found in group { #expect(found == [ids[0]]) }
    }
    #expect(try await found("light").map(\.id) == [ids[0]])
    try await library.expectSound()
    #expect(try await library.find("-name", "words.sqlite*").count == 1)
  }

  @Test("A library that cannot be written is searched all the same")
  func readOnly() async throws {
    let ids = try await ids()
    try await library.say(["the lighthouse"], in: ids[0])
    _ = try await Command.output(of: "chmod", ["-R", "a-w", library.path])
    defer { _ = Task { try await Command.output(of: "chmod", ["-R", "u+w", library.path]) } }
    #expect(try await found("light").map(\.id) == [ids[0]])
    _ = try await Command.output(of: "chmod", ["-R", "u+w", library.path])
  }

  @Test("holdfast doctor --reindex makes the index, and verify finds one with other words")
  func reindex() async throws {
    let ids = try await ids()
    try await library.say(["the lighthouse"], in: ids[0])
    let result = try await library.holdfast("doctor", "--reindex")
    #expect(result.output == "indexed  the words of 1 recording\n")
    #expect(try await library.terms() == ["lighthouse", "the"])
    #expect(try await library.findings().isEmpty)
    try await library.changeCatalog("UPDATE wordGeneration SET removed = removed + 1")
    #expect(try await library.findings().map(\.kind) == ["wordIndexDamaged"])
    #expect(try await library.holdfast("verify", "--repair").status == 0)
    #expect(try await library.find("-name", "words.sqlite*").isEmpty)
  }
}
