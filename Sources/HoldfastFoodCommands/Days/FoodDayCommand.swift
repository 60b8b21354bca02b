import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodDayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day", abstract: "Show the sums of a day.",
    discussion: "An entry belongs to the day on the clock of the place where you logged it.")

  @Argument(
    help: "The day, such as 2025-10-25 (default: today).", transform: { try Day($0) })
  var date: Day?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let food = try common.openLibrary(for: .reading, .food).food
    let total = try food.total(of: date ?? Day())
    if console.isJSON { return try console.json(total) }
    guard total.hasEntries else { return console.result("Nothing is logged for \(total.day).") }
    console.details(
      [("day", total.day.description), ("entries", "\(total.entryCount)")]
        + total.nutrition.details + [
          ("confidence", "\(total.averageConfidence.hundredths) on average")
        ]
    )
  }
}
