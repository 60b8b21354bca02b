internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith plan list`
struct PlanListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List plans, by their start, newest first.")

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) { try $0.faith.plans(limit: $1, offset: page.offset) }
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
    let library = try common.openLibrary(for: .writing, ReadingPlan.self)
    let plan = try ReadingPlan.named(id, in: library)
    let position =
      if let number = day.flatMap({ Int($0) }) {
        // The smallest number that there is must not overflow.
        number > 0 ? number - 1 : -1
      } else {
        try (day.map { try Day($0) } ?? Day()).days(since: plan.startDate)
      }
    return try library.faith.read(position, of: plan.id, isDone)
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

extension ReadingPlan: FaithRecord {
  package static var showAbstract: String { "Show a plan with its readings." }
  package var line: String { title }

  /// How much was read, such as `2 of 3 read, 1 to read`.
  private var state: String {
    guard !dailyReadings.isEmpty else { return "no readings" }
    let left = leftToRead(by: Day())
    return "\(doneCount) of \(dailyReadings.count) read" + (left > 0 ? ", \(left) to read" : "")
  }

  package static var columns: [TextTable.Column] {
    [
      .init(heading: "FROM"), .init(heading: "THROUGH", givesWay: true), .init(heading: "READ"),
      .init(heading: "TITLE"),
    ]
  }

  package func cells(in library: Library) -> [String] {
    [startDate.description, endDate.description, state, line]
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

/// What was read of a plan, as JSON.
private struct PlanState: Encodable {
  /// The share that was read; `nil` for a plan without readings.
  var progress: Double?
  /// How many readings are left of those that are due today.
  var leftToRead: Int
}
