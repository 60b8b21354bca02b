public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Returns how much was used on each day of a period, by the clock of the place where it was logged.
  ///
  /// No index has a use's moment, its zone and its amount, so that the rows themselves are read: some
  /// 3 µs for each.
  ///
  /// - Parameters:
  ///   - period: How far back to look.
  ///   - now: The end of the period.
  /// - Throws: ``CatalogError``, also when a row cannot be read.
  public func amounts(
    of period: StatisticsPeriod, now: Date
  ) throws(CatalogError) -> AmountHistory {
    let since = period.days.map { now.addingTimeInterval(Double(-$0) * 86_400) }
    return try read { db in
      var sums: [Key: (count: Int, amount: Double)] = [:]
      for part in try EntryPeriods(of: UsageRow.databaseTableName, since: since).all(db) {
        let rows = try Row.fetchAll(
          db, sql: Self.amountsByDay, arguments: ["since": part.since, "until": part.until])
        for row in rows {
          let day: String = try row.value(Column("day"))
          let method = try row.value(Column("method"), UsageMethod.init(rawValue:))
          sums[Key(day: day, method: method), default: (0, 0)].count += row["count"]
          sums[Key(day: day, method: method), default: (0, 0)].amount += row["amount"]
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
    FROM usage WHERE timestamp >= :since AND timestamp < :until GROUP BY day, method
    """
}
