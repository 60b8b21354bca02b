import HoldfastTestSupport
import Testing

@Suite("Habits: where there is no library", .temporaryFolder)
struct HabitNoLibraryTests {
  private static let id = NoLibrary.id
  private static let commands: [[String]] = [
    ["add", "x"], ["list"], ["show", "x"], ["edit", "x", "--goal", "2"], ["end", "x"],
    ["link", "x", id], ["unlink", "x"], ["delete", "x"], ["done", "x"], ["undo", "x"],
    ["set", "x", "1"], ["checkin", "x"], ["difficulty", "x", "3"], ["clear", "x"], ["days"],
    ["today"], ["week"], ["streak"], ["level"], ["xp", "list"], ["achievements", "list"],
    ["achievements", "link", id, id], ["achievements", "unlink", id], ["struggling"],
    ["remind", "add", "x", "7:30"], ["remind", "list"], ["remind", "edit", id, "--off"],
    ["remind", "delete", id], ["import-old", "data.json"],
  ].map { (command: [String]) -> [String] in ["habit"] + command }

  @Test("Every command says so, and changes nothing")
  func refusals() async throws {
    try await NoLibrary.expectRefusals(of: Self.commands, at: .empty)
  }

  @Test("No command is missing from this test")
  func commandsAreAll() throws {
    try NoLibrary.expectComplete(
      Self.commands, among: HelpPage.all().filter { $0.command.first == "habit" })
  }
}
