public import Foundation
public import Holdfast

extension Library {
  /// Returns the statistics of a period.
  ///
  /// Each figure uses one query or several. Entries that are written meanwhile may be in one figure
  /// and not yet in another. Days, hours and weekdays are those of the time zone in which a craving
  /// was logged.
  ///
  /// - Parameters:
  ///   - period: How far back to look.
  ///   - now: The end of the period. Later entries are still counted, but the last use and the
  ///     longest stretch leave them out.
  /// - Throws: `HoldfastError`, also when a row that is shown cannot be read.
  public func statistics(of period: StatisticsPeriod, now: Date = Date()) throws -> Statistics {
    let (count, mostPlayed) = try (
      count(matching: RecordingQuery()),
      recordings(matching: RecordingQuery(sort: .played, limit: 3))
    )
    let verification = try verificationState()
    var (statistics, helpers) = try read { db in
      let figures = try Figures(db, period, now: now.roundedToMillisecond)
      let statistics = Statistics(
        days: period.days, since: figures.since, until: figures.now, recordings: count,
        mostPlayed: mostPlayed.filter { $0.playCount > 0 }.map {
          RecordingTally($0, count: $0.playCount)
        }, verification: verification, cravings: try figures.cravings(),
        usage: try figures.usage())
      return (statistics, try figures.helpers())
    }
    statistics.cravings.helpedBy = try helpers.compactMap { id, count in
      try UUID(uuidString: id).flatMap { try recording(id: $0) }
        .map { RecordingTally($0, count: count) }
    }
    return statistics
  }
}

private struct Figures {
  /// The most entries in a part of the period. The slowest statement counts triggers, and takes
  /// 1.6 µs for each entry on a 2-core Xeon. It reads most pages of the triggers' index, however
  /// short the part.
  private static let longestPart = 50_000

  let db: any RecordDatabase
  let period: StatisticsPeriod
  let now: Date
  /// The first moment of the period. `nil` if the period is everything.
  let since: Date?
  /// The period's cravings and its usage in parts, newest first.
  private let (cravingParts, usageParts): ([RecordPeriod], [RecordPeriod])

  init(_ db: any RecordDatabase, _ period: StatisticsPeriod, now: Date) throws {
    self.db = db
    self.period = period
    self.now = now
    let since = period.days.map {
      now.addingTimeInterval(Double(-$0) * 86_400).roundedToMillisecond
    }
    self.since = since
    func parts(of table: String) throws -> [RecordPeriod] {
      try RecordPeriods(of: table, since: since, first: Self.longestPart).all(db)
    }
    cravingParts = try parts(of: "craving")
    usageParts = try parts(of: "usage")
  }

  /// Returns the rows of a figure for a part of the period; `nil` for all of it.
  func rows(_ figure: StatisticsQuery, of part: RecordPeriod? = nil) throws -> [SQLRow] {
    let begin = since.map(SQLValue.date) ?? .text("")
    return try db.rows(
      figure.sql,
      named: [
        "since": part.map { .text($0.since) } ?? begin,
        "until": part.map { .text($0.until) } ?? .null, "begin": begin, "now": .date(now),
        "length": period.days.map { .text("+\($0) days") } ?? .null,
      ])
  }

  /// Returns the row of a figure that always has one.
  func row(_ figure: StatisticsQuery) throws -> SQLRow { try rows(figure).first ?? SQLRow([], []) }

