internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food ingredient tag`
struct IngredientTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Add tags to an ingredient, or remove them.")

  @OptionGroup var record: RecordArgument<Ingredient>

  @Argument(help: "The tags.")
  var tags: [String]

  @Flag(help: "Remove the tags.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.edit(record, "changed") { ingredient in
      for tag in tags {
        if remove { ingredient.tags.removeAll { $0 == tag } } else { ingredient.addTag(tag) }
      }
    }
  }
}

extension Ingredient {
  /// Adds a tag, unless it is there already.
  mutating func addTag(_ tag: String) {
    if !tags.contains(tag) { tags.append(tag) }
  }
}
