import Foundation
import Holdfast
import HoldfastCravings
import HoldfastFood
import HoldfastTestSupport
import Testing

/// The library in the test's own folder, with the journal enabled.
func openDiary(_ name: String = "library") throws -> Library {
  let location = LibraryLocation(path: "\(TemporaryFolder.current)/\(name)")
  try Library.create(at: location)
  let library = try Library.open(at: location, for: .writing, journals: [.cravings, .food])
  try library.enableJournal("food")
  return library
}

/// The sqlite3 program's answer.
func sqlite(_ statements: String, in name: String = "library") async throws -> String {
  try await Command.output(
    of: "sqlite3", ["-batch", "\(TemporaryFolder.current)/\(name)/catalog.sqlite", statements]
  ).output.trimmingCharacters(in: .newlines)
}

/// Whether the sqlite3 program refuses statements.
func sqliteRefuses(_ statements: String) async throws -> Bool {
  let result = try await Command.run(
    "sqlite3", ["-batch", "\(TemporaryFolder.current)/library/catalog.sqlite", statements])
  return result.status != 0 && result.errorOutput.contains("CHECK constraint failed")
}

/// A moment by its text in UTC.
func moment(_ text: String) throws -> Date {
  try #require(JSONFormat.date(text.replacingOccurrences(of: " ", with: "T") + ":00.000Z"))
}

/// An entry of one bowl, eaten at noon on 2025-11-03 UTC.
func meal(
  _ name: String = "Porridge", at text: String = "2025-11-03 12:00", offset: Int = 0,
  calories: Double = 100, confidence: Double = 1, ingredient: String? = nil
) throws -> FoodEntry {
  let timestamp = try moment(text)
  return FoodEntry(
    timestamp: timestamp, timestampOffset: offset, rawDescription: "a bowl of \(name)",
    foodName: name, quantity: 1, unit: "bowl",
    nutrition: Nutrition(calories: calories, protein: 4, carbohydrates: 20, fat: 3),
    confidence: confidence, matchedIngredientID: ingredient, createdAt: timestamp)
}

/// An ingredient of 265 kcal per 100 g.
func ingredient(_ id: String = "bread", _ name: String = "Bread") throws -> Ingredient {
  Ingredient(
    id: id, name: name,
    nutrition: Nutrition(calories: 265, protein: 9, carbohydrates: 49, fat: 3.2),
    commonServingSize: 30, commonServingUnit: "g", category: .grain, source: .custom,
    createdAt: try moment("2025-11-01 12:00"))
}
