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

  @Test("A list is by priority, then least shown; own messages come first, and hidden ones apart")
  func list() async throws {
    let library = LibraryFolder()
    func contents(_ options: String...) async throws -> [String?] {
      try await library.holdfast(["message", "list", "--json", "--category", "urge"] + options)
        .json([Record].self).map(\.content)
    }
    let given = try await contents()
    #expect(given.count == 3)
    let own = try await library.record("message", "add", "Call Sam.")
    #expect(own.priority == 0)
    for words in ["One.", "Two.", "Three."] {
      let added = try await library.record("message", "add", words, "--priority", "2")
      #expect(added.priority == 2)
    }
    try await library.changeCatalog(
      """
      UPDATE message SET timesShown = 2 WHERE content = 'One.';
      UPDATE message SET timesShown = 1 WHERE content = 'Three.';
      UPDATE message SET timesShown = 9 WHERE content = 'Call Sam.';
      UPDATE message SET timesShown = 3 WHERE category = 'urge' AND NOT isCustom;
      """)
    #expect(
      try await contents() == ["Call Sam.", given[0], "Two.", "Three.", "One.", given[1], given[2]])
    #expect(try await contents("--custom") == ["Call Sam.", "Two.", "Three.", "One."])
    #expect(
      try await contents("--sort", "shown")
        == ["Two.", "Three.", "One.", given[0], given[1], given[2], "Call Sam."])
    // In all categories, messages that were never shown come first.
    let all = try await library.records("message", "list", "--sort", "shown")
    #expect(all.count == 15)
    #expect(all.compactMap(\.timesShown) == all.compactMap(\.timesShown).sorted())

    #expect(try await contents("--hidden") == [])
    let shown = try await library.records("message", "list", "--category", "urge")
    for message in shown.prefix(2) {
      _ = try await library.record("message", "hide", message.id)
    }
    #expect(try await contents("--hidden") == ["Call Sam.", given[0]])
    #expect(try await contents("--hidden", "--custom") == ["Call Sam."])
    #expect(try await contents() == ["Two.", "Three.", "One.", given[1], given[2]])
    let table = try await library.holdfast("message", "list", "--hidden")
    #expect(table.lines.count == 3)
    #expect(table.lines[1].contains("  own, hidden  Call Sam."))
    #expect(table.errorOutput == "2 messages.\n")
    let help = try await library.holdfast("message", "list", "--sort", "random")
    #expect(help.status == 64)
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
    // The others were already shown twice, this one was not.
    #expect(try await library.record("message", "next").content == "Call Sam.")
    #expect(try await library.record("message", "next").content == "Call Sam.")
    // All shown twice, with priority 2: the least recently shown.
    #expect(try await library.record("message", "next").isCustom == false)
    #expect(try await library.record("message", "next").content == "Call Sam.")
  }

  @Test("A hidden category falls back to urge, and then to any message that is not hidden")
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
    try await library.expectRefusal(
      ["message", "next"],
      saying: "every message is hidden; holdfast message list --hidden shows them")
    #expect(try await library.records("message", "list").isEmpty)
    let first = try await library.records(
      "message", "list", "--hidden", "--category", "anxiety")[0]
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
