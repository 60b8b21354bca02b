import Foundation
import Holdfast
@testable import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Lists of entries are walked in the order of an index", .temporaryFolder)
struct EntryPlanTests {
  private let since = noon

  @Test("Cravings")
  func cravings() throws {
    try openLibrary().read { db in
      for (query, index) in [
        (CravingQuery(), "craving_recent"), (CravingQuery(since: since), "craving_recent"),
        (CravingQuery(until: since), "craving_recent"),
        (CravingQuery(since: since, until: since), "craving_recent"),
        (CravingQuery(since: since, until: since, trigger: .anxious), "craving"),
        (CravingQuery(minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(since: since, minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(trigger: .anxious), "craving"),
        (CravingQuery(since: since, trigger: .anxious), "craving"),
        (CravingQuery(since: since, minimum: try Intensity(7), trigger: .anxious), "craving"),
        (CravingQuery(recording: UUID()), "craving_recording"),
        (CravingQuery(since: since, recording: UUID()), "craving_recording"),
      ] {
        try PlannedDatabase.expectWalk(of: query.list, by: index, in: db)
      }
    }
  }

  @Test("Usage")
  func usage() throws {
    try openLibrary().read { db in
      for (query, index) in [
        (UsageQuery(), "usage_recent"), (UsageQuery(since: since), "usage_recent"),
        (UsageQuery(since: since, until: since), "usage_recent"),
        (UsageQuery(method: .vape), "usage_method"),
        (UsageQuery(since: since, method: .vape), "usage_method"),
        (UsageQuery(trigger: .anxious), "usage"),
        (UsageQuery(since: since, trigger: .anxious), "usage"),
        (UsageQuery(since: since, method: .vape, trigger: .anxious), "usage"),
      ] {
        try PlannedDatabase.expectWalk(of: query.list, by: index, in: db)
      }
    }
  }

  @Test("Messages, in each order", arguments: MessageQuery.Sort.allCases)
  func messages(sort: MessageQuery.Sort) throws {
    try openLibrary().read { db in
      for category in [nil, MessageCategory.urge] {
        for (isCustom, isActive) in [(nil, nil), (nil, true), (true, nil), (false, false)] {
          let query = MessageQuery(
            category: category, isCustom: isCustom, isActive: isActive, sort: sort)
          let (clause, arguments) = query.clause
          let plan = try db.plan(of: "SELECT * FROM message \(clause)", arguments)
          PlannedDatabase.expectNoSorting(plan)
          let index = sort == .shown && category != nil ? "message_category" : "message_\(sort)"
          #expect(plan.first?.contains(index) == true, "\(query): \(plan)")
        }
      }
    }
  }

  /// The plan that the sqlite3 program has for a figure of 90 days, one step a line.
  private func plan(of figure: StatisticsQuery, at path: String) throws -> [String] {
    try sqlite3(
      path,
      """
      .parameter init
      .parameter set :since "'2024-02-17 12:00:00.000'"
      .parameter set :begin "'2024-02-17 12:00:00.000'"
      .parameter set :until "'~'"
      .parameter set :now "'2024-05-17 12:00:00.000'"
      .parameter set :length "'+90 days'"
      EXPLAIN QUERY PLAN \(figure.sql);
      """
    ).split(separator: "\n").map { $0.drop { "|-` ".contains($0) }.description }
  }

  @Test(
    "A period's figures walk no more of a table than the period",
    arguments: StatisticsQuery.allCases)
  func figures(figure: StatisticsQuery) throws {
    let steps = try plan(of: figure, at: openLibrary().catalogPath)
    try #require(steps.contains { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN") })
    for table in ["craving", "cravingTrigger", "usage", "recording"] {
      let scans = steps.filter { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") }
      switch figure {
      // It counts the triggers of all cravings.
      case .triggersOfAll where table == "cravingTrigger": continue
      default: #expect(scans.isEmpty, "\(scans)")
      }
    }
    // "next" is usage, too.
    for table in ["craving", "usage", "next"] {
      for step in steps where step.hasPrefix("SEARCH \(table) ") {
        #expect(step.contains("USING COVERING INDEX"), "\(step)")
      }
    }
  }
}
