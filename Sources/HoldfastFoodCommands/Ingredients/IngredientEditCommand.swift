internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient edit`
struct IngredientEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an ingredient; only what you name changes.",
    discussion: """
      Entries that were logged with it keep their figures. An empty --fiber, --sugar or \
      --subcategory removes it.
      """)

  @Argument(help: "The ingredient's id.")
  var id: String

  @OptionGroup var options: IngredientOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !options.isGiven { throw ValidationError("Name what to change.") }
  }

  func run() throws { try common.edit(id, "changed") { options.change(&$0) } }
}

extension CommonOptions {
  /// Changes an ingredient, and prints it.
  ///
  /// - Parameters:
  ///   - id: Its ID, as a person named it.
  ///   - done: What was done, as one word.
  ///   - change: Changes it.
  func edit(
    _ id: String, _ done: String, _ change: (inout Ingredient) throws -> Void
  ) throws {
    let food = try openLibrary(for: .writing, .food).food
    let ingredient = try food.editIngredient(id: food.ingredient(named: id).id, change)
    try console.show(ingredient, done)
  }
}
