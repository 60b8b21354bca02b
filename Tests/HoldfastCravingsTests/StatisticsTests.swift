import Foundation
import Holdfast
@testable import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Statistics", .temporaryFolder)
struct StatisticsTests {
  let library: Library

  init() throws { library = try openLibrary() }

  /// This many days before noon, the present of these tests.
  private func days(_ days: Double) -> Date { noon.addingTimeInterval(-days * 86_400) }

  private func craving(
    _ ago: Double, _ intensity: Int, _ triggers: TriggerSet = [], at location: String? = nil,
    helpedBy recording: RecordingID? = nil
  ) throws {
    try library.add(
      Craving(
        timestamp: days(ago), intensity: try Intensity(intensity), triggers: triggers,
        location: try location.map { try Location($0) }, recordingID: recording, createdAt: noon))
  }

  private func use(_ ago: Double, _ method: UsageMethod = .dab, _ amount: Double = 1) throws {
    try library.add(
      Usage(timestamp: days(ago), method: method, amount: amount, createdAt: noon))
  }

  private func statistics(_ period: StatisticsPeriod) throws -> Statistics {
    try library.statistics(of: period, now: noon)
  }

  @Test("An empty library has empty statistics", arguments: StatisticsPeriod.allCases)
  func empty(period: StatisticsPeriod) throws {
    #expect(
      try statistics(period)
        == Statistics(
          days: period.days, since: period.days.map { days(Double($0)) }, until: noon,
          recordings: 0, mostPlayed: [],
          verification: VerificationState(oldest: nil, unverified: 0, faulty: 0),
          cravings: CravingStatistics(
            count: 0, averageIntensity: nil, intensity: IntensityHistory(), byTrigger: [],
            byLocation: [], byHour: [], byWeekday: [], helpedBy: []),
          usage: UsageStatistics(
            count: 0, lastUse: nil, lastUseOffset: nil, daysSinceLastUse: nil, longestStretch: nil,
            byMethod: [],
            comparison: nil)))
  }

  @Test("A period begins with its first millisecond")
  func bounds() throws {
    for ago in [7, 7 + 0.001 / 86_400, 0] {
      try craving(ago, 5)
      try use(ago)
    }
    let week = try statistics(.week)
    #expect((week.cravings.count, week.usage.count) == (2, 2))
    #expect(week.since == days(7))
    let all = try statistics(.everything)
    #expect((all.cravings.count, all.usage.count, all.since) == (3, 3, nil))
  }

  @Test("Intensity is averaged over cravings, over days, weeks and months")
  func intensity() throws {
    // Noon in Greenwich is on the same day nearly everywhere; 2024-05-17 is a Friday.
    for (ago, intensity) in [(0, 2), (0, 3), (4, 9), (5, 4), (17, 8), (40, 10)] {
      try craving(Double(ago), intensity)
    }
    let cravings = try statistics(.month).cravings
    #expect((cravings.count, cravings.averageIntensity) == (5, 5.2))
    #expect(
      cravings.intensity.byDay == [
        IntensityPoint(day: "2024-04-30", count: 1, average: 8),
        IntensityPoint(day: "2024-05-12", count: 1, average: 4),
        IntensityPoint(day: "2024-05-13", count: 1, average: 9),
        IntensityPoint(day: "2024-05-17", count: 2, average: 2.5),
      ])
    #expect(
      cravings.intensity.byWeek == [
        IntensityPoint(day: "2024-04-29", count: 1, average: 8),
        IntensityPoint(day: "2024-05-06", count: 1, average: 4),
        IntensityPoint(day: "2024-05-13", count: 3, average: 14.0 / 3),
      ])
    #expect(
      cravings.intensity.byMonth == [
        IntensityPoint(day: "2024-04-01", count: 1, average: 8),
        IntensityPoint(day: "2024-05-01", count: 4, average: 4.5),
      ])
    // Days 0, 12, 13, 17 with 8, 4, 9, 2.5: means 10.5 and 5.875,
    // -10.5 · 2.125 - 1.5 · 1.875 + 2.5 · 3.125 - 6.5 · 3.375 = -39.25, over 161.
    let trend = try #require(cravings.intensity.trendPerWeek)
    #expect(abs(trend - 7 * -39.25 / 161) < 1e-9)
    #expect(
      cravings.byWeekday == [
        Tally(value: .monday, count: 1), Tally(value: .tuesday, count: 1),
        Tally(value: .friday, count: 2), Tally(value: .sunday, count: 1),
      ])
  }

  @Test("Two days make a trend, one does not, and even days make an even one")
  func trend() throws {
    try craving(1, 4)
    try craving(1, 6)
    #expect(try statistics(.week).cravings.intensity.trendPerWeek == nil)
    try craving(3, 5)
    #expect(try statistics(.week).cravings.intensity.trendPerWeek == 0)
    try craving(3, 9)
    #expect(try statistics(.week).cravings.intensity.trendPerWeek == -7)
  }

  @Test("Triggers and kinds of place are counted, most frequent first, within the period")
  func breakdowns() throws {
    try craving(1, 5, [.sad, .bored], at: "Home")
    try craving(2, 5, [.sad, .angry], at: "52.52,13.405")
    try craving(3, 5, [.sad], at: "-33.9,18.4")
    try craving(4, 5, [.bored], at: "Car")
    try craving(5, 5)
    try craving(50, 5, [.hungry, .angry], at: "Work")
    let month = try statistics(.month).cravings
    #expect(month.byTrigger.map(\.value) == [.sad, .bored, .angry])
    #expect(month.byTrigger.map(\.count) == [3, 2, 1])
    #expect(month.byLocation.map(\.value) == [.coordinates, .car, .home])
    #expect(month.byLocation.map(\.count) == [2, 1, 1])
    let all = try statistics(.everything).cravings
    #expect(all.byTrigger.map(\.value) == [.sad, .angry, .bored, .hungry])
    #expect(all.byTrigger.map(\.count) == [3, 2, 2, 1])
    #expect(all.byLocation.map(\.value) == [.coordinates, .car, .home, .work])
  }

  @Test("The three most played recordings, and the ten that helped most, with their titles")
  func recordings() throws {
    let ids = try (1...12).map { try uuid($0) }
    let plays = [0, 7, 1, 7, 2] + Array(repeating: 0, count: 7)
    try library.insert(
      try ids.indices.map { index in
        try recording(
          id: ids[index], at: noon.addingTimeInterval(Double(index)),
          title: index == 0 ? nil : "No. \(index)", playCount: plays[index])
      })
    for (index, id) in ids.enumerated() {
      for _ in 0..<(index / 2) { try craving(1, 5, helpedBy: id) }
    }
    for _ in 0..<9 { try craving(8, 5, helpedBy: ids[0]) }
    let week = try statistics(.week)
    #expect(week.recordings == 12)
    #expect(week.mostPlayed.map(\.displayTitle) == ["No. 3", "No. 1", "No. 4"])
    #expect(week.mostPlayed.map(\.count) == [7, 7, 2])
    #expect(week.cravings.helpedBy.map(\.count) == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1])
    #expect(
      week.cravings.helpedBy.map(\.id) == [10, 11, 8, 9, 6, 7, 4, 5, 2, 3].map { ids[$0] })
    let month = try statistics(.month).cravings.helpedBy
    #expect((month.first?.count, month.count) == (9, 10))
    #expect(month.first?.displayTitle.contains("17 May 2024") == true)
  }

  @Test(
    "The longest stretch begins with a use or before the period, and ends with a use or now",
    arguments: [
      ([20, 12, 11.5], 11.5, 0), ([20, 12, 2], 12, 2), ([40, 9, 2], 30, 9), ([40], 30, 0),
      ([400, 40], 30, 0), ([10], 10, 0), ([20, 10], 10, 0), ([20, 10, -1], 10, 0), ([0], 0, 0),
      ([30.5, 30, 0.04], 30, 0.04), ([3.26, 1], 3.26, 1),
    ] as [([Double], Double, Double)])
  func stretches(uses: [Double], since: Double, until: Double) throws {
    for ago in uses { try use(ago) }
    let stretch = try #require(try statistics(.month).usage.longestStretch)
    #expect(abs(stretch.since.timeIntervalSince(days(since))) < 0.001)
    #expect(abs(stretch.until.timeIntervalSince(days(until))) < 0.001)
    #expect(stretch.days == ((since - until) * 10).rounded() / 10)
    let last = uses.filter { $0 >= 0 }.min() ?? 0
    #expect(try statistics(.week).usage.daysSinceLastUse == (last * 10).rounded() / 10)
  }

  @Test("Amounts are compared with the first period of the same length if the two do not overlap")
  func comparison() throws {
    try use(14, .bowls, 2.5)
    try use(13.9, .vape, 3)
    try use(7.01, .vape, 4)
    try use(7, .bowls, 1.5)
    try use(1, .bowls, 0.5)
    try use(0, .edible, 10)
    let week = try #require(try statistics(.week).usage.comparison)
    #expect(
      week
        == UsageComparison(
          firstSince: days(14), firstUntil: days(7), availableFrom: noon,
          methods: [
            MethodComparison(method: .bowls, amount: 2, firstAmount: 2.5),
            MethodComparison(method: .vape, amount: 0, firstAmount: 7),
            MethodComparison(method: .edible, amount: 10, firstAmount: 0),
          ]))
    let month = try #require(try statistics(.month).usage.comparison)
    #expect((month.firstUntil, month.availableFrom) == (days(-16), days(-46)))
    #expect(month.methods == nil)
    #expect(try statistics(.everything).usage.comparison == nil)
    #expect(
      try statistics(.week).usage.byMethod == [
        UsageSummary(method: .bowls, count: 2, amount: 2),
        UsageSummary(method: .edible, count: 1, amount: 10),
      ])
    // A millisecond earlier the periods still overlap.
    let earlier = try library.statistics(of: .week, now: noon.addingTimeInterval(-0.001))
    #expect(earlier.usage.comparison?.methods == nil)
    #expect(earlier.usage.comparison?.availableFrom == noon)
  }

  @Test("An impossible moment is an error, and does not trap")
  func impossibleMoment() throws {
    try sqlite3(
      library.catalogPath,
      """
      INSERT INTO craving (id, timestamp, timestampOffset, intensity, createdAt) VALUES
        ('\(try uuid(1).uuidString)', '9999-99-99 99:99:99.999', 0, 5, '2024-05-17 12:00:00.000')
      """)
    let error = #expect(throws: HoldfastError.self) {
      try library.statistics(of: .week, now: noon)
    }
    #expect(error?.code == .unreadableRow)
  }
}
