internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith plan`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Keep plans of readings, one for each day.",
    subcommands: [
      PlanAddCommand.self, PlanListCommand.self, RecordShowCommand<ReadingPlan>.self,
      PlanDoneCommand.self, PlanUndoCommand.self, PlanEditCommand.self,
      RecordDeleteCommand<ReadingPlan>.self,
    ])
}

/// `holdfast faith plan add`
struct PlanAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a plan of readings.",
    discussion: "The first reading is for the first day, and so on. The last days may have none.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it is about, at most 20000 characters.", valueName: "text"))
  var description = ""

  @Option(
    help: ArgumentHelp("The day of the first reading (default: today).", valueName: "date"),
    transform: { try Day($0) })
  var start: Day?

  @Option(
    help: ArgumentHelp(
      "The last day (default: that of the last reading).", valueName: "date"),
    transform: { try Day($0) })
  var end: Day?

  @Option(
    name: .customLong("reading"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A reading, such as \"Genesis 1-3\"; may be given more than once. - reads them from standard input, one a line.",
      valueName: "text"))
  var readings: [String] = []

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !readings.contains("-") else {
      if readings.count > 1 { throw ValidationError("Give --reading - alone.") }
      return
    }
    try validating { try plan(readings, now: Date()).validate() }
  }

  func run() throws {
    var readings = readings
    if readings == ["-"] {
      readings = try TextInput.text("-", limit: 1_000_000).split(whereSeparator: \.isNewline)
        .map(String.init)
    }
    try common.add(plan(readings, now: Date()))
  }

  private func plan(_ readings: [String], now: Date) throws -> ReadingPlan {
    let start = start ?? Day(now: now)
    let last = start.adding(days: max(readings.count, 1) - 1)
    // The calendar goes on, but a day has four digits for its year.
    guard last.days(since: start) == max(readings.count, 1) - 1 else {
      throw RuleError(
        "\(readings.count) readings from \(start) end after 9999-12-31; start earlier")
    }
    return ReadingPlan(
      title: title, details: description, startDate: start,
      endDate: end ?? last, dailyReadings: readings,
      createdAt: now)
  }
}

/// `holdfast faith plan edit`
struct PlanEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a plan; only what you name changes.")

  @OptionGroup var record: RecordArgument<ReadingPlan>

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What it is about.", valueName: "text"))
  var description: String?

  @Option(
    help: ArgumentHelp("The day of the first reading.", valueName: "date"),
    transform: { try Day($0) })
  var start: Day?

  @Option(help: ArgumentHelp("The last day.", valueName: "date"), transform: { try Day($0) })
  var end: Day?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      title != nil || description != nil || start != nil || end != nil,
      "--title, --description, --start or --end")
  }

  func run() throws {
    try common.edit(record) { plan in
      if let title { plan.title = title }
      if let description { plan.details = description }
      if let start { plan.startDate = start }
      if let end { plan.endDate = end }
    }
  }
}
