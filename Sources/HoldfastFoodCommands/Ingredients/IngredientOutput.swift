package import ArgumentParser
package import Holdfast
package import HoldfastConsole
package import HoldfastFood

extension Ingredient: ShownRecord {
  package static var journal: Journal? { .food }
  package static var idHelp: ArgumentHelp { "The ingredient's id." }
  package static var idsHelp: ArgumentHelp { "The ingredients' ids." }

  package static var deleteAbstract: String {
    "Delete ingredients; entries that were logged with them keep their figures."
  }

  package var line: String { displayName }

  package func details(in library: Library) -> [Detail] {
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

  package static var columns: [RecordColumn<Self>] {
    [
      .init("USED", alignment: .right, \.usageCount.description),
      .init("CATEGORY", \.category.rawValue),
      .init("STATUS", givesWay: true, \.verificationStatus.rawValue),
    ] + RecordColumn.nutrition(\.nutrition) + [.init("NAME", \.displayName)]
  }
}

extension ServingVariation {
  var line: String {
    let amount = "\(amount.quantityText) \(unit)"
    let name = description == amount ? "" : " (\(description))"
    return "\(amount)\(name) = \(gramsEquivalent.quantityText) g"
  }
}
