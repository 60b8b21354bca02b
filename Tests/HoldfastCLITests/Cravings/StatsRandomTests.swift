import Foundation
@testable import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Statistics of random entries", .temporaryFolder)
struct StatsRandomTests {
  /// A craving made by this test.
  struct Craving {
    var date: Date
    /// In minutes east of Greenwich.
    var offset: Int
    var intensity: Int
    var triggers: [String]
    var location: String?

    /// The person's local time, as if it were UTC.
    var local: Date { date.addingTimeInterval(Double(offset) * 60) }
  }

  struct Use {
    var date: Date
    var method: String
    var amount: Double
  }

  /// The zones of a person, in minutes: with half hours and quarters.
  private static let offsets = [0, 345, -210, 60, 120, 630, 840, -720]

  @Test("Every figure of every period equals one computed without SQL, wherever it is read")
  func everyFigure() async throws {
    var random = SeededNumbers(seed: 20_251_026)
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    let now = Date().roundedToMillisecond
    func date() -> Date {
      // Some days ago, mostly few, but never so near a period's edge that it passes during the
      // test.
      let days = pow(Double.random(in: 0.01...1, using: &random), 2) * 800
      return now.addingTimeInterval(-(days * 86_400 * 1000).rounded() / 1000).roundedToMillisecond
    }
    let places = ["Home", "Work", "Social", "Outside", "Car", "1.5,2", "-33.9,151.2", nil]
    let cravings = (0..<500).map { _ in
      Craving(
        date: date(), offset: Self.offsets.randomElement(using: &random) ?? 0,
        intensity: .random(in: 1...10, using: &random),
        triggers: Trigger.allCases.map(\.rawValue).filter { _ in
          Int.random(in: 0..<6, using: &random) == 0
        }, location: places.randomElement(using: &random) ?? nil)
    }
    let uses = (0..<120).map { _ in
      let method = UsageMethod.allCases.randomElement(using: &random) ?? .dab
      return Use(
        date: date(), method: method.rawValue,
        amount: method.step * Double(Int.random(in: 1...5, using: &random)))
    }
    let rows =
      cravings.map {
        Entries.craving(
          Entries.moment($0.date), offset: $0.offset, $0.intensity, $0.triggers, $0.location)
      } + uses.map { Entries.usage(Entries.moment($0.date), $0.method, $0.amount) }
    // As many at a time as fit into an argument.
    for start in stride(from: 0, to: rows.count, by: 100) {
      let some = rows[start..<min(start + 100, rows.count)].joined()
      try await library.changeCatalog("BEGIN;\n\(some)COMMIT;")
    }
    for zone in ["UTC", "Australia/Lord_Howe"] {
      for period in StatisticsPeriod.allCases {
        let output = try await Command.output(
          of: Command.holdfast,
          library.command(["stats", "--json", "--days", period.rawValue]),
          environment: ["TZ": zone]
        ).output
        let statistics = try JSONFormat.decoder.decode(Statistics.self, from: Data(output.utf8))
        let expected = Expectation(
          period: period, now: statistics.until, cravings: cravings, uses: uses)
        try expected.check(statistics, "\(zone), \(period.rawValue)")
      }
    }
  }

