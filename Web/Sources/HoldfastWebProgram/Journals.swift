import HoldfastFaithPages
import HoldfastFoodPages
import HoldfastHabitsPages
import HoldfastWeb

/// The journals of this program. A new one is added only here and to the list in Package.swift.
enum Journals {
  static let all: [any JournalPages.Type] = [
    FoodPages.self,
    HabitsPages.self,
    FaithPages.self,
  ]
}
