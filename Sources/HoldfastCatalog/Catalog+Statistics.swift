public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// What the catalog has to say of a period.
  ///
  /// Each figure is a query of its own: what is written meanwhile may be in one and not yet in
  /// another. Days, hours and weekdays are those of the machine's time zone.
  ///
  /// - Parameters:
  ///   - period: How far back to look.
  ///   - now: The period's last moment.
  /// - Throws: ``CatalogError``, also when a row that is shown cannot be read.
  public func statistics(
    of period: StatisticsPeriod, now: Date
  ) throws(CatalogError) -> Statistics {
    try read { db in
      let figures = Figures(db: db, period: period, now: now.roundedToMillisecond)
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
  let db: Database
  let period: StatisticsPeriod
  let now: Date

  var since: Date? {
    period.days.map { now.addingTimeInterval(Double(-$0) * 86_400).roundedToMillisecond }
  }

  func rows(_ figure: Figure) throws -> [Row] {
    try Row.fetchAll(
      db, sql: figure.sql,
      arguments: [
        "since": since?.databaseValue ?? "".databaseValue, "now": now,
        "length": period.days.map { "+\($0) days" },
      ])
  }

  /// The row of a figure that always has one.
  func row(_ figure: Figure) throws -> Row { try rows(figure).first ?? Row() }

  func tallies<Stored: DatabaseValueConvertible, Value>(
    _ figure: Figure, as type: Stored.Type, _ make: (Stored) -> Value?
  ) throws -> [Tally<Value>] {
    try rows(figure).map { row in
      Tally(value: try row.value(Column("value"), as: type, make), count: row["count"])
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
    let summary = try row(.cravings)
    let triggers = period == .everything ? Figure.triggersOfAll : .triggers
    return CravingStatistics(
      count: summary["count"], averageIntensity: summary["average"],
      intensity: try intensity(),
      byTrigger: try tallies(triggers, as: String.self, Trigger.init(rawValue:)),
      byLocation: try tallies(.locations, as: String.self, LocationKind.init(rawValue:)),
      byHour: try tallies(.hours, as: Int.self) { $0 },
      byWeekday: try tallies(.weekdays, as: Int.self) { Weekday.allCases[$0] },
      helpedBy: try recordings(.helpedBy))
  }

  private func intensity() throws -> IntensityHistory {
    var history = IntensityHistory()
    for row in try rows(.intensity) {
      let point = IntensityPoint(
        day: try row.value(Column("day")), count: row["count"], average: row["average"])
      switch row["span"] as String {
      case "day":
        history.byDay.append(point)
        history.trendPerWeek = row["trend"]
      case "week": history.byWeek.append(point)
      default: history.byMonth.append(point)
      }
    }
    return history
  }

  func usage() throws -> UsageStatistics {
    let last = try row(.lastUse)
    return UsageStatistics(
      count: try row(.usage)["count"], lastUse: try last.optionalMoment("lastUse"),
      daysSinceLastUse: last["days"], longestStretch: try stretch(),
      byMethod: try rows(.methods).map { row in
        UsageSummary(method: try row.method(), count: row["count"], amount: row["amount"])
      },
      comparison: period == .everything ? nil : try comparison())
  }

  private func stretch() throws -> Stretch? {
    try rows(.longestStretch).first.map { row in
      Stretch(since: try row.moment("since"), until: try row.moment("until"), days: row["days"])
    }
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
