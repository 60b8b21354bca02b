import Foundation
import HoldfastTestSupport
import Testing

/// The whole text of the statistics at moments when a wrong word would hurt. Read each text as
/// someone who has just used.
@Suite("Statistics at delicate moments", .temporaryFolder)
struct StatsMomentTests {
  let library = LibraryFolder()

  /// An hour in seconds.
  private static let hour = 3600.0

  /// A logged entry, and its age in seconds.
  enum Entry: Sendable {
    case use(Double)
    case craving(Int, Double)

    var arguments: [String] {
      switch self {
      case .use(let age):
        [
          "usage", "log", "--method", "Joints", "--amount", "1", "--at",
          ago(age),
        ]
      case .craving(let intensity, let age):
        ["craving", "log", "--intensity", "\(intensity)", "--at", ago(age)]
      }
    }
  }

  /// A moment, and the parts of its text that differ from other moments.
  struct Moment: Sendable, CustomTestStringConvertible {
    var name: String
    var days = "30"
    var entries: [Entry]
    var summary: String
    var timeWithout: [String]
    /// The lines under "Cravings by place", with the heading and the lines on intensity before
    /// them.
    var cravings: (intensity: [String], places: [String])?
    var usage: [String]
    var amounts: [String]

    var testDescription: String { name }

    /// The whole text, after ``StatsMomentTests/masked(_:)``.
    var text: String {
      var sections = [
        [summary], ["Time without"] + timeWithout,
        [
          "Recordings that helped",
          "Link a craving to the recording that helped, and it appears here.",
        ],
      ]
      if let cravings {
        sections += [
          cravings.intensity,
          [
            "Cravings by trigger",
            "Name the triggers when you log a craving, and they appear here.",
          ],
          ["Cravings by place"] + cravings.places, ["Cravings by weekday", "…"],
          ["Cravings by hour", "…"],
        ]
      } else {
        sections.append([
          "Cravings",
          "None in this period. If one comes, log it: this page then shows how strong it",
          "was, what brought it on, and where and when it came.",
        ])
      }
      sections.append(["Usage by method"] + usage)
      if !amounts.isEmpty { sections.append(amounts) }
      sections.append(["Most played recordings", "Play a recording, and it appears here."])
      return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
  }

  private static func summary(_ period: String, _ cravings: String, _ usage: String) -> String {
    "\(period): \(cravings) and \(usage) logged, 0 recordings kept."
  }

  private static func bar(_ cells: Int) -> String { String(repeating: "█", count: cells) }

  private static let noUse = ["No use is logged. If you log one, the time since then appears here."]
  private static let noMethod = [
    "No use is logged. If you log one, its method and amount appear here."
  ]
  private static let kindWord =
    "If this is a hard moment, holdfast message next has a kind word for you."

  private static func joints(_ count: String) -> [String] { ["Joints  \(count)  \(bar(40))"] }

  private static func unknown(_ count: Int) -> [String] {
    [
      "Unknown  \(count)  \(bar(40))",
      "Name the place when you log a craving, and it appears here.",
    ]
  }

  private static func intensity(_ average: String, _ days: [Int], _ trend: String) -> [String] {
    ["Intensity: \(average) of 10 on average; by day"]
      + days.map { "DAY  \($0).0  \(bar($0 * 4))" } + [trend]
  }

  private static func amounts(_ days: Int, _ line: String) -> [String] {
    ["Amounts, now and in your first \(days) days", line]
  }

  private static func later(_ days: Int) -> String {
    "You can compare with your first \(days) days from DAY."
  }
  private static let afterFirst = amounts(
    30, "They appear here 60 days after the first logged use.")
  /// A use, forty days without, and a use a minute ago.
  private static let slip: [Entry] = [.use(40 * day), .use(60)]

