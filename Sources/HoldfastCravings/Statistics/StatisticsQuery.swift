import Holdfast

/// The figures of the statistics, each one query.
///
/// A figure that reads many entries is queried for one part of the period after the other, from
/// `:since` to before `:until` (`RecordPeriods`). The results are added up.
///
/// `:since` is the first moment of that part, or of the whole period, and sorts before every moment
/// if the period is everything. `:now` is the end of the last part. `:length` is the length of the
/// period in SQLite's format, such as `+30 days`, and NULL for everything.
enum StatisticsQuery: String, CaseIterable {
  case hours, triggers, triggersOfAll, locations, helpedBy
  case usage, lastUse, longestStretch, methods, amounts

  var sql: String {
    switch self {
    case .hours:
      // Numbers are grouped twice as fast as the texts would be.
      """
      SELECT strftime('%Y-%m-%d %H', 3600 * \(Self.hour) - \(Self.epoch), 'unixepoch') AS hour,
        count(*) AS count, sum(intensity) AS total
      FROM craving WHERE timestamp >= :since AND timestamp < :until GROUP BY \(Self.hour)
      """
    case .triggers:
      // The period's IDs, in their order, are looked up in the order of the index.
      """
      SELECT trigger, count(*) AS count FROM cravingTrigger
      WHERE cravingId IN (
        SELECT id FROM craving WHERE timestamp >= :since AND timestamp < :until)
      GROUP BY trigger
      """
    case .triggersOfAll:
      """
      SELECT trigger, count(*) AS count FROM cravingTrigger
      GROUP BY trigger ORDER BY count DESC, trigger
      """
    case .locations:
      """
      SELECT iif(instr(location, ','), 'Coordinates', location) AS location, count(*) AS count
      FROM craving WHERE timestamp >= :since AND timestamp < :until AND location IS NOT NULL
      GROUP BY 1
      """
    case .helpedBy:
      // "+" stops SQLite from scanning the links of all time in the index that has their order.
      """
      SELECT recordingId, count(*) AS count FROM craving
      WHERE timestamp >= :since AND timestamp < :until AND +recordingId IS NOT NULL
      GROUP BY recordingId
      """
    case .usage: "SELECT count(*) AS count FROM usage WHERE timestamp >= :since"
    case .lastUse:
      """
      SELECT max(timestamp) AS lastUse, timestampOffset AS offset,
        round(julianday(:now) - julianday(max(timestamp)), 1) AS days
      FROM usage WHERE timestamp <= :now
      """
    case .longestStretch: Self.stretch
    case .methods:
      """
      SELECT method, count(*) AS count, sum(amount) AS amount FROM usage
      WHERE method IN (\(Self.methodList)) AND timestamp >= :since
      GROUP BY method ORDER BY count DESC, method
      """
    case .amounts: Self.amountsNowAndFirst
    }
  }

  /// The hour that a clock showed, counted from the year 0. No count is negative, so that the
  /// division rounds all of them down.
  private static let hour = "((unixepoch(timestamp) + 60 * timestampOffset + \(epoch)) / 3600)"

  /// The seconds from the year 0 to 1970, in SQLite's calendar.
  private static let epoch = 62_167_219_200

  /// All methods by name, so that each method's part of the period is a range of the index.
  private static let methodList = UsageMethod.allCases.map { "'\($0.rawValue)'" }
    .joined(separator: ", ")

  /// Returns the query for the days, weeks, months, days of the week and the trend. It reads no
  /// table.
  ///
  /// - Parameter days: SQL rows of a day, its number of cravings, and the sum of their intensities.
  static func intensityHistory(days: [String]) -> String {
    """
    WITH
      day (day, count, total) AS (VALUES \(days.joined(separator: ", "))),
      point AS (
        SELECT julianday(day) - avg(julianday(day)) OVER () AS x,
          1.0 * total / count - avg(1.0 * total / count) OVER () AS y
        FROM day)
    SELECT 'day' AS span, day, count, 1.0 * total / count AS average,
      (SELECT 7 * sum(x * y) / nullif(sum(x * x), 0) FROM point) AS trend
    FROM day
    UNION ALL
    SELECT 'week', date(day, '-6 days', 'weekday 1') AS monday, sum(count),
      1.0 * sum(total) / sum(count), NULL
    FROM day GROUP BY monday
    UNION ALL
    SELECT 'month', date(day, 'start of month') AS first, sum(count),
      1.0 * sum(total) / sum(count), NULL
    FROM day GROUP BY first
    UNION ALL
    SELECT 'weekday', (strftime('%w', day) + 6) % 7 AS weekday, sum(count),
      1.0 * sum(total) / sum(count), NULL
    FROM day GROUP BY weekday
    ORDER BY span, day
    """
  }

  /// Measures from each use in a part of the period to the next use, and from the last use of all
  /// to `:now`.
  ///
  /// The stretch from the use before this part is measured too: it reaches into the part. The next
  /// use is one step in the index. A window function takes twice as long.
  private static let stretch = """
    WITH
      stretch (since, until) AS (
        SELECT max(timestamp, :begin), coalesce(
          (SELECT next.timestamp FROM usage AS next
            WHERE next.timestamp > usage.timestamp AND next.timestamp <= :now
            ORDER BY next.timestamp LIMIT 1), :now)
        FROM usage
        WHERE timestamp >= coalesce(
            (SELECT max(timestamp) FROM usage WHERE timestamp < :since AND timestamp <= :now),
            :since)
          AND timestamp < :until AND timestamp <= :now),
      measured AS (
        SELECT since, until, julianday(until) - julianday(since) AS days FROM stretch)
    SELECT since, until, days, round(days, 1) AS rounded FROM measured
    ORDER BY measured.days DESC, since DESC LIMIT 1
    """

  /// Compares the amounts of the period with those of the first period. Each row repeats the bounds
  /// of the first period.
  ///
  /// There is a row if there was any use, because the first use is in the first period.
  private static let amountsNowAndFirst = """
    WITH
      first (since, until) AS (
        SELECT min(timestamp), strftime('%Y-%m-%d %H:%M:%f', min(timestamp), :length) FROM usage),
      part (method, count, amount, firstAmount) AS (
        SELECT method, count(*), sum(amount), 0 FROM usage
        WHERE method IN (\(methodList)) AND timestamp >= :since GROUP BY method
        UNION ALL
        SELECT method, count(*), 0, sum(amount) FROM usage
        WHERE method IN (\(methodList)) AND timestamp < (SELECT until FROM first)
        GROUP BY method)
    SELECT method, sum(amount) AS amount, sum(firstAmount) AS firstAmount,
      first.since AS firstSince, first.until AS firstUntil,
      strftime('%Y-%m-%d %H:%M:%f', first.until, :length) AS availableFrom,
      first.until <= :since AS isAvailable
    FROM part, first GROUP BY method ORDER BY sum(count) DESC, method
    """
}
