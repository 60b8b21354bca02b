public import Foundation
public import Holdfast

/// A food with its nutrition, from which entries are computed.
public struct Ingredient: JournalRecord {
  /// The ingredient's identity, which people type: 1 to 64 letters, digits, and `. _ : -`.
  public let id: String
  /// The name.
  public var name: String
  /// Other names, in lower case.
  public private(set) var aliases: [String] = []
  /// Energy in kcal per 100 g.
  public var caloriesPer100g: Double
  /// Protein in g per 100 g.
  public var proteinPer100g: Double
  /// Carbohydrates in g per 100 g.
  public var carbsPer100g: Double
  /// Fat in g per 100 g.
  public var fatPer100g: Double
  /// Fibre in g per 100 g; `nil` if not known.
  public var fiberPer100g: Double?
  /// Sugar in g per 100 g; `nil` if not known.
  public var sugarPer100g: Double?
  /// The size of the usual serving, in ``commonServingUnit``.
  public var commonServingSize: Double
  /// The unit of the usual serving.
  public var commonServingUnit: String
  /// Other servings.
  public var servingSizeVariations: [ServingVariation] = []
  /// The category.
  public var category: IngredientCategory
  /// A finer category: any text.
  public var subcategory: String?
  /// Any words.
  public var tags: [String] = []
  /// Where the figures come from.
  public var source: DataSource
  /// Whether a person has checked the figures.
  public var verificationStatus: VerificationStatus = .pending
  /// When its data last changed. A counted use is not such a change.
  public var lastUpdated: Date
  /// How often it was logged.
  public var usageCount = 0
  /// More words to find it by.
  public var searchTokens: [String] = []
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  /// Makes an ingredient from the nutrition of 100 g.
  public init(
    id: String, name: String, nutrition: Nutrition, commonServingSize: Double,
    commonServingUnit: String, category: IngredientCategory, source: DataSource, createdAt: Date
  ) {
    self.id = id
    self.name = name
    caloriesPer100g = nutrition.calories
    proteinPer100g = nutrition.protein
    carbsPer100g = nutrition.carbohydrates
    fatPer100g = nutrition.fat
    self.commonServingSize = commonServingSize
    self.commonServingUnit = commonServingUnit
    self.category = category
    self.source = source
    self.createdAt = createdAt.roundedToMillisecond
    lastUpdated = self.createdAt
  }

  /// Whether a person has checked the figures.
  public var isVerified: Bool { verificationStatus == .verified }

  /// The name with each word capitalised.
  public var displayName: String { name.capitalized(with: Locale(identifier: "en_US_POSIX")) }

  /// The nutrition of 100 g.
  public var nutrition: Nutrition {
    get {
      Nutrition(
        calories: caloriesPer100g, protein: proteinPer100g, carbohydrates: carbsPer100g,
        fat: fatPer100g)
    }
    set {
      caloriesPer100g = newValue.calories
      proteinPer100g = newValue.protein
      carbsPer100g = newValue.carbohydrates
      fatPer100g = newValue.fat
    }
  }

  /// Adds another name, in lower case, unless it is there already.
  public mutating func addAlias(_ alias: String) {
    let alias = alias.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
    if !alias.isEmpty, !aliases.contains(alias) { aliases.append(alias) }
  }