  static let moments = [
    Moment(
      name: "nothing", entries: [],
      summary: summary("The last 30 days", "0 cravings", "0 usage entries"), timeWithout: noUse,
      usage: noMethod, amounts: afterFirst),
    Moment(
      name: "a craving a minute ago, and nothing else", entries: [.craving(10, 60)],
      summary: summary("The last 30 days", "1 craving", "0 usage entries"), timeWithout: noUse,
      cravings: (
        [
          "Intensity: 10.0 of 10 on average; by day", "DAY  10.0  \(bar(40))",
          "A trend needs cravings on more than one day.",
        ], unknown(1)
      ), usage: noMethod, amounts: afterFirst),
    Moment(
      name: "the first use, a minute ago", entries: [.use(60)],
      summary: summary("The last 30 days", "0 cravings", "1 usage entry"),
      timeWithout: ["Less than an hour since your last use.", kindWord],
      usage: joints("1 time, 1 joint"), amounts: []),
    Moment(
      name: "a use a minute ago, after a long stretch", days: "90", entries: slip,
      summary: summary("The last 90 days", "0 cravings", "2 usage entries"),
      timeWithout: [
        "Less than an hour since your last use.", kindWord,
        "In this period you went 40 days without using. Those days still count.",
      ], usage: joints("2 times, 2 joints"), amounts: []),
    Moment(
      name: "a use a minute ago, after a stretch that is longer than the period", entries: slip,
      summary: summary("The last 30 days", "0 cravings", "1 usage entry"),
      timeWithout: [
        "Less than an hour since your last use.", kindWord,
        "You went at least 30 days without using. Those days still count.",
      ], usage: joints("1 time, 1 joint"), amounts: []),
    Moment(
      name: "a use a minute ago, in everything so far", days: "all", entries: slip,
      summary: summary("Everything so far", "0 cravings", "2 usage entries"),
      timeWithout: [
        "Less than an hour since your last use.", kindWord,
        "You once went 40 days without using. Those days still count.",
      ], usage: joints("2 times, 2 joints"), amounts: []),
    Moment(
      name: "several hours after a use", entries: [.use(10 * hour), .use(5.5 * hour)],
      summary: summary("The last 30 days", "0 cravings", "2 usage entries"),
      timeWithout: ["5 hours since your last use.", kindWord], usage: joints("2 times, 2 joints"),
      amounts: []),
    Moment(
      name: "the second day after a long stretch", days: "90",
      entries: [.use(42 * day), .use(2 * day)],
      summary: summary("The last 90 days", "0 cravings", "2 usage entries"),
      timeWithout: [
        "2 days since your last use.",
        "Longest stretch in this period: 40 days, from DAY to DAY.",
      ], usage: joints("2 times, 2 joints"), amounts: amounts(90, later(90))),
    Moment(
      name: "a longest stretch that goes on", days: "90",
      entries: [.use(40 * day), .use(35 * day)],
      summary: summary("The last 90 days", "0 cravings", "2 usage entries"),
      timeWithout: [
        "35 days since your last use.",
        "That is your longest stretch in this period, and it goes on. Well done.",
      ], usage: joints("2 times, 2 joints"), amounts: amounts(90, later(90))),
    Moment(
      name: "a period without use", entries: [.use(40 * day)],
      summary: summary("The last 30 days", "0 cravings", "0 usage entries"),
      timeWithout: [
        "40 days since your last use.",
        "You have used nothing in these 30 days, and it goes on. Well done.",
      ], usage: ["None in this period."], amounts: amounts(30, later(30))),
    Moment(
      name: "cravings that get lighter, and no use",
      entries: [.craving(9, 2 * day), .craving(6, day), .craving(3, 60)],
      summary: summary("The last 30 days", "3 cravings", "0 usage entries"), timeWithout: noUse,
      cravings: (
        intensity("6.0", [9, 6, 3], "Cravings are easing, by about 6 points over 3 days."),
        unknown(3)
      ), usage: noMethod, amounts: afterFirst),
    Moment(
      name: "cravings that get lighter, and a use a minute ago",
      entries: [.craving(9, 2 * day), .craving(6, day), .craving(3, 120), .use(60)],
      summary: summary("The last 30 days", "3 cravings", "1 usage entry"),
      timeWithout: ["Less than an hour since your last use.", kindWord],
      cravings: (
        intensity("6.0", [9, 6, 3], "Intensity went down by about 6 points over 3 days."),
        unknown(3)
      ),
      usage: joints("1 time, 1 joint"), amounts: []),
    Moment(
      name: "cravings that get stronger",
      entries: [.craving(3, 2 * day), .craving(6, day), .craving(9, 60)],
      summary: summary("The last 30 days", "3 cravings", "0 usage entries"), timeWithout: noUse,
      cravings: (
        intensity("6.0", [3, 6, 9], "Intensity went up by about 6 points over 3 days."), unknown(3)
      ),
      usage: noMethod, amounts: afterFirst),
    Moment(
      name: "a hard day, although a line through the days falls",
      entries: [.craving(9, 3 * day), .craving(6, 2 * day), .craving(5, day), .craving(8, 60)],
      summary: summary("The last 30 days", "4 cravings", "0 usage entries"), timeWithout: noUse,
      cravings: (
        intensity("7.0", [9, 6, 5, 8], "Intensity went down by about 1 point over 4 days."),
        unknown(4)
      ),
      usage: noMethod, amounts: afterFirst),
    Moment(
      name: "everything in one hour",
      entries: [
        .craving(7, 50 * 60), .use(45 * 60), .use(30 * 60), .craving(9, 10 * 60), .use(5 * 60),
      ], summary: summary("The last 30 days", "2 cravings", "3 usage entries"),
      timeWithout: ["Less than an hour since your last use.", kindWord],
      cravings: (
        intensity("8.0", [8], "A trend needs cravings on more than one day."), unknown(2)
      ), usage: joints("3 times, 3 joints"), amounts: []),
    Moment(
      name: "less than at first, and a use a minute ago", days: "7",
      entries: [.use(30 * day), .use(29 * day), .use(28 * day), .use(60)],
      summary: summary("The last 7 days", "0 cravings", "1 usage entry"),
      timeWithout: [
        "Less than an hour since your last use.", kindWord,
        "You went at least 7 days without using. Those days still count.",
      ], usage: joints("1 time, 1 joint"),
      amounts: [
        "Amounts, now and in your first 7 days, from DAY",
        "Joints  now     1 joint  \(bar(13))▍", "        first  3 joints  \(bar(40))",
        "2 joints less than in your first 7 days. You made that happen.",
      ]),
    Moment(
      name: "more than at first, and a use a minute ago", days: "7",
      entries: [.use(30 * day), .use(2 * hour), .use(60)],
      summary: summary("The last 7 days", "0 cravings", "2 usage entries"),
      timeWithout: [
        "Less than an hour since your last use.", kindWord,
        "You went at least 6 days without using. Those days still count.",
      ], usage: joints("2 times, 2 joints"),
      amounts: [
        "Amounts, now and in your first 7 days, from DAY",
        "Joints  now    2 joints  \(bar(40))", "        first   1 joint  \(bar(20))",
      ]),
  ]

