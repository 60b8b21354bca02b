import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodDayDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day-delete", abstract: "Delete a day with its entries.",
    discussion: """
      Recordings in which the entries were spoken are kept. So are entries that were detached from \
      the day.
      """)

  @Argument(help: "The day, such as 2025-10-25.", transform: { try Day($0) })
  var date: Day

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let food = try common.openLibrary(for: .reading, .food).food
    guard let total = try food.totals(from: date, through: date).first else {
      throw HoldfastError(.noSuchRecord, "the diary has no day \(date)", record: FoodDay.kind)
    }
    if !yes {
      console.error("\(date) has \(total.entryCount.counted("entry", "entries")).")
      try Question("Delete the day with all of it for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing, .food)
    let count = try library.food.delete(date)
    if console.isJSON {
      try console.json(DeletedDay(day: date, entries: count))
    } else {
      console.result(
        "\(console.colored("deleted", .green))  \(date), with \(count.counted("entry", "entries"))")
    }
    guard console.compact(library) else { throw ExitCode.someFailed }
  }
}

private struct DeletedDay: Encodable {
  var event = "deleted"
  var day: Day
  var entries: Int
}
