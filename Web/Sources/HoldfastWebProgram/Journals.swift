import HoldfastFaithPages
import HoldfastFoodPages
import HoldfastHabitsPages
import HoldfastWeb

/// The journals of this program. A new one is added here and in the list in Package.swift, and nowhere
/// else.
enum Journals {
  static let all: [any JournalPages.Type] = [
    FoodPages.self,
    HabitsPages.self,
    FaithPages.self,
  ]
}
