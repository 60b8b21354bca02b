internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food edit`
struct FoodEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an entry; only what you name changes.",
    discussion: """
      The sums of its day follow. A new time moves it to its new day. An empty --ingredient or \
      --said removes it.
      """)

  @OptionGroup var record: RecordArgument<FoodEntry>

  @Option(parsing: .unconditional, help: "What it was.")
  var name: String?

  @Option(parsing: .unconditional, help: "How much, in the unit.")
  var quantity: Double?

  @Option(parsing: .unconditional, help: "The unit, such as g or slice.")
  var unit: String?

  @OptionGroup var figures: FigureOptions

  @Option(help: ArgumentHelp("The ingredient that it was.", valueName: "id"))
  var ingredient: String?

  @Flag(help: "Compute the nutrition from the amount and the ingredient.")
  var compute = false

  @OptionGroup var spoken: SpokenOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if compute, figures.isGiven {
      throw ValidationError("--compute contradicts the figures that you give.")
    }
    try requireChange(
      name != nil || quantity != nil || unit != nil || ingredient != nil || compute
        || figures.isGiven || spoken.isGiven,
      "--name, --quantity, --unit, --calories, --protein, --carbohydrates, --fat, --ingredient, "
        + "--compute, --said, --confidence or --at")
  }

  func run() throws {
    let now = spoken.time.now
    try common.update(record, "changed") { library, before in
      let ingredient = try (ingredient ?? before.matchedIngredientID)?.nonBlank
        .map { try Ingredient.named($0, in: library) }
      let entry = try library.food.edit(id: before.id, now: now) { entry in
        change(&entry)
        if self.ingredient != nil { entry.matchedIngredientID = ingredient?.id }
        guard compute else { return }
        guard let ingredient, ingredient.id == entry.matchedIngredientID else {
          throw RuleError("the entry has no ingredient to compute from; give --ingredient")
        }
        entry.nutrition = try ingredient.nutrition(of: entry.quantity, entry.unit)
      }
      if spoken.time.at != nil { common.console.warnIfOld(entry.timestamp, now: now) }
      return entry
    }
  }

  private func change(_ entry: inout FoodEntry) {
    if let name { entry.foodName = name }
    if let quantity { entry.quantity = quantity }
    if let unit { entry.unit = unit }
    figures.change(&entry.nutrition)
    if let said = spoken.said { entry.rawDescription = said }
    if let confidence = spoken.confidence { entry.confidence = confidence }
    if let at = spoken.time.at {
      entry.timestamp = at.moment.roundedToMillisecond
      entry.timestampOffset = at.offset
    }
  }
}
