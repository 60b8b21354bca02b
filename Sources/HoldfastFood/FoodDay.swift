public import Foundation
public import Holdfast

/// A day of the diary. Its sums are not stored: they are computed from its entries.
public struct FoodDay: JournalRecord {
  /// The day, which identifies it: a library has each day once.
  public var id: String { day.description }
  /// The UUID that the day was made with.
  public let uuid: UUID
  /// The day.
  public let day: Day
  /// When it was made.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case uuid = "id"
    case day, createdAt, modifiedAt
  }

  /// Makes a day.
  public init(_ day: Day, createdAt: Date) {
    uuid = UUID()
    self.day = day
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Does nothing: every day is valid.
  public func validate() throws(RuleError) {}

  /// How the registry treats days. The same day in two libraries is one record, whatever its UUID.
  public static let declaration = RecordDeclaration<FoodDay>(
    RecordKind("foodDays", singular: "food day", plural: "food days"), table: "foodDay",
    key: "day",
    csv: [
      .init("id", \.uuid), .init("day", \.day), .init("createdAt", \.createdAt),
      .init("modifiedAt", \.modifiedAt),
    ])
}

/// The sums of a day.
public struct FoodDayTotal: Codable, Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The sum of energy, in kcal.
  public var totalCalories: Double
  /// The sum of protein, in g.
  public var totalProtein: Double
  /// The sum of carbohydrates, in g.
  public var totalCarbohydrates: Double
  /// The sum of fat, in g.
  public var totalFat: Double
  /// How many entries the day has.
  public var entryCount: Int
  /// The average confidence of its entries; 0 if there are none.
  public var averageConfidence: Double

  /// The sums as nutrition.
  public var nutrition: Nutrition {
    Nutrition(
      calories: totalCalories, protein: totalProtein, carbohydrates: totalCarbohydrates,
      fat: totalFat)
  }

  /// Whether the day has an entry.
  public var hasEntries: Bool { entryCount > 0 }
}
