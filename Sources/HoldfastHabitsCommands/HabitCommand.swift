package import ArgumentParser
package import Holdfast
package import HoldfastConsole
import HoldfastHabits

package struct HabitCommand: JournalCommand {
  package static let configuration = CommandConfiguration(
    commandName: "habit", abstract: "Keep track of habits that you build up or give up.",
    discussion: "The library has habits after holdfast journal enable habits.",
    subcommands: [
      HabitAddCommand.self, RecordListCommand<HabitList>.self, RecordShowCommand<Habit>.self,
      HabitEditCommand.self, HabitEndCommand.self, HabitLinkCommand.self, HabitUnlinkCommand.self,
      RecordDeleteCommand<Habit>.self, HabitDoneCommand.self, HabitUndoCommand.self,
      HabitSetCommand.self,
      HabitCheckinCommand.self, HabitDifficultyCommand.self, HabitClearCommand.self,
      HabitDaysCommand.self, HabitTodayCommand.self, HabitWeekCommand.self,
      HabitStreakCommand.self, HabitLevelCommand.self, HabitXPCommand.self,
      HabitAchievementsCommand.self, HabitStrugglingCommand.self, HabitRemindCommand.self,
      HabitImportOldCommand.self,
    ])

  package static let journal = Journal.habits

  package init() {}

  package static func command(to verb: String, _ kind: RecordKind) -> String {
    switch kind {
    case HabitReminder.kind: "habit remind \(verb)"
    // A wrong day is cleared and logged again.
    case HabitDay.kind: verb == "list" ? "habit days" : "habit clear"
    // These records cannot be edited.
    case XPTransaction.kind: "habit xp list"
    case Achievement.kind: "habit achievements list"
    default: "habit \(verb)"
    }
  }

  package static func statistics(
    of library: Library, over period: StatisticsPeriod
  ) throws -> any JournalStatistics {
    try library.habits.statistics(over: period)
  }
}
