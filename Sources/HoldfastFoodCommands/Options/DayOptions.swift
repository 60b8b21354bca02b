import ArgumentParser
import HoldfastConsole
import HoldfastModel

struct DayOptions: ParsableArguments {
  @Flag(help: "Only what you ate today.")
  var today = false

  @Option(day: "Only what you ate on this day, such as 2025-10-25.")
  var day: Day?

  @Option(
    unconditional: "Only what you ate in the last so many days, counting today (default: all).",
    valueName: "days")
  var days: Int?

  func validate() throws {
    try DayCount.validate(days)
    if [today, day != nil, days != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Give only one of --today, --day and --days.")
    }
  }

  /// The first and the last day; `nil` for no limit.
  var range: (first: Day?, last: Day?) {
    if let day { return (day, day) }
    guard let count = today ? 1 : days else { return (nil, nil) }
    let today = Day()
    return (today.adding(days: 1 - count), today)
  }
}
