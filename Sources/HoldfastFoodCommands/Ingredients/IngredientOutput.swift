internal import Foundation
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

extension Ingredient {
  /// The ingredient's details, one on each line.
  var details: [(name: String, value: String)] {
    let optional: [(name: String, value: String?)] = [
      ("fibre", fiberPer100g.map { "\($0.foodText) g" }),
      ("sugar", sugarPer100g.map { "\($0.foodText) g" }),
      ("aliases", aliases.joined(separator: ", ").nonBlank),
      ("tags", tags.joined(separator: ", ").nonBlank),
    ]
    let category = [category.rawValue, subcategory].compactMap(\.self).joined(separator: ", ")
    return [("id", id), ("name", name), ("category", category), ("per", "100 g")]
      + nutrition.details
      + optional.compactMap { detail in detail.value.map { (detail.name, $0) } }
      + [("serving", "\(commonServingSize.quantityText) \(commonServingUnit)")]
      + servingSizeVariations.map { ("", $0.line) } + [
        ("source", source.rawValue), ("status", verificationStatus.rawValue),
        ("used", usageCount.counted("time")), ("updated", lastUpdated.localText),
      ]
  }

  /// Ingredients as a table.
  static func table(of ingredients: ArraySlice<Ingredient>) -> TextTable {
    var table = TextTable(
      [
        .init(heading: "ID"), .init(heading: "USED", alignment: .right),
        .init(heading: "CATEGORY"), .init(heading: "STATUS", givesWay: true),
      ] + Nutrition.columns + [.init(heading: "NAME")])
    for ingredient in ingredients {
      table.add(
        [
          ingredient.id, "\(ingredient.usageCount)", ingredient.category.rawValue,
          ingredient.verificationStatus.rawValue,
        ] + ingredient.nutrition.cells + [ingredient.displayName])
    }
    return table
  }
}

extension ServingVariation {
  /// The serving as one line of text.
  var line: String {
    let amount = "\(amount.quantityText) \(unit)"
    let name = description == amount ? "" : " (\(description))"
    return "\(amount)\(name) = \(gramsEquivalent.quantityText) g"
  }
}

extension Console {
  /// Prints an ingredient that was made or changed.
  func show(_ ingredient: Ingredient, _ done: String) throws {
    if isJSON { return try json(ingredient) }
    result(
      "\(colored(done, .green))  \(ingredient.id)  \(ingredient.displayName.escapedForDisplay)")
  }

  /// Prints one page of the ingredients that `fetch` finds. It gets the most to return.
  func page(_ page: PageOptions, of fetch: (Int) throws -> [Ingredient]) throws {
    try self.page(page, noun: { $0.noun("ingredient") }, fetch: fetch) {
      $0
    } table: {
      Ingredient.table(of: $0)
    }
  }
}
