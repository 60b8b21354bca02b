import Foundation
import HoldfastConsole
@testable import HoldfastCravings
@testable import HoldfastCravingsCommands
import HoldfastModel
import Testing

@Suite("Statistics in words and bars")
struct StatsTextTests {
  /// 2025-10-20 12:00 UTC: the same day nearly everywhere.
  private let now = Date(timeIntervalSince1970: 1_760_961_600)

  private func days(_ days: Double) -> Date { now.addingTimeInterval(-days * 86_400) }

  private func tally(_ title: String, _ count: Int) throws -> RecordingTally {
    RecordingTally(
      id: try #require(UUID(uuidString: "0F2D6FAB-0000-4000-8000-000000000001")),
      displayTitle: title, count: count)
  }

  private func sample() throws -> Statistics {
    Statistics(
      days: 90, since: days(90), until: now, recordings: 12,
      mostPlayed: [
        try tally("Why I stopped, and what it was like: a long talk with myself in the car", 14),
        try tally(
          "\u{1F3D4}\u{FE0F} \u{1F468}\u{200D}\u{1F467} 한국어 제목은 칸을 두 배로 차지합니다 그리고 아주 길어요", 7),
        try tally("שלושים יום\u{202E}\u{1B}[31m", 1),
      ],
      verification: VerificationState(oldest: days(11.5), unverified: 0, faulty: 2),
      cravings: CravingStatistics(
        count: 9, averageIntensity: 5.25,
        intensity: IntensityHistory(
          byDay: [
            IntensityPoint(day: "2025-10-01", count: 5, average: 7),
            IntensityPoint(day: "2025-10-15", count: 4, average: 5.3),
          ],
          byWeek: [
            IntensityPoint(day: "2025-09-29", count: 5, average: 7),
            IntensityPoint(day: "2025-10-13", count: 4, average: 5.3),
          ], trendPerWeek: -0.9),
        byTrigger: [Tally(value: .paraphernalia, count: 5), Tally(value: .sad, count: 1)],
        byLocation: [Tally(value: .coordinates, count: 3), Tally(value: .home, count: 1)],
        byHour: [Tally(value: 0, count: 1), Tally(value: 15, count: 8)],
        byWeekday: [Tally(value: .monday, count: 8), Tally(value: .sunday, count: 1)],
        helpedBy: [try tally("Day one", 3)]),
      usage: UsageStatistics(
        count: 3, lastUse: days(12.3), lastUseOffset: 0, daysSinceLastUse: 12.3,
        longestStretch: Stretch(since: days(60), until: days(20), days: 40),
        byMethod: [
          UsageSummary(method: .bowls, count: 2, amount: 2.5),
          UsageSummary(method: .edible, count: 1, amount: 10),
        ],
        comparison: UsageComparison(
          firstSince: days(300), firstUntil: days(210), availableFrom: days(120),
          methods: [
            MethodComparison(method: .bowls, amount: 2.5, firstAmount: 10),
            MethodComparison(method: .edible, amount: 10, firstAmount: 5),
            MethodComparison(method: .dab, amount: 0, firstAmount: 3),
          ])))
  }

