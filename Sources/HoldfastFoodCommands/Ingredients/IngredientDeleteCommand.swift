internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient delete`
struct IngredientDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete ingredients; entries that were logged with them keep their figures.")

  @Argument(help: "The ingredients' ids.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading, .food).food
    let ingredients = try ids.map { try known.ingredient(named: $0) }
    if !yes { try console.confirmDeleting(ingredients, name: \.displayName) }
    let library = try common.openLibrary(for: .writing, .food)
    try console.deleting(ingredients, from: library, name: \.displayName) {
      try library.food.deleteIngredient(id: $0.id)
      return []
    }
  }
}
