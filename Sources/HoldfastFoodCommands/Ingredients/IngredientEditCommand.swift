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

  @OptionGroup var record: RecordArgument<Ingredient>
  @OptionGroup var options: IngredientOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !options.isGiven { throw ValidationError("Name what to change.") }
  }

  func run() throws { try common.edit(record, "changed") { options.change(&$0) } }
}

extension CommonOptions {
  /// Changes an ingredient, and prints it.
  ///
  /// - Parameters:
  ///   - argument: Names it.
  ///   - done: What was done, as one word.
  ///   - change: Changes it.
  func edit(
    _ argument: RecordArgument<Ingredient>, _ done: String,
    _ change: (inout Ingredient) throws -> Void
  ) throws {
    try update(argument, done) { try $0.food.editIngredient(id: $1.id, change) }
  }
}