  @Test(
    "A day has the hours that the clocks showed, also when they changed",
    arguments: [
      // Berlin: 2025-03-30 had no 2:30, and 2025-10-26 had it twice.
      ("Europe/Berlin", "2025-03-30 00:30:00.000", 1, "2025-03-30", "Sunday"),
      ("Europe/Berlin", "2025-03-30 01:30:00.000", 3, "2025-03-30", "Sunday"),
      ("Europe/Berlin", "2025-10-26 00:30:00.000", 2, "2025-10-26", "Sunday"),
      ("Europe/Berlin", "2025-10-26 01:30:00.000", 2, "2025-10-26", "Sunday"),
      ("Europe/Berlin", "2025-10-25 22:00:00.000", 0, "2025-10-26", "Sunday"),
      ("Europe/Berlin", "2025-10-26 22:59:59.999", 23, "2025-10-26", "Sunday"),
      ("Asia/Kathmandu", "2025-10-26 18:14:59.999", 23, "2025-10-26", "Sunday"),
      ("Asia/Kathmandu", "2025-10-26 18:15:00.000", 0, "2025-10-27", "Monday"),
      ("America/St_Johns", "2025-10-26 02:29:59.999", 23, "2025-10-25", "Saturday"),
      ("America/St_Johns", "2025-10-26 02:30:00.000", 0, "2025-10-26", "Sunday"),
      ("America/St_Johns", "2025-11-02 03:29:00.000", 0, "2025-11-02", "Sunday"),
    ])
  func clocks(
    zone: String, moment: String, hour: Int, day: String, weekday: String
  ) async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    // It is logged there, and read elsewhere.
    let date = try #require(JSONFormat.date(moment.replacing(" ", with: "T") + "Z"))
    let offset = try #require(TimeZone(identifier: zone)).secondsFromGMT(for: date) / 60
    try await library.changeCatalog(Entries.craving(moment, offset: offset, 5, []))
    let output = try await Command.output(
      of: Command.holdfast, library.command(["stats", "--json", "--days", "all"]),
      environment: ["TZ": "Asia/Tokyo"]
    ).output
    #expect(output.contains("\"byHour\":[{\"count\":1,\"value\":\(hour)}]"))
    #expect(output.contains("\"byDay\":[{\"average\":5,\"count\":1,\"day\":\"\(day)\"}]"))
    #expect(output.contains("\"byWeekday\":[{\"count\":1,\"value\":\"\(weekday)\"}]"))
  }
}

/// The statistics of entries, computed without SQL.
private struct Expectation {
  let period: StatisticsPeriod
  let now: Date
  let cravings: [StatsRandomTests.Craving]
  let uses: [StatsRandomTests.Use]
  let allUses: [StatsRandomTests.Use]
  let since: Date?
  let calendar: Calendar

  init(
    period: StatisticsPeriod, now: Date, cravings: [StatsRandomTests.Craving],
    uses: [StatsRandomTests.Use]
  ) {
    self.period = period
    self.now = now
    let since = period.days.map {
      now.addingTimeInterval(Double($0) * -86_400).roundedToMillisecond
    }
    self.since = since
    self.cravings = cravings.filter { $0.date >= since ?? .distantPast }
    self.uses = uses.filter { $0.date >= since ?? .distantPast }
    allUses = uses.sorted { $0.date < $1.date }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    self.calendar = calendar
  }

  func check(_ statistics: Statistics, _ comment: Comment) throws {
    #expect(statistics.days == period.days, comment)
    #expect(statistics.since == since, comment)
    checkCravings(statistics.cravings, comment)
    checkIntensity(statistics.cravings.intensity, comment)
    try checkUsage(statistics.usage, comment)
  }

  /// Counts, most frequent first, and by name where equal.
  private func tallies<Value>(_ names: [String], _ make: (String) -> Value?) -> [Tally<Value>] {
    Dictionary(grouping: names) { $0 }.mapValues(\.count)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .compactMap { name, count in make(name).map { Tally(value: $0, count: count) } }
  }