  /// Returns the counts of a figure's values in a column, added up over the parts of the period.
  private func counts(_ figure: StatisticsQuery, _ column: String) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for part in cravingParts {
      for row in try rows(figure, of: part) {
        counts[try row.required(column, \.text), default: 0] += try row.required(
          "count", \.integer)
      }
    }
    return counts
  }

  /// Returns the tallies of a figure, most frequent first.
  func tallies<Value: RawRepresentable<String>>(
    _ figure: StatisticsQuery, _ column: String
  ) throws -> [Tally<Value>] {
    try counts(figure, column).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { value, count in
        Tally(value: try SQLRow([column], [.text(value)]).word(column), count: count)
      }
  }

  /// Returns the IDs of the ten recordings that helped with the most cravings.
  func helpers() throws -> [(id: String, count: Int)] {
    try counts(.helpedBy, "recordingId").sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(10).map { ($0.key, $0.value) }
  }

  /// The figures of cravings, without the recordings that helped.
  func cravings() throws -> CravingStatistics {
    let hours = try hours()
    let (count, total) = (hours.count, hours.total)
    return CravingStatistics(
      count: count, averageIntensity: count > 0 ? Double(total) / Double(count) : nil,
      intensity: hours.history, byTrigger: try triggers(),
      byLocation: try tallies(.locations, "location"), byHour: hours.byHour,
      byWeekday: hours.byWeekday, helpedBy: [])
  }

  private func triggers() throws -> [Tally<Trigger>] {
    guard period == .everything else {
      return try tallies(.triggers, "trigger")
    }
    return try rows(.triggersOfAll).map { row in
      Tally(value: try row.word("trigger"), count: try row.required("count", \.integer))
    }
  }

  /// The number and the intensity of cravings, by the clocks of the zones where they were logged.
  private struct Hours {
    var count = 0
    var total = 0
    var history = IntensityHistory()
    var byHour: [Tally<Int>] = []
    var byWeekday: [Tally<Weekday>] = []
  }

  private func hours() throws -> Hours {
    var result = Hours()
    var days: [Substring: (count: Int, total: Int)] = [:]
    var hours: [Int: Int] = [:]
    for part in cravingParts {
      for row in try rows(.hours, of: part) {
        let (text, hour) = try row.required("hour") { value in
          value.text.flatMap { text in
            text.utf8.count == 13 ? Int(text.suffix(2)).map { (text, $0) } : nil
          }
        }
        let count = try row.required("count", \.integer)
        let total = try row.required("total", \.integer)
        hours[hour, default: 0] += count
        days[text.prefix(10), default: (0, 0)].count += count
        days[text.prefix(10), default: (0, 0)].total += total
        result.count += count
        result.total += total
      }
    }
    if days.isEmpty { return result }
    result.byHour = hours.sorted { $0.key < $1.key }.map { Tally(value: $0, count: $1) }
    // The days come from SQLite and contain nothing that needs quoting.
    let values = days.sorted { $0.key < $1.key }
      .map { "('\($0.key)', \($0.value.count), \($0.value.total))" }
    for row in try db.rows(StatisticsQuery.intensityHistory(days: values)) {
      let count = try row.required("count", \.integer)
      let span = try row.required("span", \.text)
      if span == "weekday" {
        let day = try row.required("day", \.integer)
        result.byWeekday.append(Tally(value: Weekday.allCases[day], count: count))
        continue
      }
      let point = IntensityPoint(
        day: try row.required("day", \.text), count: count,
        average: try row.required("average", \.number))
      switch span {
      case "day":
        result.history.byDay.append(point)
        result.history.trendPerWeek = row["trend"].number
      case "week": result.history.byWeek.append(point)
      default: result.history.byMonth.append(point)
      }
    }
    return result
  }

  func usage() throws -> UsageStatistics {
    let last = try row(.lastUse)
    return UsageStatistics(
      count: try row(.usage).required("count", \.integer), lastUse: last["lastUse"].date,
      lastUseOffset: last["offset"].integer, daysSinceLastUse: last["days"].number,
      longestStretch: try stretch(),
      byMethod: try rows(.methods).map { row in
        UsageSummary(
          method: try row.word("method"), count: try row.required("count", \.integer),
          amount: try row.required("amount", \.number))
      },
      comparison: period == .everything ? nil : try comparison())
  }

  private func stretch() throws -> Stretch? {
    var longest: (days: Double, stretch: Stretch)?
    for part in usageParts {
      guard let row = try rows(.longestStretch, of: part).first else { continue }
      let days = try row.required("days", \.number)
      let stretch = Stretch(
        since: try row.required("since", \.date), until: try row.required("until", \.date),
        days: try row.required("rounded", \.number))
      if let longest, (longest.days, longest.stretch.since) >= (days, stretch.since) { continue }
      longest = (days, stretch)
    }
    return longest?.stretch
  }

  private func comparison() throws -> UsageComparison? {
    let rows = try rows(.amounts)
    guard let first = rows.first else { return nil }
    return UsageComparison(
      firstSince: try first.required("firstSince", \.date),
      firstUntil: try first.required("firstUntil", \.date),
      availableFrom: try first.required("availableFrom", \.date),
      methods: first["isAvailable"] == .integer(1)
        ? try rows.map { row in
          MethodComparison(
            method: try row.word("method"), amount: try row.required("amount", \.number),
            firstAmount: try row.required("firstAmount", \.number))
        } : nil)
  }
}