  /// The text with days as DAY, and without the charts by weekday and hour, which have no
  /// sentences.
  private func masked(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let last = lines.last ?? ""
      if line.isEmpty || !["Cravings by weekday", "Cravings by hour", "…"].contains(last) {
        lines.append(
          String(line).replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}/#, with: "DAY")
            .replacing(#/[0-9]{1,2} [A-Z][a-z]{2,8}( [0-9]{4})?(?=[.,]| to|$)/#, with: "DAY"))
      } else if last != "…" {
        lines.append("…")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test("The whole text is kind", arguments: Extent.sample(moments, every: 3))
  func text(moment: Moment) async throws {
    func run(_ arguments: [String]) async throws -> String {
      try await Command.output(of: Command.holdfast, library.command(arguments)).output
    }
    for entry in moment.entries { _ = try await run(entry.arguments) }
    let text = try await run(["stats", "--days", moment.days])
    #expect(masked(text) == moment.text)
    // Words that someone who has just used should not read.
    for word in [
      "fail", "relapse", "slip", "broke", "streak", "worse", "bad ", "only", "lost",
      "unfortunately",
      "ended", "reset", " 0.0", " 0 hours", "\n0.0", "\n0 hours", "your doing",
    ] {
      #expect(!text.lowercased().contains(word), "\(word)")
    }
  }
}
