import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast usage", .temporaryFolder)
struct UsageLogTests {
  @Test(
    "An amount is checked against its method, and shown with its unit",
    arguments: [
      ("bowls", "0.5", "0.5 bowls"), ("Joints", "1", "1 joint"), ("Blunts", "5", "5 blunts"),
      ("Vape", "10", "10 pulls"), ("Dab", "1", "1 dab"), ("Edible", "5", "5 mg"),
      ("Edible", "100", "100 mg"),
    ])
  func amounts(method: String, amount: String, text: String) async throws {
    let library = LibraryFolder()
    let result = try await library.holdfast("usage", "log", "--method", method, "--amount", amount)
    #expect(result.status == 0)
    #expect(result.output.contains(text))
    #expect(
      try await library.column("SELECT amount + 0.0 FROM usage").first.flatMap(Double.init)
        == Double(amount))
  }

  @Test("Help lists every amount to choose from")
  func help() async throws {
    for command in ["log", "edit"] {
      let help = try await Command.output(
        of: Command.holdfast, ["usage", command, "--help"], environment: ["COLUMNS": "200"])
      for line in [
        "Bowls: 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5 or 5 bowls.",
        "Joints: 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5 or 5 joints.",
        "Blunts: 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5 or 5 blunts.",
        "Vape: 1, 2, 3, 4, 5, 6, 7, 8, 9 or 10 pulls.", "Dab: 1, 2, 3, 4 or 5 dabs.",
        "Edible: 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, "
          + "95 or 100 mg.",
      ] {
        #expect(help.output.contains("\n\(line)\n"), "\(command): \(line)")
      }
    }
  }

  @Test("Triggers are offered in two groups, by help and by the shell")
  func triggers() async throws {
    for command in [
      ["usage", "log"], ["usage", "edit"], ["usage", "list"], ["craving", "log"],
      ["craving", "edit"], ["craving", "list"], ["message", "next"],
    ] {
      let help = try await Command.output(
        of: Command.holdfast, command + ["--help"], environment: ["COLUMNS": "80"])
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        words.contains(
          """
          Primary triggers: Hungry, Angry, Anxious, Lonely, Tired, Sad. Secondary triggers: Bored, \
          Social, Habit, Paraphernalia.
          """), "\(command)")
    }
    let script = try await Command.output(
      of: Command.holdfast, ["--generate-completion-script", "fish"])
    #expect(
      script.output.contains(
        "'Hungry Angry Anxious Lonely Tired Sad Bored Social Habit Paraphernalia'"
      ))
  }

  @Test("Bad input is refused in a sentence, and nothing is written")
  func refusals() async throws {
    let library = LibraryFolder()
    let usage = try await library.record("usage", "log", "--method", "Dab", "--amount", "1").id
    func log(_ method: String, _ amount: String) -> [String] {
      ["usage", "log", "--method", method, "--amount", amount]
    }
    for (arguments, words) in [
      (log("Bowls", "0.3"), "amount 0.3: Bowls goes from 0.5 bowls to 5 bowls, in halves"),
      (log("Bowls", "5.5"), "in halves"), (log("Vape", "0"), "from 1 pull to 10 pulls"),
      (log("Vape", "1.5"), "in whole numbers"), (log("Dab", "6"), "from 1 dab to 5 dabs"),
      (log("Edible", "7"), "from 5 mg to 100 mg, in fives"), (log("Edible", "105"), "100 mg"),
      (log("Bowls", "nan"), "is not an amount"), (log("Bowls", "inf"), "is not an amount"),
      (log("Bowls", "much"), "is not an amount"), (log("Bong", "1"), "did you mean Bowls?"),
      (log("Dab", "1") + ["--trigger", "Hungri"], "did you mean Hungry?"),
      (log("Dab", "1") + ["--at", ago(-day)], "is in the future"),
      (log("Dab", "1") + ["--notes", String(repeating: "a", count: 501)], "at most 500"),
      (["usage", "edit", usage, "--method", "Edible"], "amount 1.0: Edible goes from 5 mg"),
      (["usage", "edit", usage], "Name what to change"),
      (["usage", "show", "ffff0000"], "no usage's id begins with"),
    ] { try await library.expectRefusal(arguments, saying: words) }
  }

  @Test("Usage is edited, listed, added up and deleted")
  func wholeLife() async throws {
    let library = LibraryFolder()
    let joint = try await library.record(
      "usage", "log", "--method", "Joints", "--amount", "1.5", "--trigger", "Social", "--location",
      "Outside", "--at", ago(40 * day))
    let vape = try await library.record(
      "usage", "log", "--method", "Vape", "--amount", "3", "--at", ago(2 * day))
    let edible = try await library.record(
      "usage", "edit", vape.id, "--method", "Edible", "--amount", "15")
    #expect(edible.method == "Edible")
    #expect(edible.amount == 15)
    #expect(edible.timestamp == vape.timestamp)
    #expect(try await library.records("usage", "list").map(\.id) == [vape.id, joint.id])
    #expect(try await library.records("usage", "list", "--days", "7").map(\.id) == [vape.id])
    #expect(
      try await library.records("usage", "list", "--method", "joints").map(\.id) == [joint.id])
    #expect(
      try await library.records("usage", "list", "--trigger", "Social").map(\.id) == [joint.id])
    let summary = try await library.holdfast("usage", "list", "--summary")
    #expect(summary.output == "Edible: 15 mg in 1 entry.\nJoints: 1.5 joints in 1 entry.\n")
    let other = try await library.record("usage", "log", "--method", "Edible", "--amount", "30")
    #expect(
      try await library.holdfast("usage", "list", "--summary", "--method", "Edible").output
        == "Edible: 45 mg in 2 entries, 22.5 mg on average.\n")
    let shown = try await library.holdfast("usage", "show", joint.id)
    #expect(shown.output.contains("amount      1.5 joints"))
    #expect(
      try await library.holdfast("usage", "delete", "--yes", joint.id, vape.id, other.id).status
        == 0)
    #expect(try await library.column("SELECT count(*) FROM usage") == ["0"])
    #expect(try await library.column("SELECT count(*) FROM usageTrigger") == ["0"])
  }
}