  private func checkCravings(_ statistics: CravingStatistics, _ comment: Comment) {
    #expect(statistics.count == cravings.count, comment)
    let sum = cravings.map(\.intensity).reduce(0, +)
    #expect(
      statistics.averageIntensity
        == (cravings.isEmpty ? nil : Double(sum) / Double(cravings.count)), comment)
    #expect(
      statistics.byTrigger == tallies(cravings.flatMap(\.triggers), Trigger.init(rawValue:)),
      comment)
    let kinds = cravings.compactMap(\.location).map { $0.contains(",") ? "Coordinates" : $0 }
    #expect(statistics.byLocation == tallies(kinds, LocationKind.init(rawValue:)), comment)
    let hours = Dictionary(grouping: cravings) { calendar.component(.hour, from: $0.local) }
    #expect(
      statistics.byHour
        == hours.sorted { $0.key < $1.key }.map { Tally(value: $0, count: $1.count) }, comment)
    let weekdays = Dictionary(grouping: cravings) {
      (calendar.component(.weekday, from: $0.local) + 5) % 7
    }
    #expect(
      statistics.byWeekday
        == weekdays.sorted { $0.key < $1.key }.map {
          Tally(value: Weekday.allCases[$0], count: $1.count)
        }, comment)
  }

  private func checkIntensity(_ history: IntensityHistory, _ comment: Comment) {
    var monday = calendar
    monday.firstWeekday = 2
    monday.minimumDaysInFirstWeek = 4
    let days = points { calendar.startOfDay(for: $0) }
    #expect(history.byDay == days, comment)
    #expect(
      history.byWeek == points { monday.dateInterval(of: .weekOfYear, for: $0)?.start ?? $0 },
      comment)
    #expect(
      history.byMonth == points { calendar.dateInterval(of: .month, for: $0)?.start ?? $0 },
      comment)
    let slope = trend(days)
    #expect((history.trendPerWeek == nil) == (slope == nil), comment)
    #expect(abs((history.trendPerWeek ?? 0) - (slope ?? 0)) < 1e-9, comment)
  }

  private func points(_ start: (Date) -> Date) -> [IntensityPoint] {
    Dictionary(grouping: cravings) { start($0.local) }.sorted { $0.key < $1.key }
      .map { start, cravings in
        let parts = calendar.dateComponents([.year, .month, .day], from: start)
        return IntensityPoint(
          day: String(
            format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0),
          count: cravings.count,
          average: Double(cravings.map(\.intensity).reduce(0, +)) / Double(cravings.count))
      }
  }

  /// The slope of the regression line, by its textbook formula.
  private func trend(_ points: [IntensityPoint]) -> Double? {
    guard points.count > 1 else { return nil }
    let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    let x = points.map { ((try? style.parse($0.day)) ?? now).timeIntervalSince1970 / 604_800 }
    let y = points.map(\.average)
    let (n, meanX) = (Double(points.count), x.reduce(0, +) / Double(points.count))
    let meanY = y.reduce(0, +) / n
    let covariance = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }.reduce(0, +)
    return covariance / x.map { ($0 - meanX) * ($0 - meanX) }.reduce(0, +)
  }

  private func checkUsage(_ statistics: UsageStatistics, _ comment: Comment) throws {
    #expect(statistics.count == uses.count, comment)
    let last = try #require(allUses.last).date, first = try #require(allUses.first).date
    #expect(statistics.lastUse == last, comment)
    #expect(near(statistics.daysSinceLastUse, now.timeIntervalSince(last)), comment)

    let moments =
      (allUses.last { $0.date < since ?? .distantPast }.map { _ in [since ?? now] } ?? [])
      + uses.map(\.date).sorted() + [now]
    let longest = zip(moments, moments.dropFirst()).max {
      $0.1.timeIntervalSince($0.0) < $1.1.timeIntervalSince($1.0)
    }
    let stretch = try #require(statistics.longestStretch)
    #expect((stretch.since, stretch.until) == (longest?.0 ?? now, longest?.1 ?? now), comment)
    #expect(near(stretch.days, stretch.until.timeIntervalSince(stretch.since)), comment)

    let amounts = Dictionary(grouping: uses, by: \.method).mapValues {
      $0.map(\.amount).reduce(0, +)
    }
    #expect(
      statistics.byMethod
        == tallies(uses.map(\.method), UsageMethod.init(rawValue:)).map {
          UsageSummary(
            method: $0.value, count: $0.count, amount: amounts[$0.value.rawValue] ?? 0)
        }, comment)

    guard let days = period.days else { return #expect(statistics.comparison == nil, comment) }
    let comparison = try #require(statistics.comparison)
    let end = first.addingTimeInterval(Double(days) * 86_400).roundedToMillisecond
    #expect((comparison.firstSince, comparison.firstUntil) == (first, end), comment)
    let before = allUses.filter { $0.date < end }
    let firstAmounts = Dictionary(grouping: before, by: \.method).mapValues {
      $0.map(\.amount).reduce(0, +)
    }
    #expect(
      comparison.methods
        == tallies((uses + before).map(\.method), UsageMethod.init(rawValue:)).map {
          MethodComparison(
            method: $0.value, amount: amounts[$0.value.rawValue] ?? 0,
            firstAmount: firstAmounts[$0.value.rawValue] ?? 0)
        }, comment)
  }

  /// Days to one decimal, except for the rounding of halves.
  private func near(_ days: Double?, _ seconds: TimeInterval) -> Bool {
    guard let days else { return false }
    return abs(days - seconds / 86_400) < 0.050_001 && (days * 10).rounded() / 10 == days
  }
}
