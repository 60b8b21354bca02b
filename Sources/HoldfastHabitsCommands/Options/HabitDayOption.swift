import ArgumentParser
import HoldfastConsole
import HoldfastHabits
import HoldfastModel

struct UserOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Whose habits, if several people keep theirs here.", valueName: "name"))
  var user = Habit.defaultUser
}

struct HabitDayOption: ParsableArguments {
  @Option(day: "The day, such as 2025-10-25 (default: today).")
  var day: Day?
}
