package import ArgumentParser
package import Holdfast
package import HoldfastConsole
import HoldfastFood

package struct FoodCommand: JournalCommand {
  package static let configuration = CommandConfiguration(
    commandName: "food", abstract: "Keep a diary of what you eat.",
    discussion: "The library has a food diary after holdfast journal enable food.",
    subcommands: [
      FoodLogCommand.self, RecordListCommand<FoodList>.self, RecordShowCommand<FoodEntry>.self,
      RecordEditCommand<FoodEdit>.self, RecordLinkCommand<FoodEntry>.self,
      RecordUnlinkCommand<FoodEntry>.self, RecordActionCommand<DetachEntry>.self,
      RecordActionCommand<AttachEntry>.self, RecordDeleteCommand<FoodEntry>.self,
      FoodDayCommand.self, FoodDaysCommand.self, FoodDayDeleteCommand.self,
      IngredientCommand.self,
    ])

  package static let journal = Journal.food

  package init() {}

  package static func command(to verb: String, _ kind: RecordKind) -> String {
    switch kind {
    case Ingredient.kind: "food ingredient \(verb)"
    // A day has nothing to edit.
    case FoodDay.kind: verb == "list" ? "food days" : "food day-delete"
    default: "food \(verb)"
    }
  }

  package static func statistics(
    of library: Library, over period: StatisticsPeriod
  ) throws -> any JournalStatistics {
    try library.food.statistics(of: period)
  }
}
