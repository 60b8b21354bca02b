import Foundation
import HoldfastTestSupport
import Testing

/// Words with a beginning that nothing else has, and random ends: what is left of a word in an
/// index may be its end only.
@Suite("Words that were removed", .temporaryFolder)
struct RemovedWordTests {
  let library = LibraryFolder()
  private let words = (0..<40).map { number in
    "zq\(number)x" + String((0..<12).map { _ in "bcdfghjklmnp".randomElement() ?? "b" })
  }

  private func spoken() async throws -> [String] {
    try await library.importing("hevc10.mov", "aac.m4a")
    let ids = try await library.column("SELECT id FROM recording ORDER BY timestamp DESC, id")
    try await library.say([words.prefix(20).joined(separator: " ")], in: ids[0])
    try await library.say([words.suffix(20).joined(separator: " ")], in: ids[1])
    #expect(try await library.holdfast("list", "--search", words[0]).output.contains(words[0]))
    #expect(try await library.terms().count == 40)
    return ids
  }

  /// Expects that no end of a word is in any file.
  private func expectGone(_ words: ArraySlice<String>) async throws {
    for word in words {
      #expect(try await library.grep(String(word.suffix(12))).isEmpty)
      #expect(try await library.grep(String(word.suffix(8))).isEmpty)
    }
  }

  @Test("Deleting a recording removes its words from every file")
  func delete() async throws {
    let ids = try await spoken()
    #expect(try await library.holdfast("delete", ids[0], "--yes").status == 0)
    try await expectGone(words.prefix(20))
    #expect(try await library.find("-name", "words.sqlite*").isEmpty)
    let result = try await library.holdfast("list", "--search", words[39])
    #expect(result.output.contains(words[39]))
    #expect(try await library.terms().sorted() == words.suffix(20).sorted())
    try await library.expectSound()
  }

  @Test("Erasing removes all words from every file")
  func erase() async throws {
    _ = try await spoken()
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    #expect(try await library.holdfast("erase", "--everything", "--yes", uuid).status == 0)
    try await expectGone(words[...])
  }

  @Test(
    "After a crash between the deletion and the removal of the index, the next command removes it")
  func crash() async throws {
    let ids = try await spoken()
    // As another process would have committed it that died at once.
    try await library.changeCatalog(
      """
      PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
      DELETE FROM transcript WHERE id = '\(ids[0])'; VACUUM
      """)
    _ = try await Command.output(
      of: "cp", [library.wordIndex, "\(library.wordIndex).new-0-\(UUID().uuidString)"])
    let stale = try await library.holdfast("list", "--search", words[0])
    #expect(!stale.output.contains(words[0]))
    #expect(try await library.holdfast("edit", ids[1], "--title", "x").status == 0)
    try await expectGone(words.prefix(20))
  }
}
