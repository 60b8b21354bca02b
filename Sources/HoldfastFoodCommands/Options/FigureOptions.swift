import ArgumentParser
import HoldfastConsole
import HoldfastFood

struct FigureOptions: ParsableArguments {
  @Option(unconditional: "Energy in kcal.", valueName: "kcal")
  var calories: Double?

  @Option(unconditional: "Protein in g.", valueName: "g")
  var protein: Double?

  @Option(unconditional: "Carbohydrates in g.", valueName: "g")
  var carbohydrates: Double?

  @Option(unconditional: "Fat in g.", valueName: "g")
  var fat: Double?

  var isGiven: Bool { [calories, protein, carbohydrates, fat].contains { $0 != nil } }

  /// All four figures; `nil` if one was not given.
  var nutrition: Nutrition? {
    guard let calories, let protein, let carbohydrates, let fat else { return nil }
    return Nutrition(calories: calories, protein: protein, carbohydrates: carbohydrates, fat: fat)
  }

  /// The changes of a record's figures.
  func changes<Record>(_ path: WritableKeyPath<Record, Nutrition>) -> [Change<Record>?] {
    [
      .set(path.appending(path: \.calories), calories),
      .set(path.appending(path: \.protein), protein),
      .set(path.appending(path: \.carbohydrates), carbohydrates),
      .set(path.appending(path: \.fat), fat),
    ]
  }
}
