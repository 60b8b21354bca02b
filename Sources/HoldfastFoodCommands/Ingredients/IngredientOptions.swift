import ArgumentParser
import HoldfastConsole
import HoldfastFood
import HoldfastModel

struct IngredientOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Its name.")
  var name: String?

  @OptionGroup(title: "Nutrition of 100 g") var figures: FigureOptions

  @Option(unconditional: "Fibre in g per 100 g.", valueName: "g")
  var fiber: Figure?

  @Option(unconditional: "Sugar in g per 100 g.", valueName: "g")
  var sugar: Figure?

  @Option(unconditional: "The size of the usual serving.", valueName: "size")
  var servingSize: Double?

  @Option(unconditional: "The unit of the usual serving.", valueName: "unit")
  var servingUnit: String?

  @Option(word: "What it is: \(IngredientCategory.words).", valueName: "category")
  var category: IngredientCategory?

  @Option(parsing: .unconditional, help: "A finer category, in your own words.")
  var subcategory: String?

  @Option(word: "Where the figures come from: \(DataSource.words).", valueName: "source")
  var source: DataSource?

  var changes: [Change<Ingredient>?] {
    [.set(\.name, name)] + figures.changes(\.nutrition) + [
      .set(fiber) { $0.fiberPer100g = $1.value }, .set(sugar) { $0.sugarPer100g = $1.value },
      .set(\.commonServingSize, servingSize), .set(\.commonServingUnit, servingUnit),
      .set(\.category, category), .text(\.subcategory, subcategory), .set(\.source, source),
    ]
  }
}

/// A figure that may be unknown. An empty text removes it.
struct Figure: ExpressibleByArgument {
  var value: Double?

  init?(argument: String) {
    value = Double(argument)
    if value == nil, !argument.isEmpty { return nil }
  }
}
