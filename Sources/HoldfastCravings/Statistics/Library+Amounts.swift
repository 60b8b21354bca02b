public import Foundation
public import Holdfast

extension Library {
  /// Returns how much was used on each day of a period, by the clock of the place where it was
  /// logged.
  ///
  /// No index has a use's moment, zone and amount together, so the rows themselves are read: some 3
  /// µs for each.
  ///
  /// - Throws: `HoldfastError`, also when a row cannot be read.
  public func amounts(of period: StatisticsPeriod, now: Date = Date()) throws -> AmountHistory {
    let since = period.days.map { now.addingTimeInterval(Double(-$0) * 86_400) }
    return try read { db in
      var sums: [Key: (count: Int, amount: Double)] = [:]
      for part in try RecordPeriods(of: "usage", since: since).all(db) {
        let rows = try db.rows(
          Self.amountsByDay, [.text(part.since), .text(part.until)])
        for row in rows {
          let key = Key(day: try row.required("day", \.text), method: try row.word("method"))
          sums[key, default: (0, 0)].count += try row.required("count", \.integer)
          sums[key, default: (0, 0)].amount += try row.required("amount", \.number)
        }
      }
      let points = try sums.map { key, sum in
        AmountPoint(
          day: try Day(key.day), method: key.method, count: sum.count, amount: sum.amount)
      }
      return AmountHistory(
        byDay: points.sorted { ($0.day, $0.method.rawValue) < ($1.day, $1.method.rawValue) })
    }
  }

  private struct Key: Hashable {
    var day: String
    var method: UsageMethod
  }

  private static let amountsByDay = """
    SELECT date(unixepoch(timestamp) + 60 * timestampOffset, 'unixepoch') AS day, method,
      count(*) AS count, sum(amount) AS amount
    FROM usage WHERE timestamp >= ? AND timestamp < ? GROUP BY day, method
    """
}
