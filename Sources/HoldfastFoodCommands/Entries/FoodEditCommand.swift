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

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

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
    if name == nil, quantity == nil, unit == nil, ingredient == nil, !compute, !figures.isGiven,
      !spoken.isGiven
    {
      throw ValidationError(
        "Name what to change: --name, --quantity, --unit, --calories, --protein, --carbohydrates, "
          + "--fat, --ingredient, --compute, --said, --confidence or --at.")
    }
  }

  func run() throws {
    let library = try common.openLibrary(for: .writing, .food)
    let now = spoken.time.now
    let before = try library.food.entry(idPrefix: id)
    let ingredient = try (ingredient ?? before.matchedIngredientID)?.nonBlank
      .map { try library.food.ingredient(named: $0) }
    let entry = try library.food.edit(id: before.id, now: now) { entry in
      try change(&entry)
      if self.ingredient != nil { entry.matchedIngredientID = ingredient?.id }
      guard compute else { return }
      guard let ingredient, ingredient.id == entry.matchedIngredientID else {
        throw RuleError("the entry has no ingredient to compute from; give --ingredient")
      }
      entry.nutrition = try ingredient.nutrition(of: entry.quantity, entry.unit)
    }
    if spoken.time.at != nil { common.console.warnIfOld(entry.timestamp, now: now) }
    try common.console.show(entry, "changed")
  }

  private func change(_ entry: inout FoodEntry) throws {
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
