import ArgumentParser
import HoldfastConsole
import HoldfastFood

struct IngredientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingredient", abstract: "Keep the nutrition of foods that you eat often.",
    subcommands: [
      RecordAddCommand<NewIngredient>.self, RecordListCommand<IngredientSearch>.self,
      RecordListCommand<IngredientList>.self, RecordShowCommand<Ingredient>.self,
      RecordEditCommand<IngredientDataEdit>.self, RecordEditCommand<IngredientAliasEdit>.self,
      RecordEditCommand<IngredientTagEdit>.self, RecordEditCommand<IngredientServingEdit>.self,
      RecordEditCommand<IngredientVerification>.self,
      RecordDeleteCommand<Ingredient>.self,
    ])
}
