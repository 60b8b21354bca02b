import Foundation
import HoldfastTestSupport
import Testing

/// A food command's JSON, as far as tests read it.
struct FoodRecord: Decodable, Equatable {
  var id: String
  var foodName: String?
  var quantity: Double?
  var unit: String?
  var calories: Double?
  var protein: Double?
  var confidence: Double?
  var timestamp: String?
  var timestampOffset: Int?
  var rawDescription: String?
  var matchedIngredientId: String?
  var day: String?
  var recordingId: String?
  var modifiedAt: String?
  var name: String?
  var aliases: [String]?
  var tags: [String]?
  var usageCount: Int?
  var verificationStatus: String?
}

/// The sums of a day, as `food day` and `food days` print them.
struct FoodDayRecord: Decodable, Equatable {
  var day: String
  var totalCalories = 0.0
  var totalProtein = 0.0
  var totalCarbohydrates = 0.0
  var totalFat = 0.0
  var entryCount = 0
  var averageConfidence = 0.0
}

extension LibraryFolder {
  /// A new library with a food diary.
  static func withFood(_ name: String = "library") async throws -> LibraryFolder {
    let library = LibraryFolder(name)
    let result = try await library.holdfast("journal", "enable", "food")
    try #require(result.status == 0, "\(result.errorOutput)")
    return library
  }

  /// Logs an entry with 10 g of protein, 20 g of carbohydrates and 5 g of fat.
  @discardableResult
  func logFood(
    _ name: String, calories: Double = 100, at time: String = "2025-11-03T12:00Z",
    _ options: String...
  ) async throws -> FoodRecord {
    let command = [
      "food", "log", "--json", "--name", name, "--quantity", "1", "--unit", "piece", "--calories",
      "\(calories)", "--protein", "10", "--carbohydrates", "20", "--fat", "5", "--at", time,
    ]
    return try await holdfast(command + options).json()
  }

  /// Adds bread, which has 265 kcal per 100 g, and 28 g a slice.
  func addBread() async throws {
    let bread = [
      "food", "ingredient", "add", "bread", "--name", "Rye bread", "--category", "grain",
      "--calories", "265", "--protein", "9", "--carbohydrates", "49", "--fat", "3.2",
    ]
    let added = try await holdfast(bread)
    try #require(added.status == 0, "\(added.errorOutput)")
    let serving = try await holdfast(
      "food", "ingredient", "serving", "bread", "--unit", "slice", "--grams", "28")
    try #require(serving.status == 0, "\(serving.errorOutput)")
  }

  /// The output of a command on food.
  func food(_ arguments: String...) async throws -> FoodRecord {
    try await holdfast(["food"] + arguments + ["--json"]).json()
  }

  /// The list of a command on food.
  func foods(_ arguments: String...) async throws -> [FoodRecord] {
    try await holdfast(["food"] + arguments + ["--json"]).json()
  }

  /// The sums of a day.
  func foodDay(_ day: String) async throws -> FoodDayRecord {
    try await holdfast(["food", "day", day, "--json"]).json()
  }

  /// Every row of the diary, by the sqlite3 program.
  func foodRows() async throws -> [[String]] {
    var rows: [[String]] = []
    for table in ["foodEntry", "foodDay", "ingredient", "ingredientWord", "ingredientServing"] {
      rows += try await sql("SELECT '\(table)', * FROM \(table) ORDER BY 2, 3, 4")
    }
    return rows
  }

  /// Expects that a command on food is refused with these words, and changes nothing.
  func expectFoodRefusal(
    _ arguments: [String], status: Int32, saying words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try await foodRows()
    let result = try await holdfast(["food"] + arguments)
    #expect(result.status == status, "\(arguments)", sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(try await foodRows() == before, sourceLocation: sourceLocation)
  }
}
