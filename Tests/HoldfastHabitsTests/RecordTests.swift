import Foundation
import Holdfast
import HoldfastCravings
import HoldfastHabits
import HoldfastTestSupport
import Testing

@Suite("Habits: records, rules and links", .temporaryFolder)
struct RecordTests {
  /// A library with a habit, a day with two moments, a reminder, 50 XP and an achievement.
  private func filled(_ name: String = "library") throws -> (library: Library, habit: Habit) {
    let library = try openTracker(name)
    var swim = habit("Swimming", on: .specificWeekdays([.friday, .monday]))
    swim.habitDescription = "in the lake"
    try library.habits.add(swim, clock: clock(0))
    try library.habits.complete(swim.id, times: 2, clock: clock(0))
    try library.habits.rate(swim.id, difficulty: 4, on: day(0), clock: clock(0))
    try library.habits.add(
      HabitReminder(
        habitID: swim.id, time: TimeOfDay("7:05"), notificationIdentifier: "bell",
        createdAt: clock(0).now))
    return (library, swim)
  }

  /// The change of columns in SQL, and the same in the model.
  private struct Change {
    var sql: String
    var isAllowed: Bool
    var change: @Sendable (inout Habit) -> Void

    init(_ sql: String, _ isAllowed: Bool, _ change: @escaping @Sendable (inout Habit) -> Void) {
      self.sql = sql
      self.isAllowed = isAllowed
      self.change = change
    }
  }

  private static let changes: [Change] = [
    Change("goalCount = 0", false) { $0.goalCount = 0 },
    Change("goalCount = 1000000001", false) { $0.goalCount = 1_000_000_001 },
    Change("goalCount = 1000000000", true) { $0.goalCount = 1_000_000_000 },
    Change("goalUnit = ' '", false) { $0.goalUnit = " " },
    Change("name = char(9)", false) { $0.name = "\t" },
    Change("endDay = '2025-10-05'", false) { $0.endDay = day(-1) },
    Change("endDay = '2025-10-06'", true) { $0.endDay = day(0) },
    Change("startDay = '1899-12-31'", false) { $0.startDay = date("1899-12-31") },
    Change("startDay = '1900-01-01'", true) { $0.startDay = date("1900-01-01") },
    Change("habitType = 'breaking'", false) { $0.habitType = .breaking },
    Change("habitType = 'breaking', baselineCount = 1", false) {
      $0.habitType = .breaking
      $0.baselineCount = 1
    },
    Change("habitType = 'breaking', baselineCount = 2", true) {
      $0.habitType = .breaking
      $0.baselineCount = 2
    },
    Change("baselineCount = 9", false) { $0.baselineCount = 9 },
    Change("scheduleType = 'everyNDays', scheduleCount = 0", false) {
      $0.schedule = .everyNDays(0)
    },
    Change("scheduleType = 'everyNDays', scheduleCount = 365", true) {
      $0.schedule = .everyNDays(365)
    },
    Change("scheduleType = 'everyNDays', scheduleCount = 366", false) {
      $0.schedule = .everyNDays(366)
    },
    Change("scheduleType = 'frequencyWeekly', scheduleCount = 8", false) {
      $0.schedule = .frequencyWeekly(8)
    },
    Change("scheduleType = 'frequencyMonthly', scheduleCount = 32", false) {
      $0.schedule = .frequencyMonthly(32)
    },
    Change("scheduleType = 'frequencyMonthly', scheduleCount = 31", true) {
      $0.schedule = .frequencyMonthly(31)
    },
  ]

