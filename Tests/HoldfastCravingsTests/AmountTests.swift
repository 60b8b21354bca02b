import Foundation
import Holdfast
@testable import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Amounts over time", .temporaryFolder)
struct AmountTests {
  let library: Library

  init() throws { library = try openLibrary() }

  private func use(_ moment: String, _ method: UsageMethod, _ amount: Double, offset: Int = 0)
    throws
  {
    let moment = try #require(JSONFormat.date(moment))
    try library.add(
      Usage(
        timestamp: moment, timestampOffset: offset, method: method, amount: amount,
        createdAt: moment))
  }

  private func point(
    _ day: String, _ method: UsageMethod, _ count: Int, _ amount: Double
  ) throws -> AmountPoint {
    AmountPoint(day: try Day(day), method: method, count: count, amount: amount)
  }

  @Test(
    "Amounts are added up by the day that the clock showed, by week and by month, for each method")
  func byDay() throws {
    // 2025-03-03 is a Monday.
    try use("2025-02-28T12:00:00Z", .vape, 1)
    try use("2025-03-02T23:30:00Z", .vape, 2)
    try use("2025-03-02T23:30:00Z", .vape, 3, offset: 60)
    try use("2025-03-03T10:00:00Z", .edible, 10)
    try use("2025-03-03T12:00:00Z", .vape, 4, offset: -840)
    let now = try #require(JSONFormat.date("2025-03-04T00:00:00Z"))
    let all = try library.amounts(of: .everything, now: now)
    #expect(
      try all.byDay == [
        point("2025-02-28", .vape, 1, 1), point("2025-03-02", .vape, 2, 6),
        point("2025-03-03", .edible, 1, 10), point("2025-03-03", .vape, 1, 3),
      ])
    #expect(
      try all.byWeek == [
        point("2025-02-24", .vape, 3, 7), point("2025-03-03", .edible, 1, 10),
        point("2025-03-03", .vape, 1, 3),
      ])
    #expect(
      try all.byMonth == [
        point("2025-02-01", .vape, 1, 1), point("2025-03-01", .edible, 1, 10),
        point("2025-03-01", .vape, 3, 9),
      ])
    #expect(
      try library.amounts(of: .week, now: now.addingTimeInterval(86_400 * 6)).byDay.count == 2)
    #expect(try library.amounts(of: .week, now: .distantFuture).byDay == [])
  }

  @Test(
    "Each week begins on a Monday",
    arguments: [
      ("1969-12-28", "1969-12-22"), ("1970-01-05", "1970-01-05"), ("2024-03-03", "2024-02-26"),
      ("2026-01-01", "2025-12-29"),
    ])
  func monday(day: String, monday: String) throws {
    #expect(try Day(day).monday == Day(monday))
  }
}
