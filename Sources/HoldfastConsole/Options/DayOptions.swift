import ArgumentParser
package import HoldfastModel

package struct DayOptions: ParsableArguments {
  @Option(day: "Only this day, such as 2025-10-25.")
  var day: Day?

  @Option(day: "Only this day and later ones.")
  var since: Day?

  @Option(day: "Only this day and earlier ones.")
  var until: Day?

  @Option(
    unconditional: "Only the last so many days, counting today (default: all).", valueName: "days")
  var days: Int?

  package init() {}

  package func validate() throws {
    try DayCount.validate(days)
    let ways = [day != nil, days != nil, since != nil || until != nil]
    if ways.count(where: { $0 }) > 1 {
      throw ValidationError("Give only one of --day, --days, and --since with --until.")
    }
    if let since, let until, since > until {
      throw ValidationError("--since \(since) is after --until \(until); exchange them.")
    }
  }

  /// The first and the last day; `nil` for no limit.
  package var range: (first: Day?, last: Day?) {
    if let day { return (day, day) }
    guard let days else { return (since, until) }
    let today = Day()
    return (today.adding(days: 1 - days), today)
  }
}

package struct PrivateOption: ParsableArguments {
  @Flag(name: .customLong("private"), help: "Include what is private.")
  package var includesPrivate = false

  package init() {}
}
