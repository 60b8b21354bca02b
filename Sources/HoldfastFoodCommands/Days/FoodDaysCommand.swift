import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodDaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "days", abstract: "Show the sums of the last days, newest first.",
    discussion: "Days on which nothing was logged are left out.")

  @Option(parsing: .unconditional, help: "How many days to look back, counting today.")
  var days = 7

  @OptionGroup var common: CommonOptions

  func validate() throws { try DayCount.validate(days) }

  func run() throws {
    let console = common.console
    let food = try common.openLibrary(for: .reading, .food).food
    let today = Day()
    let totals = try food.totals(from: today.adding(days: 1 - days), through: today)
    if console.isJSON { return try console.json(totals) }
    guard !totals.isEmpty else {
      return console.note("Nothing is logged for \(days == 1 ? "today" : "these \(days) days").")
    }
    var table = TextTable(
      [.init(heading: "DAY"), .init(heading: "ENTRIES", alignment: .right)] + Nutrition.columns
        + [.init(heading: "SURE", alignment: .right)])
    for total in totals {
      table.add(
        [total.day.description, "\(total.entryCount)"] + total.nutrition.cells
          + [total.averageConfidence.hundredths])
    }
    console.result(table)
  }
}
