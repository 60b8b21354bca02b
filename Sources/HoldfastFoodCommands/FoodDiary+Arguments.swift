internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

extension FoodDiary {
  /// Returns the ingredient that a person named.
  ///
  /// - Throws: `LibraryError` if there is none.
  func ingredient(named id: String) throws -> Ingredient {
    guard let ingredient = try ingredient(id: id) else {
      throw LibraryError(
        .noSuchRecord, "there is no ingredient \"\(id.cut(to: 80).escapedForDisplay)\"",
        record: Ingredient.kind)
    }
    return ingredient
  }
}
