import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: ingredients", .temporaryFolder)
struct IngredientTests {
  private static let water = [
    "ingredient", "add", "water", "--name", "Water", "--category", "beverage", "--calories", "0",
    "--protein", "0", "--carbohydrates", "0", "--fat", "0",
  ]

  @Test("An ingredient is printed as an export has it")
  func add() async throws {
    let library = try await LibraryFolder.withFood()
    let result = try await library.holdfast(
      ["food"] + Self.water + [
        "--fiber", "0", "--serving-size", "250", "--serving-unit", "ml", "--subcategory", "plain",
        "--source", "USDA", "--alias", "Aqua", "--alias", " aqua ", "--tag", "cold", "--json",
      ])
    #expect(
      result.output.withoutChance == """
        {"aliases":["aqua"],"caloriesPer100g":0,"carbsPer100g":0,"category":"beverage",\
        "commonServingSize":250,"commonServingUnit":"ml","createdAt":"NOW","fatPer100g":0,\
        "fiberPer100g":0,"id":"water","lastUpdated":"NOW","name":"Water","proteinPer100g":0,\
        "searchTokens":[],"servingSizeVariations":[],"source":"usda","subcategory":"plain",\
        "tags":["cold"],"usageCount":0,"verificationStatus":"pending"}

        """)
    let shown = try await library.holdfast("food", "ingredient", "show", "water", "--json")
    #expect(shown.output == result.output)
    try await library.expectFoodRefusal(Self.water, status: 1, saying: "choose another id")
  }

  @Test("Values that break a rule are bad usage")
  func refused() async throws {
    let library = try await LibraryFolder.withFood()
    let shown: [([String], String)] = [
      (Self.water + ["--category", "meat"], "did you mean"),
      (Self.water + ["--calories", "-1"], "calories -1.0: it is 0 or more"),
      (Self.water + ["--serving-size", "0"], "it is more than 0"),
      (Self.water + ["--name", " "], "the ingredient has no name"),
      (Array(Self.water.dropLast(2)), "Give --name, --calories"),
      (["ingredient", "add", "a b"] + Array(Self.water.dropFirst(3)), "1 to 64 letters, digits"),
      (["ingredient", "edit", "water"], "Name what to change"),
      (["ingredient", "serving", "water", "--unit", "cup"], "Give --grams, or --remove"),
      (["ingredient", "verify", "water", "--status", "perhaps"], "verified, pending, unverified"),
    ]
    for (command, words) in shown {
      try await library.expectFoodRefusal(command, status: 64, saying: words)
    }
    for verb in [["show"], ["verify"], ["delete", "--yes"]] {
      try await library.expectFoodRefusal(
        ["ingredient"] + verb + ["leek"], status: 1, saying: #"there is no ingredient "leek""#)
    }
  }

  @Test("Names, tags, servings, figures and state can be changed")
  func change() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    for names in [["Loaf", "LOAF", " loaf "], ["toast"]] {
      _ = try await library.holdfast(["food", "ingredient", "alias", "bread"] + names)
    }
    _ = try await library.holdfast("food", "ingredient", "alias", "bread", "Toast", "--remove")
    _ = try await library.holdfast("food", "ingredient", "tag", "bread", "dry", "dry", "warm")
    _ = try await library.holdfast("food", "ingredient", "tag", "bread", "warm", "--remove")
    _ = try await library.holdfast(
      "food", "ingredient", "edit", "bread", "--calories", "250", "--sugar", "2.5")
    _ = try await library.holdfast("food", "ingredient", "edit", "bread", "--sugar", "")
    let serving = ["food", "ingredient", "serving", "bread", "--unit", "slice"]
    _ = try await library.holdfast(serving + ["--grams", "30"])
    _ = try await library.holdfast(serving + ["--amount", "2", "--grams", "58"])
    _ = try await library.holdfast(serving + ["--amount", "2", "--remove"])
    let verified = try await library.food("ingredient", "verify", "bread")
    #expect(verified.verificationStatus == "verified")
    #expect((verified.aliases, verified.tags) == (["loaf"], ["dry"]))
    #expect(
      try await library.sql("SELECT caloriesPer100g, sugarPer100g IS NULL FROM ingredient")
        == [["250.0", "1"]])
    #expect(
      try await library.sql("SELECT amount, unit, gramsEquivalent FROM ingredientServing")
        == [["1.0", "slice", "30.0"]])
    let shown = try await library.holdfast("food", "ingredient", "show", "bread")
    #expect(shown.lines.contains("            1 slice = 30 g"), "\(shown.output)")
    try await library.expectFoodRefusal(
      ["ingredient", "serving", "bread", "--unit", "cup", "--remove"], status: 1,
      saying: "no serving of 1 cup")
  }

  @Test("Search and list find ingredients, most used first")
  func find() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    _ = try await library.holdfast(["food"] + Self.water + ["--alias", "crème"])
    func ids(_ arguments: String...) async throws -> [String] {
      let found: [FoodRecord] = try await library.holdfast(
        ["food", "ingredient"] + arguments + ["--json"]
      ).json()
      return found.map(\.id)
    }
    #expect(try await ids("list") == ["bread", "water"])
    _ = try await library.food(
      "log", "--name", "Water", "--quantity", "250", "--unit", "g", "--ingredient", "water")
    #expect(try await ids("list") == ["water", "bread"])
    #expect(try await ids("list", "--limit", "1", "--offset", "1") == ["bread"])
    #expect(try await ids("list", "--category", "Grain") == ["bread"])
    #expect(try await ids("list", "--verified") == [])
    _ = try await library.food("ingredient", "verify", "bread")
    #expect(try await ids("list", "--verified") == ["bread"])
    #expect(try await ids("search", "CREME") == ["water"])
    #expect(try await ids("search", "rye") == ["bread"])
    #expect(try await ids("search", "%") == [])
    let table = try await library.holdfast("food", "ingredient", "search", "rye")
    #expect(table.lines.last?.hasSuffix("Rye Bread") == true)
    #expect(table.errorOutput == "1 ingredient.\n")
  }

  @Test("Deleting an ingredient asks, and leaves the figures of the entries")
  func delete() async throws {
    let library = try await LibraryFolder.withFood()
    try await library.addBread()
    let entry = try await library.food(
      "log", "--name", "Toast", "--quantity", "100", "--unit", "g", "--ingredient", "bread")
    let command = ["food", "ingredient", "delete", "bread"]
    let no = try await library.answering("n", command)
    #expect(no.status == 1 && no.errorOutput.contains("bread  Rye Bread"))
    let yes = try await library.answering("y", command)
    #expect((yes.status, yes.output) == (0, "deleted  bread  Rye Bread\n"))
    let shown = try await library.food("show", entry.id)
    #expect((shown.calories, shown.matchedIngredientId) == (265, nil))
  }
}
