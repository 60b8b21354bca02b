import HoldfastTestSupport
import Testing

@Suite("Faith: where there is no library", .temporaryFolder)
struct FaithNoLibraryTests {
  private static let id = NoLibrary.id
  private static let commands: [[String]] =
    [
      ["entry", "write", "--title", "x"], ["entry", "edit", id, "--title", "x"],
      ["entry", "tag", id, "x"], ["entry", "tags"], ["entry", "prompt"],
      ["entry", "add-photo", id, "x.jpg"], ["entry", "remove-photo", id, id, "--yes"],
      ["prayer", "add", "--title", "x"], ["prayer", "answer", id], ["prayer", "reopen", id],
      ["prayer", "archive", id], ["prayer", "unarchive", id], ["prayer", "answers"],
      ["prayer", "edit", id, "--title", "x"], ["mood", "log", "Sad"], ["mood", "count"],
      ["mood", "edit", id, "--mood", "Sad"], ["prompt", "add", "x"], ["prompt", "next"],
      ["prompt", "use", id], ["prompt", "edit", id, "--prompt", "x"],
      ["verse", "add", "--reference", "x", "--text", "y"], ["verse", "import", "verses.json"],
      ["verse", "today"], ["verse", "edit", id, "--text", "x"], ["verse", "bookmark", id],
      ["verse", "unbookmark", id], ["bookmark", "add", "--reference", "x", "--text", "y"],
      ["bookmark", "edit", id, "--text", "x"], ["devotional", "add", "--title", "x"],
      ["devotional", "done", id], ["devotional", "undo", id],
      ["devotional", "edit", id, "--title", "x"], ["study", "add", "--title", "x"],
      ["study", "edit", id, "--title", "x"], ["plan", "add", "--title", "x"],
      ["session", "add", "--title", "x", "--host", "y"], ["session", "join", id, "x"],
      ["session", "end", id], ["session", "say", id, "x", "--user", "y"],
      ["session", "invite", id, "x"], ["session", "accept", id], ["session", "decline", id],
      ["session", "remove", id], ["session", "edit", id, "--title", "x"],
      ["subscription", "add", "x"], ["subscription", "edit", id, "--plan", "free"],
      ["profile", "set", "--name", "x"], ["profile", "show"], ["profile", "delete"],
      ["plan", "done", id], ["plan", "undo", id], ["plan", "edit", id, "--title", "x"],
    ].map { (command: [String]) -> [String] in ["faith"] + command }
    + [
      "entry", "prayer", "mood", "prompt", "verse", "bookmark", "devotional", "study", "plan",
      "session",
      "subscription",
    ]
    .flatMap { [["faith", $0, "list"], ["faith", $0, "show", id], ["faith", $0, "delete", id]] }
    + ["entry", "prayer", "mood", "devotional", "session"]
    .flatMap { [["faith", $0, "link", id, id], ["faith", $0, "unlink", id]] }

  @Test("Every command says so, and changes nothing")
  func refusals() async throws {
    try await NoLibrary.expectRefusals(of: Self.commands, at: .empty)
  }

  @Test("No command is missing from this test")
  func commandsAreAll() throws {
    try NoLibrary.expectComplete(
      Self.commands, among: HelpPage.all().filter { $0.command.first == "faith" })
  }
}
