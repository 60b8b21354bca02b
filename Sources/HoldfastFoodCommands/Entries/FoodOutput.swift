internal import Foundation
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

extension FoodEntry {
  /// When it was eaten, on the clock of the zone in which it was logged.
  var localText: String { timestamp.localText(offset: timestampOffset) }

  /// The entry's details, one on each line.
  var details: [(name: String, value: String)] {
    let optional: [(name: String, value: String?)] = [
      ("said", rawDescription.nonBlank), ("ingredient", matchedIngredientID),
      ("recording", recordingID?.uuidString), ("logged", createdAt.localText),
      ("changed", modifiedAt?.localText),
    ]
    return [
      ("id", id.uuidString), ("when", localText), ("food", foodName), ("amount", amount),
    ] + nutrition.details + [
      ("day", day?.description ?? "none: its figures are in no day's sums"),
      ("confidence", confidence.hundredths),
    ] + optional.compactMap { detail in detail.value.map { (detail.name, $0) } }
  }

  /// Entries as a table.
  static func table(of entries: ArraySlice<FoodEntry>) -> TextTable {
    var table = TextTable(
      [.init(heading: "ID"), .init(heading: "WHEN")] + Nutrition.columns + [
        .init(heading: "SURE", alignment: .right, givesWay: true), .init(heading: "FOOD"),
      ])
    for entry in entries {
      table.add(
        [entry.id.short, entry.localText] + entry.nutrition.cells + [
          entry.confidence.hundredths, "\(entry.foodName), \(entry.amount)",
        ])
    }
    return table
  }
}

extension Nutrition {
  /// The figures with their units, one on each line.
  var details: [(name: String, value: String)] {
    [
      ("calories", "\(calories.foodText) kcal"), ("protein", "\(protein.foodText) g"),
      ("carbs", "\(carbohydrates.foodText) g"), ("fat", "\(fat.foodText) g"),
    ]
  }

  /// The headings of the figures in a table.
  static var columns: [TextTable.Column] {
    [
      .init(heading: "KCAL", alignment: .right),
      .init(heading: "PROTEIN", alignment: .right, givesWay: true),
      .init(heading: "CARBS", alignment: .right, givesWay: true),
      .init(heading: "FAT", alignment: .right, givesWay: true),
    ]
  }

  /// The figures for the columns of a table.
  var cells: [String] { [calories, protein, carbohydrates, fat].map(\.foodText) }
}

extension Console {
  /// Prints an entry that was made or changed.
  func show(_ entry: FoodEntry, _ done: String) throws {
    if isJSON { return try json(entry) }
    result("\(colored(done, .green))  \(entry.id.short)  \(entry.line.escapedForDisplay)")
  }
}
