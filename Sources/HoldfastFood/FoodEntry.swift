public import Foundation
public import Holdfast

/// A food that a person ate.
///
/// It keeps the spoken words, and the figures that a person or another program derived from them.
/// Holdfast never guesses figures.
public struct FoodEntry: JournalRecord {
  /// The entry's identity.
  public let id: UUID
  /// When it was eaten, to the millisecond.
  public var timestamp: Date
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  public var timestampOffset: Int
  /// The words as they were spoken. Empty if the entry was typed.
  public var rawDescription: String
  /// The name of the food.
  public var foodName: String
  /// The amount, in ``unit``.
  public var quantity: Double
  /// The unit of ``quantity``: any text.
  public var unit: String
  /// The energy of the whole amount, in kcal.
  public var calories: Double
  /// The protein of the whole amount, in g.
  public var protein: Double
  /// The carbohydrates of the whole amount, in g.
  public var carbohydrates: Double
  /// The fat of the whole amount, in g.
  public var fat: Double
  /// How sure the program was of the words, from 0 to 1; 1 if the entry was typed.
  public var confidence: Double
  /// The matching ingredient.
  public var matchedIngredientID: String?
  /// The day whose sums include the entry, which is ``ownDay``; `nil` if it is outside every day.
  public internal(set) var day: Day?
  /// The recording in which the words were spoken.
  public var recordingID: RecordingID?
  /// When it was logged.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, timestamp, timestampOffset, rawDescription, foodName, quantity, unit, calories, protein
    case carbohydrates, fat, confidence
    case matchedIngredientID = "matchedIngredientId"
    case day
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes an entry in the day on which the food was eaten. The default time zone is this
  /// machine's.
  public init(
    timestamp: Date, timestampOffset: Int? = nil, rawDescription: String = "", foodName: String,
    quantity: Double, unit: String, nutrition: Nutrition, confidence: Double = 1,
    matchedIngredientID: String? = nil, recordingID: RecordingID? = nil, createdAt: Date
  ) {
    id = UUID()
    self.timestamp = timestamp.roundedToMillisecond
    self.timestampOffset = timestampOffset ?? timestamp.localOffset
    self.rawDescription = rawDescription
    self.foodName = foodName
    self.quantity = quantity
    self.unit = unit
    calories = nutrition.calories
    protein = nutrition.protein
    carbohydrates = nutrition.carbohydrates
    fat = nutrition.fat
    self.confidence = confidence
    self.matchedIngredientID = matchedIngredientID
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
    day = ownDay
  }

  /// The day on which it was eaten, in the time zone in which it was logged.
  public var ownDay: Day { Day(of: timestamp, offset: timestampOffset) }

  /// The nutrition of the whole amount.
  public var nutrition: Nutrition {
    get {
      Nutrition(calories: calories, protein: protein, carbohydrates: carbohydrates, fat: fat)
    }
    set {
      calories = newValue.calories
      protein = newValue.protein
      carbohydrates = newValue.carbohydrates
      fat = newValue.fat
    }
  }

  /// Whether the amount is more than 0, the name is not empty, and no figure of its nutrition is
  /// negative.
  public var isValid: Bool {
    quantity > 0 && !foodName.isEmpty && nutrition.figures.allSatisfy { $0.value >= 0 }
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try Entry.validate(offset: timestampOffset)
    try rawDescription.validate("the words have", limit: 2000)
    guard foodName.nonBlank != nil else { throw RuleError("the food has no name") }
    try foodName.validate("the food's name has", limit: 200)
    guard quantity > 0, quantity <= Nutrition.largest else {
      throw RuleError("quantity \(quantity): it is more than 0, and at most 1000000000")
    }
    try unit.validate("the unit has", limit: 40)
    try nutrition.validate()
    guard (0...1).contains(confidence) else {
      throw RuleError("confidence \(confidence): it goes from 0 to 1")
    }
    guard day == nil || day == ownDay else {
      throw RuleError("the entry is of \(ownDay), and cannot belong to another day")
    }
  }

  /// How the registry treats entries.
  public static let declaration = RecordDeclaration<FoodEntry>(
    RecordKind("foodEntries", singular: "food entry", plural: "food entries"), table: "foodEntry",
    moment: RecordMoment(\.timestamp, \.timestampOffset),
    link: RecordingLink(\.recordingID, role: "spoken for") { "\($0.localText)  \($0.line)" },
    references: [
      RecordReference(\.matchedIngredientID, column: "matchedIngredientId", to: Ingredient.self),
      RecordReference(\.dayKey, column: "day", to: FoodDay.self),
    ],
    csv: .withDates([
      .init("timestamp", \.timestamp), .init("timestampOffset", \.timestampOffset),
      .init("rawDescription", \.rawDescription), .init("foodName", \.foodName),
      .init("quantity", \.quantity), .init("unit", \.unit), .init("calories", \.calories),
      .init("protein", \.protein), .init("carbohydrates", \.carbohydrates), .init("fat", \.fat),
      .init("confidence", \.confidence), .init("matchedIngredientId", \.matchedIngredientID),
      .init("day", \.day), .init("recordingId", \.recordingID),
    ]))

  private var dayKey: String? {
    get { day?.description }
    set { day = newValue.flatMap { try? Day($0) } }
  }

  /// The amount with its unit, which may be empty.
  public var amount: String {
    [quantity.quantityText, unit.nonBlank].compactMap(\.self).joined(separator: " ")
  }

  /// The entry as one line of text, without its time.
  public var line: String { "\(foodName), \(amount): \(calories.foodText) kcal" }
}

extension Double {
  /// The number with at most one decimal.
  public var foodText: String {
    let tenths = (self * 10).rounded() / 10
    return Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
  }

  /// The number with at most three decimals, or with all of them where that would be 0.
  public var quantityText: String {
    let thousandths = (self * 1000).rounded() / 1000
    return Int(exactly: thousandths).flatMap { $0 == 0 ? nil : "\($0)" }
      ?? "\(thousandths == 0 ? self : thousandths)"
  }
}