  @Test("A period reads like this, in 80 columns")
  func whole() throws {
    let faults = "2 recordings are known to be missing or damaged"
    let lines = StatsText(try sample(), faults: faults).lines
    #expect(lines.joined(separator: "\n") == Self.text)
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  private static let text = """
    The last 90 days: 9 cravings and 3 usage entries logged, 12 recordings kept.

    Time without
    12 days since your last use.
    Longest stretch in this period: 40 days, from 21 August to 30 September.

    Recordings that helped
    0F2D6FAB  3  ████████████████  Day one

    Intensity: 5.2 of 10 on average; by week, from its Monday
    2025-09-29  7.0  ████████████████████████████
    2025-10-13  5.3  █████████████████████▎
    Cravings are easing, by about 1 point a week.

    Cravings by trigger
    Paraphernalia  5  ████████████████████████████████████████
    Sad            1  ████████

    Cravings by place
    Current Location  3  ████████████████████████
    Home              1  ████████
    Unknown           5  ████████████████████████████████████████

    Cravings by weekday
    Monday     8  ████████████████████████████████████████
    Tuesday    0
    Wednesday  0
    Thursday   0
    Friday     0
    Saturday   0
    Sunday     1  █████

    Cravings by hour
    00:00  1  ███▌                            12:00  0
    01:00  0                                  13:00  0
    02:00  0                                  14:00  0
    03:00  0                                  15:00  8  ████████████████████████████
    04:00  0                                  16:00  0
    05:00  0                                  17:00  0
    06:00  0                                  18:00  0
    07:00  0                                  19:00  0
    08:00  0                                  20:00  0
    09:00  0                                  21:00  0
    10:00  0                                  22:00  0
    11:00  0                                  23:00  0

    Usage by method
    Bowls   2 times, 2.5 bowls  ████████████████████████████████████████
    Edible       1 time, 10 mg  ████████████████████

    Amounts, now and in your first 90 days, from 24 December 2024
    Bowls   now    2.5 bowls  ██████████
            first   10 bowls  ████████████████████████████████████████
    Edible  now        10 mg  ████████████████████████████████████████
            first       5 mg  ████████████████████
    Dab     now       0 dabs
            first     3 dabs  ████████████████████████████████████████
    7.5 bowls and 3 dabs less than in your first 90 days. You made that happen.

    Most played recordings
    0F2D6FAB  14  ████████████████  Why I stopped, and what it was like: a long tal…
    0F2D6FAB   7  ████████          🏔️ 👨‍👧 한국어 제목은 칸을 두 배로 차지합니다 …
    0F2D6FAB   1  █▏                שלושים יום\\u{202E}\\u{1B}[31m

    The recordings' files
    2 recordings are known to be missing or damaged; holdfast verify shows which.
    Every byte of the others was verified within the last 12 days.
    """

  @Test(
    "A falling trend is praised, a rising one only stated, and neither is extrapolated",
    arguments: [
      (nil, 1, "A trend needs cravings on more than one day."),
      (-0.9, 15, "Cravings are easing, by about 1 point a week."),
      (0.9, 15, "Intensity went up by about 1 point a week."),
      (0.3, 15, "Intensity went up a little each week."),
      (0.04, 15, "Intensity stays about the same."),
      (35, 2, "Intensity went up by about 5 points over 2 days."),
      (-7, 4, "Cravings are easing, by about 3 points over 4 days."),
    ] as [(Double?, Int, String)])
  func trend(perWeek: Double?, lastDay: Int, sentence: String) throws {
    var statistics = try sample()
    statistics.cravings.intensity.byDay = Set([1, lastDay]).sorted().map {
      IntensityPoint(day: "2025-10-\($0 < 10 ? "0" : "")\($0)", count: 1, average: 5)
    }
    statistics.cravings.intensity.trendPerWeek = perWeek
    #expect(StatsText(statistics).lines.contains(sentence))
  }

  @Test("Time without use is stated as it is, and praised while it lasts")
  func timeWithout() throws {
    var statistics = try sample()
    func lines(since: Date, _ days: Double) -> [String] {
      statistics.usage.longestStretch = Stretch(since: since, until: now, days: days)
      statistics.usage.lastUse = now.addingTimeInterval(-days * 86_400)
      statistics.usage.daysSinceLastUse = days
      let lines = StatsText(statistics).lines.drop { $0 != "Time without" }
      return Array(lines.dropFirst().prefix(2))
    }
    #expect(
      lines(since: days(0.4), 0.4) == [
        "9 hours since your last use.",
        "If this is a hard moment, holdfast message next has a kind word for you.",
      ])
    #expect(
      lines(since: days(1), 1) == [
        "1 day since your last use.",
        "That is your longest stretch in this period, and it goes on. Well done.",
      ])
    #expect(
      lines(since: days(90), 90) == [
        "90 days since your last use.",
        "You have used nothing in these 90 days, and it goes on. Well done.",
      ])
  }

  @Test("None of its words blame")
  func kind() throws {
    let text = StatsText(try sample()).lines.joined(separator: " ").lowercased()
    for word in ["fail", "relapse", "broke", "streak", "worse", "bad", "only", "lost"] {
      #expect(!text.contains(word))
    }
  }

  @Test("An amount that has grown is shown in the chart, without a sentence")
  func more() throws {
    var statistics = try sample()
    statistics.usage.comparison?.methods = [
      MethodComparison(method: .vape, amount: 4, firstAmount: 2)
    ]
    let lines = StatsText(statistics).lines
    #expect(lines.contains("Vape  now    4 pulls  ████████████████████████████████████████"))
    #expect(lines.contains("      first  2 pulls  ████████████████████"))
    #expect(!lines.contains { $0.contains("Less than") })
  }

  @Test("Large numbers and many bars stay within 80 columns")
  func wide() throws {
    var statistics = try sample()
    statistics.days = nil
    statistics.recordings = 100_000_000
    statistics.cravings.count = 1_000_000_000
    statistics.usage.count = 1_000_000_000
    statistics.cravings.byHour = (0..<24).map { Tally(value: $0, count: 123_456_789) }
    statistics.cravings.intensity.byMonth = (0..<120).map {
      IntensityPoint(
        day: String(format: "%04d-%02d-01", 2015 + $0 / 12, $0 % 12 + 1), count: 1, average: 10)
    }
    statistics.usage.byMethod = [UsageSummary(method: .edible, count: 123_456_789, amount: 1e12)]
    let lines = StatsText(statistics).lines
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
    #expect(lines.contains { $0.hasPrefix("2023-01") && $0.contains("2024-01") })
    #expect(!lines.contains { $0.hasPrefix("2022-12") })
  }

  @Test(
    "Bars are drawn in eighths of a cell, and any value above 0 is visible",
    arguments: [
      (0, ""), (0.001, "▏"), (1, "▎"), (2, "▌"), (3, "▊"), (4, "█"), (5, "█▎"), (7.5, "█▉"),
      (8, "██"), (9, "██"), (-1, ""),
    ] as [(Double, String)])
  func blocks(value: Double, bar: String) {
    #expect(BarChart.blocks(value, of: 8, width: 2) == bar)
  }
}
