internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// A plan as the commands print it.
struct PlanOutput: Encodable {
  var plan: ReadingPlan
  /// The share that was read; `nil` for a plan without readings.
  var progress: Double?
  /// How many readings are left of those that are due today.
  var leftToRead: Int

  private enum CodingKeys: String, CodingKey { case progress, leftToRead }

  init(_ plan: ReadingPlan) {
    self.plan = plan
    progress = plan.progress
    leftToRead = plan.leftToRead(by: Day())
  }

  func encode(to encoder: any Encoder) throws {
    try plan.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(progress, forKey: .progress)
    try container.encode(leftToRead, forKey: .leftToRead)
  }
}

/// `holdfast faith plan list`
struct PlanListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List plans, by their start, newest first.")

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    try common.console.page(page, noun: { $0.noun("reading plan") }) { limit in
      try faith.plans(limit: limit, offset: page.offset)
    } json: {
      PlanOutput($0)
    } table: {
      ReadingPlan.table(of: $0)
    }
  }
}

/// `holdfast faith plan show`
struct PlanShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a plan with its readings.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .reading, .faith).faith
    let plan = try faith.record(ReadingPlan.self, idPrefix: record.id)
    if console.isJSON { return try console.json(PlanOutput(plan)) }
    console.details(plan.allDetails)
  }
}

/// The arguments that name a reading of a plan.
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
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let plan = try faith.record(ReadingPlan.self, idPrefix: id)
    let position =
      if let number = day.flatMap({ Int($0) }) {
        // Whoever gives the smallest number there is gets no overflow.
        number > 0 ? number - 1 : -1
      } else {
        try (day.map { try Day($0) } ?? Day()).days(since: plan.startDate)
      }
    return try faith.read(position, of: plan.id, isDone)
  }
}

/// `holdfast faith plan done`
struct PlanDoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark a reading of a plan as read.")

  @OptionGroup var reading: ReadingArguments
  @OptionGroup var common: CommonOptions

  func run() throws { try common.console.show(reading.mark(true, common), "done") }
}

/// `holdfast faith plan undo`
struct PlanUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Mark a reading of a plan as not read.")

  @OptionGroup var reading: ReadingArguments
  @OptionGroup var common: CommonOptions

  func run() throws { try common.console.show(reading.mark(false, common), "changed") }
}

extension ReadingPlan: ShownRecord {
  var line: String { title }

  /// How much was read, such as `2 of 3 read, 1 to read`.
  private var state: String {
    guard !dailyReadings.isEmpty else { return "no readings" }
    let left = leftToRead(by: Day())
    return "\(doneCount) of \(dailyReadings.count) read" + (left > 0 ? ", \(left) to read" : "")
  }

  static let heading = "TITLE"
  static let columns: [TextTable.Column] = [
    .init(heading: "FROM"), .init(heading: "THROUGH", givesWay: true), .init(heading: "READ"),
  ]
  var cells: [String] { [startDate.description, endDate.description, state] }

  var facts: [(name: String, value: String?)] {
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
