import HoldfastConsole
import HoldfastFaithCommands
import HoldfastFoodCommands
import HoldfastHabitsCommands

/// The journals of this program. A new one is added here and in the list in Package.swift, and
/// nowhere else.
enum Journals {
  static let all: [any JournalCommand.Type] = [
    FoodCommand.self,
    HabitCommand.self,
    FaithCommand.self,
  ]
}
