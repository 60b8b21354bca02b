import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast message", .temporaryFolder)
struct MessageTests {
  @Test("Eleven messages come with a library, also when many open it at once")
  func defaults() async throws {
    let library = LibraryFolder()
    #expect(try await library.records("message", "list").count == 11)
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<8 {
        group.addTask { try await library.holdfast("message", "next").status }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(
      try await library.sql(
        """
        SELECT category, group_concat(priority), sum(timesShown) FROM
        (SELECT * FROM message ORDER BY priority) GROUP BY category ORDER BY 1
        """) == [
          ["anxiety", "1,2", "0"], ["boredom", "1,2", "0"], ["celebration", "1,2", "0"],
          ["social", "1,2", "0"], ["urge", "1,2,3", "8"],
        ])
  }

  @Test(
    "The trigger picks the category, and without one the context does",
    arguments: [
      ([], "urge"), (["--context", "celebration"], "celebration"),
      (["--trigger", "Anxious"], "anxiety"), (["--trigger", "bored"], "boredom"),
      (["--trigger", "Social"], "social"), (["--trigger", "Hungry"], "urge"),
      (["--trigger", "Hungry", "--context", "social"], "urge"),
    ])
  func category(options: [String], category: String) async throws {
    let library = LibraryFolder()
    let result = try await library.holdfast(["message", "next", "--json"] + options)
    #expect(try result.json(Record.self).category == category)
  }

  @Test(
    "Anxious decides before Bored, Bored before Social, and Social before all others, in any order",
    arguments: [
      (["Anxious", "Bored"], "anxiety"), (["Anxious", "Social"], "anxiety"),
      (["Bored", "Social"], "boredom"), (["Social", "Hungry"], "social"),
      (["Tired", "Bored", "Anxious"], "anxiety"), (["Habit", "Social", "Bored"], "boredom"),
      (["Sad", "Paraphernalia"], "urge"),
    ])
  func order(triggers: [String], category: String) async throws {
    let library = LibraryFolder()
    for given in [triggers, triggers.reversed()] {
      let options = given.flatMap { ["--trigger", $0] }
      let result = try await library.holdfast(["message", "next", "--json"] + options)
      #expect(try result.json(Record.self).category == category, "\(given)")
    }
  }

  @Test("The least shown comes first, then the lowest priority, then the longest not shown")
  func turn() async throws {
    let library = LibraryFolder()
    var priorities: [Int?] = []
    for _ in 0..<7 { priorities.append(try await library.record("message", "next").priority) }
    #expect(priorities == [1, 2, 3, 1, 2, 3, 1])
    let own = try await library.record(
      "message", "add", "Call Sam.", "--category", "urge", "--priority", "2")
    #expect(own.isCustom == true)
    // Shown twice already, the others are; this one not yet.
    #expect(try await library.record("message", "next").content == "Call Sam.")
    #expect(try await library.record("message", "next").content == "Call Sam.")
    // Shown twice each, with priority 2: the one not shown for longest.
    #expect(try await library.record("message", "next").isCustom == false)
    #expect(try await library.record("message", "next").content == "Call Sam.")
  }

  @Test("A category that is hidden falls back to urge, and then to whatever is not hidden")
  func fallback() async throws {
    let library = LibraryFolder()
    func hide(_ category: String) async throws {
      for message in try await library.records("message", "list", "--category", category) {
        #expect(try await library.record("message", "hide", message.id).isActive == false)
      }
    }
    func next() async throws -> String? {
      try await library.record("message", "next", "--trigger", "Anxious").category
    }
    #expect(try await next() == "anxiety")
    try await hide("anxiety")
    #expect(try await next() == "urge")
    try await hide("urge")
    let any = try #require(try await next())
    #expect(["boredom", "celebration", "social"].contains(any))
    for category in ["boredom", "celebration", "social"] { try await hide(category) }
    try await library.expectRefusal(["message", "next"], saying: "every message is hidden")
    let first = try await library.records("message", "list", "--category", "anxiety")[0]
    #expect(try await library.record("message", "unhide", first.id).isActive == true)
    #expect(try await library.record("message", "next").id == first.id)
  }

  @Test("Own messages are edited and deleted; those that came with the library are not")
  func own() async throws {
    let library = LibraryFolder()
    let own = try await library.record("message", "add", "Go for a walk.").id
    let edited = try await library.record(
      "message", "edit", own, "--content", "Go for a run.", "--category", "Boredom", "--priority",
      "0")
    #expect(edited.content == "Go for a run.")
    #expect(edited.category == "boredom")
    let given = try await library.records("message", "list", "--category", "urge")[0].id
    for (arguments, words) in [
      (["message", "edit", given, "--content", "x"], "cannot be changed; hide it"),
      (["message", "edit", own], "Name what to change"),
      (["message", "edit", own, "--content", " \n"], "the message is empty"),
      (["message", "edit", own, "--priority=-1"], "a priority is 0 or more"),
      (["message", "edit", own, "--category", "urgent"], "did you mean urge?"),
      (["message", "add", ""], "the message is empty"),
      (["message", "add", String(repeating: "é", count: 501)], "501 characters; at most 500"),
      (["message", "next", "--trigger", "Lonly"], "did you mean Lonely?"),
    ] { try await library.expectRefusal(arguments, saying: words) }
    let deleted = try await library.holdfast("message", "delete", "--yes", given, own)
    #expect(deleted.status == 3)
    #expect(deleted.errorOutput.contains("cannot be deleted; hide it"))
    #expect(deleted.lines.count == 1)
    #expect(try await library.column("SELECT count(*), sum(isCustom) FROM message") == ["11"])
  }
}
