import HoldfastTestSupport
import Testing

@Suite("Food: where there is no library", .temporaryFolder)
struct FoodNoLibraryTests {
  private static let id = NoLibrary.id
  private static let commands: [[String]] = [
    ["log", "--name", "x", "--quantity", "1", "--unit", "g", "--ingredient", "x"], ["list"],
    ["show", id], ["edit", id, "--name", "x"], ["link", id, id], ["unlink", id], ["detach", id],
    ["attach", id], ["delete", id], ["day"], ["days"], ["day-delete", "2025-11-03"],
    [
      "ingredient", "add", "x", "--name", "x", "--category", "grain", "--calories", "0",
      "--protein", "0", "--carbohydrates", "0", "--fat", "0",
    ], ["ingredient", "search", "x"], ["ingredient", "list"],
    ["ingredient", "show", "x"], ["ingredient", "edit", "x", "--name", "y"],
    ["ingredient", "alias", "x", "y"], ["ingredient", "tag", "x", "y"],
    ["ingredient", "serving", "x", "--unit", "slice", "--grams", "28"],
    ["ingredient", "verify", "x"], ["ingredient", "delete", "x"],
  ].map { (command: [String]) -> [String] in ["food"] + command }

  @Test("Every command says so, and changes nothing")
  func refusals() async throws {
    try await NoLibrary.expectRefusals(of: Self.commands, at: .empty)
  }

  @Test("No command is missing from this test")
  func commandsAreAll() throws {
    try NoLibrary.expectComplete(
      Self.commands, among: HelpPage.all().filter { $0.command.first == "food" })
  }
}