  /// Removes another name, in any case.
  public mutating func removeAlias(_ alias: String) {
    let alias = alias.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
    aliases.removeAll { $0 == alias }
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    let isPlain = id.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || ".:_-".utf8.contains(byte)
    }
    guard isPlain, (1...64).contains(id.utf8.count) else {
      throw RuleError(
        "id \"\(id.cut(to: 80).escapedForDisplay)\": it has 1 to 64 letters, digits, and . _ : -")
    }
    guard name.nonBlank != nil else { throw RuleError("the ingredient has no name") }
    try name.validate("the ingredient's name has", limit: 200)
    try nutrition.validate()
    try fiberPer100g?.validateNutrient("fibre")
    try sugarPer100g?.validateNutrient("sugar")
    try commonServingSize.validateAmount("serving size")
    try commonServingUnit.validate("the serving's unit has", limit: 40)
    for serving in servingSizeVariations { try serving.validate() }
    try subcategory?.validate("the subcategory has", limit: 60)
    for word in aliases + tags + searchTokens {
      guard word.nonBlank != nil else { throw RuleError("an alias, tag or search word is empty") }
      try word.validate("an alias, tag or search word has", limit: 200)
    }
    for words in [aliases, tags, searchTokens] where Set(words).count < words.count {
      throw RuleError("an alias, tag or search word is there twice")
    }
    guard aliases.allSatisfy({ $0 == $0.lowercased() }) else {
      throw RuleError("an alias is not in lower case")
    }
    guard (0...1_000_000_000).contains(usageCount) else {
      throw RuleError("usageCount \(usageCount): it goes from 0 to 1000000000")
    }
  }

  /// How the registry treats ingredients.
  public static let declaration = RecordDeclaration<Ingredient>(
    RecordKind("ingredients", singular: "ingredient"),
    table: "ingredient",
    children: [
      .words("aliases", "alias"), .words("tags", "tag"), .words("searchTokens", "searchToken"),
      ChildTable(
        "ingredientServing", owner: "ingredientId", list: "servingSizeVariations",
        of: .object(["amount", "unit", "description", "gramsEquivalent"])),
    ],
    derived: [
      DerivedColumn("searchText") { ingredient in
        // One per line, so that a match never spans two of them.
        .text(
          ([ingredient.name] + ingredient.aliases + ingredient.searchTokens)
            .map(\.foldedForSearch).joined(separator: "\n"))
      }
    ],
    counters: [.maximum(\.usageCount)],
    csv: .withDates([
      .init("name", \.name), .init("aliases", \.aliases),
      .init("caloriesPer100g", \.caloriesPer100g), .init("proteinPer100g", \.proteinPer100g),
      .init("carbsPer100g", \.carbsPer100g), .init("fatPer100g", \.fatPer100g),
      .init("fiberPer100g", \.fiberPer100g), .init("sugarPer100g", \.sugarPer100g),
      .init("commonServingSize", \.commonServingSize),
      .init("commonServingUnit", \.commonServingUnit), .init("category", \.category),
      .init("subcategory", \.subcategory), .init("tags", \.tags), .init("source", \.source),
      .init("verificationStatus", \.verificationStatus), .init("lastUpdated", \.lastUpdated),
      .init("usageCount", \.usageCount), .init("searchTokens", \.searchTokens),
    ]))
}

extension ChildTable {
  /// One of an ingredient's lists of words.
  fileprivate static func words(_ list: String, _ kind: String) -> ChildTable {
    ChildTable(
      "ingredientWord", owner: "ingredientId", list: list, of: .value("text"),
      sort: (column: "kind", word: kind))
  }
}

/// A serving of an ingredient: an amount in a unit, and its weight in grams.
public struct ServingVariation: Codable, Hashable, Sendable {
  /// The amount, in ``unit``.
  public var amount: Double
  /// The unit, such as `slice`.
  public var unit: String
  /// The text that people read.
  public var description: String
  /// The weight of the amount, in g.
  public var gramsEquivalent: Double

  /// Makes a serving.
  public init(amount: Double, unit: String, description: String, gramsEquivalent: Double) {
    self.amount = amount
    self.unit = unit
    self.description = description
    self.gramsEquivalent = gramsEquivalent
  }

  func validate() throws(RuleError) {
    try amount.validateAmount("serving")
    try unit.validate("the serving's unit has", limit: 40)
    try description.validate("the serving's description has", limit: 200)
    try gramsEquivalent.validateAmount("grams")
  }
}

/// The category of an ingredient.
public enum IngredientCategory: String, Vocabulary {
  case protein, vegetable, fruit, grain, dairy, fat, beverage, snack, condiment

  /// The name for one of the words: "category".
  public static var noun: String { "category" }
}

/// Where the figures of an ingredient come from.
public enum DataSource: String, Vocabulary {
  case usda, nutritionix, custom, userContributed

  /// The name for one of the words: "source".
  public static var noun: String { "source" }
}

/// Whether a person has checked the figures of an ingredient.
public enum VerificationStatus: String, Vocabulary {
  case verified, pending, unverified

  /// The name for one of the words: "status".
  public static var noun: String { "status" }
}
