public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Returns the catalog's statistics for a period.
  ///
  /// Each figure takes one query or several. What is written meanwhile may be in one figure and not
  /// yet in another. Days, hours and weekdays are those of the time zone in which a craving was
  /// logged.
  ///
  /// - Parameters:
  ///   - period: How far back to look.
  ///   - now: The end of the period. Later entries are still counted, but the last use and the
  ///     longest stretch leave them out.
  /// - Throws: ``CatalogError``, also when a row that is shown cannot be read.
  public func statistics(
    of period: StatisticsPeriod, now: Date
  ) throws(CatalogError) -> Statistics {
    try read { db in
      let figures = try Figures(db, period, now: now.roundedToMillisecond)
      return Statistics(
        days: period.days, since: figures.since, until: figures.now,
        recordings: try figures.row(.recordings)["count"],
        mostPlayed: try figures.recordings(.mostPlayed), verification: try figures.verification(),
        cravings: try figures.cravings(), usage: try figures.usage())
    }
  }
}

/// Reads the figures of one period.
private struct Figures {
  /// The most entries in a part of the period. The slowest statement counts triggers, and takes
  /// 1.6 µs for each entry on a 2-core Xeon. It reads most pages of the triggers' index, however
  /// short the part.
  private static let longestPart = 50_000

  let db: Database
  let period: StatisticsPeriod
  let now: Date
  /// The first moment of the period. `nil` if the period is everything.
  let since: Date?
  /// The period's cravings and its usage in parts, newest first.
  private let (cravingParts, usageParts): ([EntryPeriod], [EntryPeriod])

  init(_ db: Database, _ period: StatisticsPeriod, now: Date) throws {
    self.db = db
    self.period = period
    self.now = now
    let since = period.days.map {
      now.addingTimeInterval(Double(-$0) * 86_400).roundedToMillisecond
    }
    self.since = since
    func parts(of table: String) throws -> [EntryPeriod] {
      try EntryPeriods(of: table, since: since, first: Self.longestPart).all(db)
    }
    cravingParts = try parts(of: CravingRow.databaseTableName)
    usageParts = try parts(of: UsageRow.databaseTableName)
  }

  /// Returns the rows of a figure.
  ///
  /// - Parameter part: The part of the period to query. `nil` means all of it.
  func rows(_ figure: Figure, of part: EntryPeriod? = nil) throws -> [Row] {
    let begin = since?.databaseValue ?? "".databaseValue
    return try Row.fetchAll(
      db, sql: figure.sql,
      arguments: [
        "since": part?.since.databaseValue ?? begin, "until": part?.until, "begin": begin,
        "now": now, "length": period.days.map { "+\($0) days" },
      ])
  }

  /// Returns the row of a figure that always has one.
  func row(_ figure: Figure) throws -> Row { try rows(figure).first ?? Row() }

  /// Returns the counts of a figure's values, added up over the parts of the period.
  private func counts<Stored: DatabaseValueConvertible & Hashable>(
    _ figure: Figure, as type: Stored.Type
  ) throws -> [Stored: Int] {
    var counts: [Stored: Int] = [:]
    for part in cravingParts {
      for row in try rows(figure, of: part) {
        let value = try row.value(Column("value"), as: type) { $0 }
        counts[value, default: 0] += row["count"]
      }
    }
    return counts
  }

  /// Returns the tallies of a figure, most frequent first.
  func tallies<Stored: DatabaseValueConvertible & Hashable & Comparable, Value>(
    _ figure: Figure, as type: Stored.Type, _ make: (Stored) -> Value?
  ) throws -> [Tally<Value>] {
    let counts = try counts(figure, as: type).sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    return try counts.map { value, count in
      guard let made = make(value) else {
        throw RowDefect.unreadable(nil, column: "\(figure)", value: "\(value)")
      }
      return Tally(value: made, count: count)
    }
  }

  /// Returns the ten recordings that helped with the most cravings.
  private func helpers() throws -> [RecordingTally] {
    let counts = try counts(.helpedBy, as: String.self)
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
    return try most.compactMap { id, count in
      try RecordingRow.filter(Column("id") == id).fetchOne(db).map { row in
        RecordingTally(
          id: row.value.id, displayTitle: row.value.displayTitle, count: count)
      }
    }
  }

