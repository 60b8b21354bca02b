import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Log something that you ate.",
    discussion: """
      Give the nutrition of the whole amount, or an ingredient to compute it from. For that the \
      unit must be g, kg, mg, or the unit of one of the ingredient's servings.
      """)

  @Option(parsing: .unconditional, help: "What it was.")
  var name: String

  @Option(parsing: .unconditional, help: "How much, in the unit.")
  var quantity: Double

  @Option(parsing: .unconditional, help: "The unit, such as g or slice.")
  var unit: String

  @OptionGroup var figures: FigureOptions

  @Option(help: ArgumentHelp("The ingredient that it was.", valueName: "id"))
  var ingredient: String?

  @OptionGroup var spoken: SpokenOptions

  @OptionGroup var voice: VoiceOptions<FoodEntry>
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard figures.nutrition != nil || (ingredient != nil && !figures.isGiven) else {
      throw ValidationError(
        "Give all of --calories, --protein, --carbohydrates and --fat, or only --ingredient.")
    }
    let nutrition = figures.nutrition ?? Nutrition()
    try validating { try entry(nutrition, now: spoken.time.now).validate() }
  }

  func run() async throws {
    let now = spoken.time.now
    try await voice.add(
      using: common, done: "logged", now: now,
      writing: { db, entry in try db.log(entry, now: now) }
    ) { library in
      let ingredient = try ingredient.map { try Ingredient.named($0, in: library) }
      let nutrition = try figures.nutrition ?? ingredient?.nutrition(of: quantity, unit)
      return entry(nutrition ?? Nutrition(), now: now)
    }
  }

  private func entry(_ nutrition: Nutrition, now: Date) -> FoodEntry {
    FoodEntry(
      timestamp: spoken.time.at?.moment ?? now, timestampOffset: spoken.time.at?.offset,
      rawDescription: spoken.said ?? "", foodName: name, quantity: quantity, unit: unit,
      nutrition: nutrition, confidence: spoken.confidence ?? 1, matchedIngredientID: ingredient,
      createdAt: now)
  }
}
