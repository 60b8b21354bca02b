import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Statistics", .temporaryFolder)
struct StatsTests {
  let library = LibraryFolder()

  private func jsonObject(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  @Test("With nothing logged, statistics are kind, and the exit status is 0")
  func empty() async throws {
    let result = try await library.holdfast("stats")
    #expect((result.status, result.errorOutput) == (0, ""))
    #expect(
      result.output == """
        The last 30 days: 0 cravings and 0 usage entries logged, 0 recordings kept.

        Time without
        No use is logged. If you log one, the time since then appears here.

        Recordings that helped
        Link a craving to the recording that helped, and it appears here.

        Cravings
        None in this period. If one comes, log it: this page then shows how strong it
        was, what brought it on, and where and when it came.

        Usage by method
        No use is logged. If you log one, its method and amount appear here.

        Amounts, now and in your first 30 days
        They appear here 60 days after the first logged use.

        Most played recordings
        Play a recording, and it appears here.

        """)
    let json = try await library.holdfast("stats", "--json", "--days", "all")
    var object = try #require(try jsonObject(json.output) as? [String: Any])
    #expect(object.removeValue(forKey: "until") is String)
    #expect(
      object as NSDictionary == [
        "recordings": 0, "mostPlayed": [Any](),
        "verification": ["unverified": 0, "faulty": 0],
        "cravings": [
          "count": 0, "byTrigger": [Any](), "byLocation": [Any](), "byHour": [Any](),
          "byWeekday": [Any](), "helpedBy": [Any](),
          "intensity": ["byDay": [Any](), "byWeek": [Any](), "byMonth": [Any]()],
        ] as [String: Any],
        "usage": ["count": 0, "byMethod": [Any]()] as [String: Any],
      ])
  }

  @Test("With --json a library's statistics are one document, the same in every locale")
  func json() async throws {
    try await library.importing("aac.m4a", options: ["--title", "Day one"])
    let id = try #require(try await library.column("SELECT id FROM recording").first)
    try await library.changeCatalog(
      """
      UPDATE recording SET playCount = 4;
      \(Entries.craving("2025-03-03 12:00:00.000", 4, ["Sad", "Bored"], "Home", helpedBy: id))
      \(Entries.craving("2025-03-03 13:30:00.000", 7, ["Sad"], "52.5,13.4", helpedBy: id))
      \(Entries.craving("2025-03-10 12:15:00.000", 3, []))
      \(Entries.usage("2025-03-01 08:00:00.000", "Bowls", 1.5))
      \(Entries.usage("2025-03-02 20:00:00.000", "Bowls", 2))
      """)
    let results = try await ["C", "de_DE.UTF-8"].asyncMap { locale in
      try await Command.output(
        of: Command.holdfast, library.command(["stats", "--json", "--days", "all"]),
        environment: ["TZ": "UTC", "LC_ALL": locale]
      ).output
    }
    for output in results {
      #expect(output.hasSuffix("}\n") && output.filter { $0 == "\n" }.count == 1)
      let object = try #require(try jsonObject(output).mutableCopy() as? NSMutableDictionary)
      let until = try #require(object["until"] as? String)
      object.removeObject(forKey: "until")
      let end = try #require(JSONFormat.date(until))
      // 2025-03-02 20:00 UTC.
      let days = (end.timeIntervalSince1970 - 1_740_945_600) / 86_400
      let rounded = (days * 10).rounded() / 10
      let point = { (day: String, count: Int, average: Double) -> NSDictionary in
        ["day": day, "count": count, "average": average]
      }
      let tally = { (value: NSObject, count: Int) -> NSDictionary in
        ["value": value, "count": count]
      }
      let recording: (Int) -> NSDictionary = { ["id": id, "displayTitle": "Day one", "count": $0] }
      let weeks = [point("2025-03-03", 2, 5.5), point("2025-03-10", 1, 3)]
      #expect(
        object == [
          "recordings": 1, "mostPlayed": [recording(4)],
          "verification": ["unverified": 1, "faulty": 0],
          "cravings": [
            "count": 3, "averageIntensity": 14.0 / 3,
            "intensity": [
              "byDay": weeks, "byWeek": weeks, "byMonth": [point("2025-03-01", 3, 14.0 / 3)],
              "trendPerWeek": -2.5,
            ] as [String: Any],
            "byTrigger": [tally("Sad" as NSString, 2), tally("Bored" as NSString, 1)],
            "byLocation": [tally("Coordinates" as NSString, 1), tally("Home" as NSString, 1)],
            "byHour": [tally(12 as NSNumber, 2), tally(13 as NSNumber, 1)],
            "byWeekday": [tally("Monday" as NSString, 3)], "helpedBy": [recording(2)],
          ] as [String: Any],
          "usage": [
            "count": 2, "lastUse": "2025-03-02T20:00:00.000Z", "lastUseOffset": 0,
            "daysSinceLastUse": rounded,
            "longestStretch": [
              "since": "2025-03-02T20:00:00.000Z", "until": until, "days": rounded,
            ] as [String: Any],
            "byMethod": [
              ["method": "Bowls", "count": 2, "amount": 3.5, "averageAmount": 1.75] as [String: Any]
            ],
          ] as [String: Any],
        ] as NSDictionary)
    }
  }

  @Test("With one craving and one use, statistics say what would make each figure appear")
  func one() async throws {
    try await library.importing("aac.m4a")
    let now = Date(), moment = Entries.moment(now.addingTimeInterval(-86_400))
    try await library.changeCatalog(
      Entries.craving(moment, 4, []) + Entries.usage(moment, "Vape", 1))
    let lines = try await library.holdfast("stats", "--days", "7").lines
    let comparable = now.addingTimeInterval(13 * 86_400).formatted(
      Date.VerbatimFormatStyle(
        format: "\(day: .defaultDigits) \(month: .wide)", locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    let comparison = lines.first { $0.hasPrefix("You can compare with your first 7 days from ") }
    #expect(comparison?.contains(comparable) == true, "\(lines)")
    for line in [
      "The last 7 days: 1 craving and 1 usage entry logged, 1 recording kept.",
      "1 day since your last use.",
      "That is your longest stretch in this period, and it goes on. Well done.",
      "Link a craving to the recording that helped, and it appears here.",
      "\(Entries.moment(now.addingTimeInterval(-86_400)).prefix(10))  4.0  ████████████████",
      "A trend needs cravings on more than one day.",
      "Name the triggers when you log a craving, and they appear here.",
      "Unknown  1  ████████████████████████████████████████",
      "Name the place when you log a craving, and it appears here.",
      "Vape  1 time, 1 pull  ████████████████████████████████████████",
      "Play a recording, and it appears here.",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(lines.count { $0.contains("00  ") } == 12)
  }

  @Test("Any other number of days is bad usage, and the error names the possible ones")
  func badDays() async throws {
    for days in ["14", "0", "-7", "All", "30d"] {
      let result = try await library.holdfast("stats", "--days=\(days)")
      #expect(result.status == 64)
      #expect(result.output.isEmpty)
      #expect(result.errorOutput.contains("'7', '30', '90' or 'all'"))
    }
  }
}

/// Rows for the sqlite3 program to insert.
enum Entries {
  private static let created = "'2025-01-01 00:00:00.000'"

  static func craving(
    _ timestamp: String, offset: Int = 0, _ intensity: Int, _ triggers: [String],
    _ location: String? = nil, helpedBy recording: String? = nil
  ) -> String {
    let id = UUID().uuidString
    let place = location.map { "'\($0)'" } ?? "NULL"
    let link = recording.map { "'\($0)'" } ?? "NULL"
    return """
      INSERT INTO craving
        (id, timestamp, timestampOffset, intensity, location, recordingId, createdAt)
        VALUES ('\(id)', '\(timestamp)', \(offset), \(intensity), \(place), \(link), \(created));\n
      """
        + triggers.map { "INSERT INTO cravingTrigger VALUES ('\($0)', '\(id)');\n" }.joined()
  }

  static func usage(_ timestamp: String, _ method: String, _ amount: Double) -> String {
    """
    INSERT INTO usage (id, timestamp, timestampOffset, method, amount, createdAt)
      VALUES ('\(UUID().uuidString)', '\(timestamp)', 0, '\(method)', \(amount), \(created));\n
    """
  }

  /// A moment as it is stored.
  static func moment(_ date: Date) -> String {
    JSONFormat.text(date).replacing("T", with: " ").replacing("Z", with: "")
  }
}

extension Sequence {
  /// One after the other.
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
