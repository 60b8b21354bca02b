internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient`
struct IngredientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingredient", abstract: "Keep the nutrition of foods that you eat often.",
    subcommands: [
      IngredientAddCommand.self, IngredientSearchCommand.self, IngredientListCommand.self,
      RecordShowCommand<Ingredient>.self, IngredientEditCommand.self, IngredientAliasCommand.self,
      IngredientTagCommand.self, IngredientServingCommand.self, IngredientVerifyCommand.self,
      RecordDeleteCommand<Ingredient>.self,
    ])
}
