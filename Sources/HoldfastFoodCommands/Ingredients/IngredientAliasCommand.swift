internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient alias`
struct IngredientAliasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alias", abstract: "Add other names to an ingredient, or remove them.")

  @OptionGroup var record: RecordArgument<Ingredient>

  @Argument(help: "The names. They are kept in lower case.")
  var names: [String]

  @Flag(help: "Remove the names.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.edit(record, "changed") { ingredient in
      for name in names {
        if remove { ingredient.removeAlias(name) } else { ingredient.addAlias(name) }
      }
    }
  }
}
