internal import ArgumentParser

/// `holdfast food ingredient`
struct IngredientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingredient", abstract: "Keep the nutrition of foods that you eat often.",
    subcommands: [
      IngredientAddCommand.self, IngredientSearchCommand.self, IngredientListCommand.self,
      IngredientShowCommand.self, IngredientEditCommand.self, IngredientAliasCommand.self,
      IngredientTagCommand.self, IngredientServingCommand.self, IngredientVerifyCommand.self,
      IngredientDeleteCommand.self,
    ])
}
