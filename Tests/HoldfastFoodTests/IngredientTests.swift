import Foundation
import Holdfast
import HoldfastFood
import HoldfastTestSupport
import Testing

@Suite("Food: ingredients", .temporaryFolder)
struct IngredientTests {
  @Test("10: A search finds names, aliases and search words, in any case, most used first")
  func search() throws {
    let library = try openDiary()
    for (id, name, alias, uses) in [
      ("aubergine", "Eggplant", "melongene", 2), ("egg", "Hen's fruit", "Egg white", 5),
      ("creme", "Crème", "100% cream", 2), ("span", "Hot", "dog", 0), ("dash", "A_B", "c", 0),
    ] {
      var ingredient = try ingredient(id, name)
      ingredient.addAlias(alias)
      ingredient.usageCount = uses
      try library.food.add(ingredient)
    }
    func found(_ term: String) throws -> [String] {
      try library.food.ingredients(containing: term).map(\.id)
    }
    #expect(try found("EGG") == ["egg", "aubergine"])
    #expect(try found("crème") == ["creme"] && found("creme") == ["creme"])
    // The end of a name and the beginning of an alias.
    #expect(try found("hotdog").isEmpty && found("hot dog").isEmpty && found("t\nd").isEmpty)
    #expect(try found("0% c") == ["creme"] && found("%") == ["creme"] && found("_") == ["dash"])
    #expect(try found(" ") == ["egg", "aubergine", "creme", "dash", "span"])
    #expect(try library.food.ingredients(limit: 2, offset: 1).map(\.id) == ["aubergine", "creme"])
  }

  @Test("11: An alias is kept once, in lower case; a shown name is capitalised")
  func names() throws {
    var egg = try ingredient("egg", "BBQ sauce")
    for alias in ["Egg", "egg", " EGG ", "", "Yolk"] { egg.addAlias(alias) }
    #expect(egg.aliases == ["egg", "yolk"])
    egg.removeAlias("EGG")
    #expect(egg.aliases == ["yolk"])
    #expect(egg.displayName == "Bbq Sauce")
  }

  @Test("12: The model and the schema agree on the rules of an ingredient")
  func rules() async throws {
    let library = try openDiary()
    try library.food.add(ingredient())
    let twice = #expect(throws: HoldfastError.self) { try library.food.add(ingredient()) }
    #expect(twice?.description.contains("already") == true)
    let error = #expect(throws: RuleError.self) { try IngredientCategory(named: "meat") }
    #expect(error?.description.contains("did you mean") == true)
    #expect(
      IngredientCategory.allCases.map(\.rawValue) == [
        "protein", "vegetable", "fruit", "grain", "dairy", "fat", "beverage", "snack", "condiment",
      ])
    #expect(
      DataSource.allCases.map(\.rawValue) == ["usda", "nutritionix", "custom", "userContributed"])
    let stored = try #require(try library.record(Ingredient.self, id: "bread"))
    #expect(stored.verificationStatus == .pending && !stored.isVerified && stored.usageCount == 0)
    #expect(stored == (try ingredient()))
    for sql in [
      "category = 'meat'", "caloriesPer100g = -1", "id = 'a b'", "id = ''", "name = ' '",
      "commonServingSize = 0", "usageCount = -1", "verificationStatus = 'Verified'",
      "source = 'web'", "fiberPer100g = -1",
    ] { #expect(try await sqliteRefuses("UPDATE ingredient SET \(sql)"), "\(sql)") }
    _ = try await sqlite("UPDATE ingredient SET caloriesPer100g = 0, sugarPer100g = NULL")
    var bad = try ingredient("b")
    bad.tags = ["a", "a"]
    #expect(throws: HoldfastError.self) { try library.food.add(bad) }
    #expect(throws: HoldfastError.self) { try library.food.add(ingredient("no blanks")) }
    #expect(throws: HoldfastError.self) { try library.food.add(ingredient("ü")) }
  }

  @Test("12: A use is counted when it is logged, and never uncounted")
  func uses() throws {
    let library = try openDiary()
    try library.food.add(ingredient())
    try library.food.add(ingredient("roll", "Roll"))
    for _ in 0..<3 { try library.food.log(meal(ingredient: "bread")) }
    let id = try library.food.entries()[0].id
    func count(_ id: String) throws -> Int? {
      try library.record(Ingredient.self, id: id)?.usageCount
    }
    #expect(try count("bread") == 3)
    try library.food.edit(id: id) { $0.calories = 1 }
    try library.food.edit(id: id) { $0.matchedIngredientID = "roll" }
    #expect(try count("bread") == 3 && count("roll") == 1)
    try library.delete(FoodEntry.self, id: id)
    #expect(try count("bread") == 3 && count("roll") == 1)
    let updated = try library.record(Ingredient.self, id: "bread")?.lastUpdated
    #expect(try updated == ingredient().lastUpdated)
    #expect(throws: HoldfastError.self) { try library.food.log(meal(ingredient: "cake")) }
    #expect(try library.food.entries().count == 2)
  }

  @Test("13: An amount becomes nutrition by its mass, or by a serving's")
  func conversion() throws {
    var bread = try ingredient()
    bread.servingSizeVariations = [
      ServingVariation(amount: 1, unit: "slice", description: "one", gramsEquivalent: 28),
      ServingVariation(
        amount: 2, unit: "Slice", description: "two thick ones", gramsEquivalent: 80),
    ]
    #expect(try bread.grams(of: 3, "slices") == 84)
    #expect(abs(try bread.nutrition(of: 3, "slice").calories - 222.6) < 1e-9)
    #expect(try bread.grams(of: 2, "slices") == 80)
    #expect(try bread.grams(of: 0.5, "KG") == 500 && bread.grams(of: 500, "mg") == 0.5)
    #expect(try bread.nutrition(of: 200, "g").protein == 18)
    let error = #expect(throws: RuleError.self) { try bread.grams(of: 1, "cup") }
    #expect(error?.description.contains("give the nutrition, or a serving in grams") == true)
  }
}
