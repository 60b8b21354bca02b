import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast edit", .temporaryFolder)
struct EditTests {
  let library = LibraryFolder()

  @Test("Editing title, notes and purpose updates the time of the edit and the searched text")
  func edit() async throws {
    try await library.importing("hevc10.mov")
    let before = try await library.records("list")[0]
    #expect(before.title == nil)
    let after = try await library.record(
      "edit", before.id, "--title", "Why I stopped", "--notes", "- for ÉLAN", "--purpose",
      "Milestone")
    #expect(after.title == "Why I stopped")
    #expect(after.purpose == "milestone")
    #expect(after.createdAt == before.createdAt)
    #expect(before.modifiedAt == nil)
    #expect(try #require(after.modifiedAt) > (try #require(before.createdAt)))
    #expect(try await library.records("list", "--search", "elan").count == 1)
    let cleared = try await library.record("edit", before.id, "--title", "", "--notes", " ")
    #expect(cleared.title == nil)
    #expect(cleared.notes == nil)
    #expect(cleared.displayTitle == before.displayTitle)
    #expect(try await library.records("list", "--search", "elan").isEmpty)
    try await library.expectSound()
  }

  @Test("Bad input is refused in a sentence, and nothing is written")
  func refusals() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    for (arguments, words) in [
      (["edit", id], "Name what to change"),
      (["edit", id, "--title", String(repeating: "x", count: 201)], "201 characters; at most 200"),
      (["edit", id, "--notes", String(repeating: "x", count: 5001)], "at most 5000"),
      (["edit", id, "--purpose", "milestones"], "did you mean milestone?"),
      (["edit", "00000000", "--title", "x"], "no recording's id begins with"),
    ] { try await library.expectRefusal(arguments, saying: words) }
  }

  @Test("An ambiguous beginning of an id is refused")
  func ambiguous() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    try await library.changeCatalog(
      """
      PRAGMA foreign_keys = ON;
      DELETE FROM thumbnail;
      UPDATE recording SET id = 'ABCD' || substr(id, 5);
      """)
    try await library.expectRefusal(
      ["edit", "abcd", "--title", "x"], saying: "more than one recording's id begins with")
    try await library.expectRefusal(
      ["play", "ABCD", "--count-only"], saying: "more than one recording's id begins with")
  }
}
