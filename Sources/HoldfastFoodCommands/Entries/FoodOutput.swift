package import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFood

extension FoodEntry: ShownRecord {
  package static var journal: Journal? { .food }
  package static var singular: String { "entry" }
  package static var plural: String { "entries" }

  package static var deleteAbstract: String {
    "Delete entries; their days and the recordings that you spoke them in are kept."
  }

  package static var linkAbstract: String {
    "Link an entry to the recording in which you spoke it."
  }

  package static var recordingHelp: ArgumentHelp {
    ArgumentHelp(
      "The recording in which you spoke: its id, or at least four characters of its beginning.",
      valueName: "id")
  }

  package func details(in library: Library) -> [Detail] {
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

  package static var columns: [RecordColumn<Self>] {
    [.init("WHEN", \.localText)] + RecordColumn.nutrition(\.nutrition) + [
      .init("SURE", alignment: .right, givesWay: true, \.confidence.hundredths),
      .init("FOOD") { "\($0.foodName), \($0.amount)" },
    ]
  }
}

extension Nutrition {
  var details: [(name: String, value: String)] {
    [
      ("calories", "\(calories.foodText) kcal"), ("protein", "\(protein.foodText) g"),
      ("carbs", "\(carbohydrates.foodText) g"), ("fat", "\(fat.foodText) g"),
    ]
  }

  static var columns: [TextTable.Column] {
    [
      .init(heading: "KCAL", alignment: .right),
      .init(heading: "PROTEIN", alignment: .right, givesWay: true),
      .init(heading: "CARBS", alignment: .right, givesWay: true),
      .init(heading: "FAT", alignment: .right, givesWay: true),
    ]
  }

  var cells: [String] { [calories, protein, carbohydrates, fat].map(\.foodText) }
}

extension RecordColumn {
  static func nutrition(_ path: KeyPath<Record, Nutrition>) -> [RecordColumn] {
    Nutrition.columns.enumerated().map { index, column in
      RecordColumn(column) { record, _ in record[keyPath: path].cells[index] }
    }
  }
}