  @Test("12, 15: The model and the schema agree on every rule of a habit")
  func rules() async throws {
    let library = try openTracker()
    let read = habit()
    try library.habits.add(read, clock: clock(0))
    for rule in Self.changes {
      var changed = read
      rule.change(&changed)
      let sql = "BEGIN; UPDATE habit SET \(rule.sql); ROLLBACK"
      if rule.isAllowed {
        try changed.validate()
        _ = try await sqlite(sql)
      } else {
        #expect(throws: RuleError.self, "\(rule.sql)") { try changed.validate() }
        #expect(throws: HoldfastError.self, "\(rule.sql)") {
          try library.habits.edit(read.id, clock: clock(0), rule.change)
        }
        #expect(try await sqliteRefuses(sql), "\(rule.sql)")
      }
    }
    #expect(try library.habits.habits() == [read])
  }

  @Test("11, 12: The schema refuses further invalid rows")
  func schema() async throws {
    let (_, swim) = try filled()
    for sql in [
      "INSERT INTO habitDay SELECT upper(hex(randomblob(4))) || substr(id, 9), habitId, day, "
        + "progressCount, goalCount, difficulty, recordingId, createdAt, modifiedAt FROM habitDay",
      "UPDATE habitDay SET progressCount = -1", "UPDATE habitDay SET goalCount = 0",
      "UPDATE habitDay SET difficulty = 0", "UPDATE habitDay SET difficulty = 6",
      "UPDATE habitDay SET day = '2025-02-30'", "UPDATE habitDay SET habitId = NULL",
      "UPDATE habit SET color = '#0000ffff'", "UPDATE habit SET color = '#0000FF'",
      "UPDATE habit SET scheduleCount = 3", "UPDATE habit SET habitType = 'Habit Building'",
      "UPDATE habit SET scheduleType = 'hourly'", "UPDATE habit SET scheduleType = 'everyNDays'",
      "UPDATE habitWeekday SET weekday = 'tuesdays'", "UPDATE habitReminder SET time = '24:00'",
      "UPDATE habitReminder SET time = '7:05'", "UPDATE habitReminder SET time = '23:60'",
      "UPDATE habitReminder SET isActive = 2", "UPDATE xpTransaction SET amount = 0",
      "UPDATE xpTransaction SET reason = ''", "UPDATE achievement SET achievementId = 'First'",
      "UPDATE achievement SET xpAwarded = -1",
      "INSERT INTO achievement SELECT upper(hex(randomblob(4))) || substr(id, 9), userId, "
        + "achievementId, title, text, unlockedAt, 0, NULL, NULL FROM achievement",
      "UPDATE habitAction SET timestampOffset = 1440",
    ] { #expect(try await sqliteRefuses(sql), "\(sql)") }
    #expect(try await sqlite("SELECT count(*) FROM habitDay WHERE habitId = '\(swim.id)'") == "1")
    for text in ["0000FF", "#00F", "#0000FG", "#0000FFFFF", ""] {
      #expect(throws: RuleError.self) { try HabitColor(text) }
    }
    #expect(try HabitColor("#0a0b0c").description == "#0A0B0CFF")
    #expect(try HabitColor(red: 0, green: 0.5, blue: 1, alpha: 1).description == "#0080FFFF")
    #expect(throws: RuleError.self) { try HabitColor(red: 2, green: 0, blue: 0, alpha: 0) }
    for text in ["24:00", "7:5", "07:60", "noon"] {
      #expect(throws: RuleError.self) { try TimeOfDay(text) }
    }
    for number in [0, 6] {
      #expect(throws: RuleError.self) { try HabitDay.validate(difficulty: number) }
    }
    var record = HabitDay(habitID: UUID(), day: day(0), goalCount: 1, createdAt: clock(0).now)
    record.setDifficulty(9)
    #expect(record.difficulty == 5)
    record.setDifficulty(0)
    #expect(record.difficulty == 1)
  }

  @Test("15: An unreadable habit is named, and does not count as a daily one")
  func unreadable() async throws {
    let (library, swim) = try filled()
    _ = try await sqlite("UPDATE habit SET scheduleType = 'daily'")
    let error = #expect(throws: HoldfastError.self) { try library.habits.habits() }
    #expect(error?.description.contains(swim.id.uuidString) == true, "\(error as Any)")
    #expect(throws: HoldfastError.self) { try library.habits.streak(on: day(0)) }
    _ = try await sqlite(
      """
      UPDATE habit SET scheduleType = 'specificWeekdays';
      PRAGMA ignore_check_constraints = 1; UPDATE habitDay SET day = '2025-1-45-99-1'
      """)
    let damaged = #expect(throws: HoldfastError.self) { try library.habits.streak(on: day(0)) }
    #expect(damaged?.description.contains(swim.id.uuidString) == true, "\(damaged as Any)")
  }

  @Test("15: Deleting a habit deletes its days, moments, weekdays and reminders, but no XP")
  func deleting() async throws {
    let (library, swim) = try filled()
    let other = habit("Reading")
    try library.habits.add(other, clock: clock(0))
    try library.habits.delete(swim.id)
    for table in ["habitDay", "habitAction", "habitWeekday", "habitReminder"] {
      #expect(try await sqlite("SELECT count(*) FROM \(table)") == "0", "\(table)")
    }
    #expect(try library.habits.habits() == [other])
    #expect(try library.habits.achievements().count == 1)
    #expect(throws: HoldfastError.self) { try library.habits.delete(swim.id) }
  }

  @Test("18: An export, an erasure and an import give the same document")
  func roundTrip() throws {
    let (library, swim) = try filled()
    func document() throws -> String {
      var data = Data()
      try library.exportDocument { data += $0 }
      return String(decoding: data, as: UTF8.self)
    }
    let before = try document()
    for text in [
      #""weekdays":["monday","friday"]"#, #""time":"07:05""#, #""progressCount":2"#,
      #""amount":50"#, #""achievementId":"first_habit""#, #""timestampOffset":0"#,
    ] { #expect(before.contains(text), "\(text)") }
    let folder = TemporaryFolder.current
    try library.exportDocument(toFile: "\(folder)/export.json")
    try library.exportTables(toFolder: "\(folder)/tables")
    #expect(
      try String(contentsOfFile: "\(folder)/tables/habits.csv", encoding: .utf8)
        .contains("specificWeekdays,,monday; friday,"))
    try library.eraseEverything()
    #expect(try library.habits.habits(of: nil).isEmpty && library.habits.days().isEmpty)
    #expect(try library.habits.level().totalXP == 0)
    let file = try Data(contentsOf: URL(filePath: "\(folder)/library/catalog.sqlite"))
    for word in ["Swimming", "the lake", "bell", "complete day", "A first step", "2025-10-06"] {
      #expect(file.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let read = try ExportDocument(
      contentsOf: "\(folder)/export.json", journals: [.cravings, .habits])
    let report = try library.importData(read)
    #expect(report.items.isEmpty)
    #expect(try document() == before)
    #expect(try library.importData(read).changes.isEmpty)
    #expect(try library.habits.streak(on: day(0)).figures == [1, 1, 1])
    #expect(try library.habits.habit("SWIMMING").id == swim.id)
  }

  @Test(
    "Two libraries that were edited apart become the same, whichever way they are merged",
    arguments: (0..<UInt64(Extent.choose(sample: 4, whole: 70))).map { Extent.seed &+ $0 })
  func bothWays(seed: UInt64) async throws {
    try await MergedJournals(try filled().library, .habits, derived: ["xpTransactions"])
      .expectAlike(seed: seed)
  }

  @Test("Two computers that complete the same day have it, and its XP, once")
  func merging() throws {
    let (library, swim) = try filled()
    let other = try openTracker("other")
    try other.habits.add(swim, clock: clock(0))
    try other.habits.complete(swim.id, clock: clock(0))
    var data = Data()
    try other.exportDocument { data += $0 }
    let report = try library.importData(ExportDocument(json: data, journals: [.cravings, .habits]))
    #expect(report.items.isEmpty)
    #expect(try library.habits.level().totalXP == 50 && library.habits.days().count == 1)
  }

  @Test("An import refuses a day of an unknown habit, and notes a day in the future")
  func hostileDocument() throws {
    let (library, _) = try filled()
    var data = Data()
    try library.exportDocument { data += $0 }
    var text = String(decoding: data, as: UTF8.self)
    text = text.replacing(
      #""day":"2025-10-06","difficulty""#, with: #""day":"9999-12-31","difficulty""#)
    let other = try openTracker("other")
    let report = try other.importData(
      ExportDocument(json: Data(text.utf8), journals: [.cravings, .habits]), now: clock(1).now)
    #expect(report.items.isEmpty && report.remarks.count == 1)
    #expect(try other.habits.days().count == 1)
    var document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    document["habits"] = [Any]()
    let third = try openTracker("third")
    let bare = try third.importData(
      ExportDocument(
        json: JSONSerialization.data(withJSONObject: document), journals: [.cravings, .habits]))
    #expect(bare.items.count == 2)
    #expect(try third.habits.days().isEmpty)
  }

  @Test("A habit is found by its name in any case, or by its ID")
  func names() throws {
    let library = try openTracker()
    let (a, b, twin) = (habit("Café"), habit("Deed"), habit("deed"))
    for habit in [a, b] { try library.habits.add(habit, clock: clock(0)) }
    #expect(try library.habits.habit("cafe").id == a.id && library.habits.habit("DEED").id == b.id)
    #expect(try library.habits.habit(String(a.id.uuidString.prefix(8))).id == a.id)
    try library.habits.add(twin, clock: clock(0))
    for text in ["deed", "tea", "ZZZZ", ""] {
      #expect(throws: HoldfastError.self) { try library.habits.habit(text) }
    }
  }

  @Test("The list of a day has the habits that appear on it")
  func lists() throws {
    let library = try openTracker()
    let habits = [
      habit("a"), habit("b", on: .everyNDays(3)), habit("c", on: .specificWeekdays([.tuesday])),
      habit("d", on: .frequencyWeekly(2)), habit("e", through: day(1)), habit("f", from: day(2)),
    ]
    for habit in habits { try library.habits.add(habit, clock: clock(0)) }
    for number in -1...8 {
      let listed = try library.habits.habits(on: day(number)).map(\.name).sorted()
      let appearing = habits.filter {
        HabitHistory($0, completeDays: [Day]()).appears(on: day(number))
      }.map(\.name)
      #expect(listed == appearing, "\(number)")
    }
    #expect(try library.habits.habits(limit: 2, offset: 4).count == 2)
    let overview = try library.habits.overview(on: day(0))
    #expect(overview.habits.map(\.habit.name).sorted() == ["a", "b", "d", "e"])
    #expect(overview.figures.rate == 0 && overview.loggedRate == nil)
    #expect(overview.figures.required == 3)
  }

  @Test("14: The rates of habits, of a week and of a period come from the same days")
  func rates() throws {
    let library = try openTracker()
    let (read, swim) = (habit(), habit("Swim", on: .frequencyWeekly(2)))
    for habit in [read, swim] { try library.habits.add(habit, clock: clock(0)) }
    for number in [0, 1] { try library.habits.complete(read.id, on: day(number), clock: clock(3)) }
    try library.habits.complete(swim.id, on: day(1), clock: clock(3))
    let rates = try library.habits.rates(through: day(3))
    let reading = try #require(rates.first { $0.name == "Read" })
    #expect((reading.complete, reading.due) == (2, 3) && reading.loggedRate == 1)
    #expect(try library.habits.rates(through: day(4)).filter { $0.isStruggling() }.isEmpty)
    #expect(
      try library.habits.rates(through: day(5)).filter { $0.isStruggling() }.map(\.name) == ["Read"]
    )
    let week = try library.habits.week(with: day(3), today: day(3))
    #expect(week.map(\.figures.complete) == [1, 2, 0, 0, 0, 0, 0])
    #expect(
      week.map(\.logged) == [1, 2, 0, 0, 0, 0, 0] && week.map(\.isAhead)[3...4] == [false, true])
    let statistics = try library.habits.statistics(over: .everything, today: day(3))
    #expect((statistics.completeDays, statistics.dueDays) == (2, 3) && statistics.rate == 0.75)
    #expect(try library.habits.statistics(over: .week, of: "Ada", today: day(3)).dueDays == 0)
  }

  @Test("The lists come from indexes, and the complete days from one that covers them")
  func plans() async throws {
    _ = try filled()
    for (sql, index) in [
      ("SELECT * FROM habit WHERE userId = 'me' ORDER BY startDay, id", "habit_user"),
      ("SELECT * FROM habitDay ORDER BY day DESC, habitId DESC LIMIT 20", "habitDay_day"),
      (
        "SELECT * FROM habitDay WHERE habitId = 'x' ORDER BY day DESC, habitId DESC LIMIT 20",
        "habitDay_"
      ),
      (
        "SELECT * FROM xpTransaction WHERE userId = 'me' ORDER BY timestamp DESC, id LIMIT 20",
        "xpTransaction_recent"
      ),
      (
        "SELECT * FROM achievement WHERE userId = 'me' ORDER BY unlockedAt DESC, id",
        "achievement_recent"
      ),
      ("SELECT * FROM habitReminder WHERE habitId = 'x' ORDER BY time, id", "habitReminder_habit"),
      (
        "SELECT sum(amount) FROM xpTransaction WHERE userId = 'me' AND day = '2025-10-06'",
        "COVERING INDEX xpTransaction_day"
      ),
      (
        "SELECT group_concat(day, '') FROM habitDay WHERE habitId = 'x' "
          + "AND progressCount >= goalCount", "COVERING INDEX habitDay_progress"
      ),
    ] {
      let plan = try await sqlite("EXPLAIN QUERY PLAN \(sql)")
      #expect(plan.contains(index) && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }
}