  func recordings(_ figure: Figure) throws -> [RecordingTally] {
    try rows(figure).map { row in
      let recording = try RecordingRow(row: row).value
      return RecordingTally(
        id: recording.id, displayTitle: recording.displayTitle, count: row["count"])
    }
  }

  func verification() throws -> VerificationState {
    let row = try row(.verification)
    return VerificationState(
      oldest: try row.optionalValue(Column("oldest")), unverified: row["unverified"],
      faulty: row["faulty"])
  }

  func cravings() throws -> CravingStatistics {
    let hours = try hours()
    let (count, total) = (hours.count, hours.total)
    return CravingStatistics(
      count: count, averageIntensity: count > 0 ? Double(total) / Double(count) : nil,
      intensity: hours.history, byTrigger: try triggers(),
      byLocation: try tallies(.locations, as: String.self, LocationKind.init(rawValue:)),
      byHour: hours.byHour, byWeekday: hours.byWeekday, helpedBy: try helpers())
  }

  private func triggers() throws -> [Tally<Trigger>] {
    guard period == .everything else {
      return try tallies(.triggers, as: String.self, Trigger.init(rawValue:))
    }
    return try rows(.triggersOfAll).map { row in
      Tally(
        value: try row.value(Column("value"), as: String.self, Trigger.init(rawValue:)),
        count: row["count"])
    }
  }

  /// How many cravings there were, and how strong, by the clocks of those who logged them.
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
        let text: String = try row.value(Column("value"))
        let (count, total): (Int, Int) = (row["count"], row["total"])
        guard text.utf8.count == 13, let hour = Int(text.suffix(2)) else {
          throw RowDefect.unreadable(nil, column: "timestamp", value: text)
        }
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
    for row in try Row.fetchAll(db, sql: Figure.intensityHistory(days: values)) {
      let count: Int = row["count"]
      if row["span"] as String == "weekday" {
        result.byWeekday.append(Tally(value: Weekday.allCases[row["day"]], count: count))
        continue
      }
      let point = IntensityPoint(
        day: try row.value(Column("day")), count: count, average: row["average"])
      switch row["span"] as String {
      case "day":
        result.history.byDay.append(point)
        result.history.trendPerWeek = row["trend"]
      case "week": result.history.byWeek.append(point)
      default: result.history.byMonth.append(point)
      }
    }
    return result
  }

  func usage() throws -> UsageStatistics {
    let last = try row(.lastUse)
    return UsageStatistics(
      count: try row(.usage)["count"], lastUse: try last.optionalMoment("lastUse"),
      lastUseOffset: try last.optionalValue(Column("offset")),
      daysSinceLastUse: last["days"], longestStretch: try stretch(),
      byMethod: try rows(.methods).map { row in
        UsageSummary(method: try row.method(), count: row["count"], amount: row["amount"])
      },
      comparison: period == .everything ? nil : try comparison())
  }

  private func stretch() throws -> Stretch? {
    var longest: (days: Double, since: Date, stretch: Stretch)?
    for part in usageParts {
      guard let row = try rows(.longestStretch, of: part).first else { continue }
      let (days, since): (Double, Date) = (row["days"], try row.moment("since"))
      if let longest, (longest.days, longest.since) >= (days, since) { continue }
      let stretch = Stretch(since: since, until: try row.moment("until"), days: row["rounded"])
      longest = (days, since, stretch)
    }
    return longest?.stretch
  }

  private func comparison() throws -> UsageComparison? {
    let rows = try rows(.amounts)
    guard let first = rows.first else { return nil }
    return UsageComparison(
      firstSince: try first.moment("firstSince"), firstUntil: try first.moment("firstUntil"),
      availableFrom: try first.moment("availableFrom"),
      methods: first["isAvailable"]
        ? try rows.map { row in
          MethodComparison(
            method: try row.method(), amount: row["amount"], firstAmount: row["firstAmount"])
        } : nil)
  }
}

extension Row {
  fileprivate func method() throws -> UsageMethod {
    try value(Column("method"), UsageMethod.init(rawValue:))
  }

  fileprivate func moment(_ column: String) throws -> Date {
    try value(Column(column), as: Date.self).roundedToMillisecond
  }

  fileprivate func optionalMoment(_ column: String) throws -> Date? {
    try optionalValue(Column(column), as: Date.self)?.roundedToMillisecond
  }
}
