import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Keep plans of readings, one for each day.",
    subcommands: [
      RecordAddCommand<NewPlan>.self, RecordListCommand<PlanList>.self,
      RecordShowCommand<ReadingPlan>.self, PlanDoneCommand.self, PlanUndoCommand.self,
      RecordEditCommand<PlanEdit>.self, RecordDeleteCommand<ReadingPlan>.self,
    ])
}

struct NewPlan: NewRecord {
  static let verb = RecordVerb.add(
    "Add a plan of readings.",
    "The first reading is for the first day, and so on. The last days may have none.")

  @OptionGroup var title: NewTitleOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it is about, at most 20000 characters.", valueName: "text"))
  var description = ""

  @Option(day: "The day of the first reading (default: today).")
  var start: Day?

  @Option(day: "The last day (default: that of the last reading).")
  var end: Day?

  @Option(
    name: .customLong("reading"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A reading, such as \"Genesis 1-3\"; may be given more than once. - reads them from standard "
        + "input, one a line.",
      valueName: "text"))
  var readings: [String] = []

  func validate() throws {
    guard !readings.contains("-") else {
      if readings.count > 1 { throw ValidationError("Give --reading - alone.") }
      return
    }
    try validating { try record(now: Date()).validate() }
  }

  func record(now: Date) throws -> ReadingPlan {
    var readings = readings
    if readings == ["-"] {
      readings = try TextInput.text("-", limit: 1_000_000).split(whereSeparator: \.isNewline)
        .map(String.init)
    }
    let start = start ?? Day(now: now)
    let last = start.adding(days: max(readings.count, 1) - 1)
    // Days end with the year 9999.
    guard last.days(since: start) == max(readings.count, 1) - 1 else {
      throw RuleError(
        "\(readings.count) readings from \(start) end after 9999-12-31; start earlier")
    }
    return ReadingPlan(
      title: title.title, details: description, startDate: start, endDate: end ?? last,
      dailyReadings: readings, createdAt: now)
  }
}

struct PlanEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a plan; only what you name changes.")
  static let options = "--title, --description, --start or --end"

  @OptionGroup var title: TitleOption

  @Option(unconditional: "What it is about.", valueName: "text")
  var description: String?

  @Option(day: "The day of the first reading.")
  var start: Day?

  @Option(day: "The last day.")
  var end: Day?

  var changes: [Change<ReadingPlan>?] {
    [
      .set(\.title, title.title), .set(\.details, description), .set(\.startDate, start),
      .set(\.endDate, end),
    ]
  }
}

struct PlanList: RecordFilter {
  static let verb = RecordVerb.list("List plans, by their start, newest first.")

  func records(in library: Library, limit: Int, offset: Int) throws -> [ReadingPlan] {
    try library.faith.plans(limit: limit, offset: offset)
  }
}

struct ReadingArguments: ParsableArguments {
  @Argument(help: "The plan's id, or at least four characters of its beginning.")
  var id: String

  @Argument(
    help:
      "The reading's number, counted from 1, or its day, such as 2025-10-25 (default: today).")
  var day: String?

  func validate() throws {
    if day != nil, Int(day ?? "") == nil { try validating { _ = try Day(day ?? "") } }
  }

  /// Marks the reading as read, or as not read.
  func mark(_ isDone: Bool, _ common: CommonOptions) throws -> ReadingPlan {
    let library = try common.openLibrary(for: .writing, ReadingPlan.self)
    let plan = try ReadingPlan.named(id, in: library)
    let position =
      if let number = day.flatMap({ Int($0) }) {
        // `Int.min - 1` would overflow.
        number > 0 ? number - 1 : -1
      } else {
        try (day.map { try Day($0) } ?? Day()).days(since: plan.startDate)
      }
    return try library.faith.read(position, of: plan.id, isDone)
  }
}

struct PlanDoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark a reading of a plan as read.")

  @OptionGroup var reading: ReadingArguments
  @OptionGroup var common: CommonOptions

  func run() throws { try common.console.show(reading.mark(true, common), "done") }
}

struct PlanUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Mark a reading of a plan as not read.")

  @OptionGroup var reading: ReadingArguments
  @OptionGroup var common: CommonOptions

  func run() throws { try common.console.show(reading.mark(false, common), "changed") }
}

extension ReadingPlan: FaithRecord {
  package static var showAbstract: String { "Show a plan with its readings." }
  package var line: String { title }

  /// The progress, such as `2 of 3 read, 1 to read`.
  private var state: String {
    guard !dailyReadings.isEmpty else { return "no readings" }
    let left = leftToRead(by: Day())
    return "\(doneCount) of \(dailyReadings.count) read" + (left > 0 ? ", \(left) to read" : "")
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("FROM", \.startDate.description),
      .init("THROUGH", givesWay: true, \.endDate.description), .init("READ", \.state),
      .init("TITLE", \.title),
    ]
  }

  package func listOutput(in library: Library) -> any Encodable {
    ExtendedOutput(self, PlanState(progress: progress, leftToRead: leftToRead(by: Day())))
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("title", title), ("description", details.nonBlank),
      ("from", "\(startDate) through \(endDate)"), ("read", state),
    ]
      + dailyReadings.enumerated().map { position, reading in
        let done = reading.doneAt == nil ? "" : "  read"
        return ("\(position + 1)", "\(day(at: position))\(done)  \(reading.reading)")
      }
  }
}

private struct PlanState: Encodable {
  /// The share that was read; `nil` for a plan without readings.
  var progress: Double?
  /// How many of the readings due by today are left.
  var leftToRead: Int
}
