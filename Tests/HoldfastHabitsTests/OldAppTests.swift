import Foundation
import Holdfast
import HoldfastHabits
import HoldfastTestSupport
import Testing

@Suite("Habits: the old app", .temporaryFolder)
struct OldAppTests {
  /// The old app wrote the start of the user's day, in seconds since 2001.
  private static let startOfDay = Int(
    Calendar(identifier: .gregorian).date(from: DateComponents(year: 2025, month: 10, day: 6))?
      .timeIntervalSinceReferenceDate ?? 0)

  private static let sample = """
    {"userId": "me", "totalXP": 350, "habits": [
      {"id": "11111111-1111-4111-8111-111111111111", "name": "Push-ups", "habitDescription": "fit",
       "icon": "💪", "color": [1, 0, 0, 1], "habitType": "Habit Building",
       "goal": "5 times everyday", "startDate": "2025-10-06", "createdAt": "2025-10-06T08:00:00Z",
       "reminders": [{"time": "07:30"}, {"time": "late"}], "isCompleted": true, "streak": 99,
       "completionHistory": {"2025-10-06": 5, "2025-10-07": 6, "2025-10-08": 2},
       "completionTimestamps": {"2025-10-06": ["2025-10-06T09:00:00Z", "2025-10-06T10:00:00Z"],
         "2025-10-08": ["2025-10-08T09:00:00Z", "2025-10-08T09:01:00Z", "2025-10-08T09:02:00Z"]},
       "completionStatus": {"2025-10-06": true, "2025-10-08": true, "2025-10-09": false},
       "difficultyHistory": {"2025-10-07": 3}},
      {"id": "22222222-2222-4222-8222-222222222222", "name": "Smoking", "habitType": "breaking",
       "goal": "9 cigarettes", "schedule": "daily", "target": 5, "baseline": 10,
       "startDate": \(startOfDay), "actualUsage": {
         "2025-10-06": 3, "2025-10-07": 5, "2025-10-08": 6},
       "completionHistory": {"2025-10-06": 77}},
      {"id": "33333333-3333-4333-8333-333333333333", "name": "Strange",
       "habitType": "formation", "goal": "5 times a blue moon, every so often",
       "startDate": "2025-10-06"}]}
    """

  /// What an import of a document did.
  private struct Outcome {
    var added: [Int]
    var unchanged: Int
    var refused: [String]
    var notes: [String]
    var remarks: [String]
  }

  private func importing(
    _ json: String, into library: Library, isDryRun: Bool = false
  ) throws -> Outcome {
    let path = "\(TemporaryFolder.current)/old.json"
    try Data(json.utf8).write(to: URL(filePath: path))
    let report = try library.readApp(at: path, journals: [.habits])
      .importRecords(isDryRun: isDryRun)
    let kinds = [
      Habit.declaration.kind, HabitDay.declaration.kind, HabitReminder.declaration.kind,
      XPTransaction.declaration.kind,
    ]
    let counts = kinds.map { report.counts[$0] ?? .init() }
    return Outcome(
      added: counts.map(\.added), unchanged: counts.reduce(0) { $0 + $1.unchanged },
      refused: report.items.map { item in
        if case .refused(_, _, _, let reason) = item { reason } else { "\(item)" }
      }, notes: report.notes, remarks: report.remarks.map(\.text))
  }

  @Test("17: Old habits come with their days, moments and difficulty, and only once")
  func sample() async throws {
    let library = try openTracker()
    let dry = try importing(Self.sample, into: library, isDryRun: true)
    #expect(try library.habits.habits(of: nil).isEmpty)
    let report = try importing(Self.sample, into: library)
    #expect(dry.added == report.added && report.added == [2, 6, 1, 1])
    #expect(report.refused.count == 1 && report.refused[0].contains("cannot be read"))
    #expect(report.notes.count == 2)
    #expect(report.notes.contains { $0.contains("reminder 2") && $0.contains("\"late\"") })
    #expect(report.notes.contains { $0.contains("day 2025-10-08") && $0.contains("complete") })

    let push = try library.habits.habit("push-ups")
    #expect(push.goalCount == 5 && push.goalUnit == "times" && push.schedule == .daily)
    #expect(push.color.description == "#FF0000FF" && push.habitType == .formation)
    let days = try library.habits.days(of: push.id)
    #expect(days.map(\.progressCount) == [2, 6, 5] && days.map(\.actions.count) == [2, 0, 2])
    #expect(days.map(\.difficulty) == [nil, 3, nil] && days.allSatisfy { $0.goalCount == 5 })
    let smoking = try library.habits.habit("smoking")
    #expect(smoking.goalCount == 5 && smoking.goalUnit == "cigarettes")
    #expect(smoking.startDay == day(0) && smoking.baselineCount == 10)
    #expect(try library.habits.days(of: smoking.id).map(\.progressCount) == [6, 5, 3])

    let level = try library.habits.level()
    #expect(level.totalXP == 350)
    #expect(try library.habits.transactions().map(\.reason) == ["carried over"])
    let again = try importing(Self.sample, into: library)
    #expect(again.added == [0, 0, 0, 0] && again.unchanged == 10)
    #expect(try library.habits.level() == level)

    // The same days, entered by hand.
    let other = try openTracker("other")
    let (a, b) = (habit("Push-ups", goal: 5), HoldfastHabitsTests.smoking())
    for habit in [a, b] { try other.habits.add(habit, clock: clock(0)) }
    for (number, counts) in [(5, 3), (6, 5), (2, 6)].enumerated() {
      try other.habits.set(a.id, to: counts.0, on: day(number), clock: clock(3))
      try other.habits.set(b.id, to: counts.1, on: day(number), clock: clock(3))
    }
    let streak = try library.habits.streak(on: day(3))
    #expect(try streak == other.habits.streak(on: day(3)) && streak.figures == [0, 2, 2])
  }

  @Test("17: The app's XP are carried over once, whether or not there were habits here before")
  func total() throws {
    // Otherwise the imported days would give XP too.
    let library = try openTracker()
    try library.habits.add(habit("Own", goal: 1), clock: clock(0))
    _ = try importing(Self.sample, into: library)
    #expect(try library.habits.level().totalXP == 350)
    // A newer form has the total beside the transactions, or the transactions alone.
    for (rest, xp) in [
      (#""userProgress": {"totalXP": 40, "currentLevel": 1}"#, 40),
      (#""xpTransactions": [{"id": "a", "amount": 30}, {"id": "b", "amount": -10}]"#, 20),
      (
        #""userProgress": [{"totalXP": 70}], "xpTransactions": [{"id": "a", "amount": 30}]"#, 70
      ),
    ] {
      let other = try openTracker("other\(xp)")
      _ = try importing("{\"habits\": [\(Self.running)], \(rest)}", into: other)
      #expect(try other.habits.level().totalXP == xp, "\(rest)")
    }
  }

  @Test("XP that were carried over grow with the app's, and never shrink")
  func growingTotal() throws {
    let document = { (xp: Int) in
      "{\"habits\": [\(Self.running)], \"userProgress\": {\"totalXP\": \(xp)}}"
    }
    let (library, other) = (try openTracker(), try openTracker("other"))
    _ = try importing(document(500), into: library)
    _ = try importing(document(1200), into: other)
    _ = try importing(document(900), into: other)
    #expect(try other.habits.level().totalXP == 1200)
    _ = try importing(document(1200), into: library)
    #expect(try library.habits.level().totalXP == 1200)
  }

  private static let running = """
    {"id": "11111111-1111-4111-8111-111111111111", "name": "Run", "habitType": "formation",
     "goal": "1 time", "startDate": "2025-10-06", "completionHistory": {"2025-10-06": 1}}
    """

  @Test("17: Goals in words are read")
  func goals() throws {
    let goals: [(text: String, count: Int, unit: String, schedule: HabitSchedule)] = [
      ("5 times everyday", 5, "times", .daily), ("30 min every 2 days", 30, "min", .everyNDays(2)),
      (
        "20 pages on Monday, wednesday and Friday", 20, "pages",
        .specificWeekdays([.monday, .wednesday, .friday])
      ),
      ("1 time every sunday", 1, "time", .specificWeekdays([.sunday])),
      ("30 min 3 times a week", 30, "min", .frequencyWeekly(3)),
      ("3 days per month", 1, "times", .frequencyMonthly(3)),
      ("twice a day", 2, "times", .daily), ("1 time a day", 1, "time", .daily),
      ("3 times on everyday", 3, "times", .daily), ("1 time per everyday", 1, "time", .daily),
      ("2 times on every day", 2, "times", .daily), ("4 times on daily", 4, "times", .daily),
      (
        "5 times on monday and on tuesday", 5, "times", .specificWeekdays([.monday, .tuesday])
      ),
      (
        "1 time on every monday, every friday", 1, "time", .specificWeekdays([.monday, .friday])
      ),
      ("1 time on every 3 days", 1, "time", .everyNDays(3)),
      ("1 time on 3 days a week", 1, "time", .frequencyWeekly(3)),
      ("1 time on 5 days a month", 1, "time", .frequencyMonthly(5)),
      ("1 page once a week", 1, "page", .frequencyWeekly(1)),
      ("1 page twice a month", 1, "page", .frequencyMonthly(2)),
      ("drink water", 1, "drink water", .daily), ("8 glasses", 8, "glasses", .daily),
      ("every day", 1, "times", .daily), ("2 cups daily", 2, "cups", .daily),
    ]
    let library = try openTracker()
    let report = try importing(old(goals.map(\.text)), into: library)
    #expect(report.refused.isEmpty && report.added[0] == goals.count, "\(report)")
    for goal in goals {
      let habit = try library.habits.habit(goal.text)
      #expect((habit.goalCount, habit.goalUnit) == (goal.count, goal.unit), "\(goal.text)")
      #expect(habit.schedule == goal.schedule, "\(goal.text)")
    }
  }

  @Test("17: A goal that cannot be read is listed, and its habit is left out")
  func badGoals() throws {
    let goals = [
      "", "  ", "0 times", "99999999999999999999 times", "5 times a blue moon every so often",
      "9 days a week", "1 time every 0 days", "2.5 km", "-3 times",
      "40 days per month",
      "1 time every 99999999999999999999 days",
    ]
    let library = try openTracker()
    let report = try importing(old(goals), into: library)
    #expect(report.refused.count == goals.count && report.added[0] == 0, "\(report)")
  }

  @Test("17: Hostile JSON is refused, or its parts are left out")
  func hostile() throws {
    let library = try openTracker()
    for json in [
      "", "[", "7", "null", "{}", #"{"habits": 3}"#, String(repeating: "[", count: 9999),
      "[7, null, {}, [], \"a\"]", #"[{"name": "a"}]"#,
    ] {
      #expect(throws: HoldfastError.self) { try importing(json, into: library) }
    }
    let whole = """
      {"id": "11111111-1111-4111-8111-111111111111", "name": "a", "habitType": "formation",
       "goal": "1 time", "startDate": "2025-10-01"
      """
    let breaking = whole.replacing("formation", with: "breaking")
    let days = """
      , "reminders": 7, "completionStatus": [], "difficultyHistory": {"2025-10-02": 9},
       "completionHistory": {"2025-10-01": 1, "2025-10-02": 1, "2025-02-30": 1, "2025-10-03": -1,
       "2025-10-04": 1.5, "2025-10-05": 1e300, "2999-01-01": 1, "nonsense": 1, "2025-10-06": true}}
      """
    for (json, leftOut) in [
      ("{\"habits\": [7, null, {}, [], \"a\"]}", 5),
      ("[\(whole), \"endDate\": \"soon\"}]", 1), ("[\(whole), \"endDate\": \"2020-01-01\"}]", 1),
      ("[\(whole), \"color\": [9, 9, 9, 9]}]", 1),
      ("[\(breaking), \"target\": -1, \"baseline\": 5}]", 1),
      (
        #"{"habits": [{"id": "11111111-1111-4111-8111-111111111111", "startDate": 1e300}]}"#, 1
      ),
      (#"{"habits": [], "totalXP": -5}"#, 1), (#"{"habits": [], "totalXP": 1e300}"#, 1),
      ("[\(whole)\(days), \(whole)}]", 9),
    ] {
      let report = try importing(json, into: library)
      #expect(report.refused.count + report.notes.count == leftOut, "\(json): \(report)")
    }
    // Only the difficulty of the second day is left out.
    #expect(
      try library.habits.days().map(\.day).sorted() == [date("2025-10-01"), date("2025-10-02")])
  }

  private static let building = """
    {"id": "11111111-1111-4111-8111-111111111111", "name": "Run", "habitType": "Habit Building",
     "goal": "5 times everyday", "startDate": "2025-10-01", "createdAt": "2025-10-01T00:00:00Z",
     "reminder": "7:30 AM"
    """

  @Test(
    "A day has the larger count of its rows, and is complete if the app says so",
    arguments: [
      (nil, 3, [3, 5], nil), ("true", 6, [6, 5], nil), ("true", 3, [3, 3], nil),
      ("true", 0, [5, 5], nil), ("false", 6, [6, 5], "not complete, and by its count it is"),
    ] as [(String?, Int, [Int], String?)])
  func uses(isCompleted: String?, use: Int, expected: [Int], note: String?) throws {
    let library = try openTracker()
    let habit = #""habitId": "11111111-1111-4111-8111-111111111111""#
    let completion = isCompleted.map {
      "{\(habit), \"date\": \"2025-10-06\", \"isCompleted\": \($0), \"progress\": \(min(use, 1))}"
    }
    let outcome = try importing(
      """
      {"habits": [\(Self.building)}], "completions": [\(completion ?? "")],
       "usageRecords": [{\(habit), "key": "2025-10-06", "value": \(use)},
         {\(habit), "key": "2025-10-07", "value": "many"}],
       "difficulties": [{\(habit), "date": "some day", "difficulty": 3}]}
      """, into: library)
    let days = try library.habits.days()
    #expect(days.map { [$0.progressCount, $0.goalCount] } == [expected])
    let notes = outcome.notes.filter { !$0.hasPrefix("value: ") && !$0.hasPrefix("date: ") }
    #expect(outcome.notes.count == notes.count + 2, "\(outcome.notes)")
    #expect(notes.count == (note == nil ? 0 : 1) && notes.allSatisfy { $0.hasSuffix(note ?? "") })
  }

  @Test("A colour is read in a document as in a store: its data are in base64")
  func colours() throws {
    let library = try openTracker()
    for data in ["[1, 0.5, 0, 1]", #"{"red": 1, "green": 0.5, "blue": 0, "alpha": 1}"#] {
      let base64 = Data(data.utf8).base64EncodedString()
      _ = try importing(
        "{\"habits\": [\(Self.building), \"colorData\": \"\(base64)\"}]}", into: library)
      #expect(try library.habits.habit("run").color.description == "#FF8000FF", "\(data)")
      try library.eraseEverything()
    }
  }

  @Test("Notes that the app adds to a habit that was edited here are named")
  func notes() throws {
    let library = try openTracker()
    let document = { (notes: [String]) in
      let list = notes.map {
        #"{"habitId": "11111111-1111-4111-8111-111111111111", "content": "\#($0)"}"#
      }
      return "{\"habits\": [\(Self.building)}], \"habitNotes\": [\(list.joined(separator: ","))]}"
    }
    _ = try importing(document(["one"]), into: library)
    let id = try library.habits.habit("run").id
    try library.habits.edit(id, clock: clock(0)) { $0.name = "Mine" }
    #expect(try importing(document(["one"]), into: library).remarks.isEmpty)
    let outcome = try importing(document(["one", "two"]), into: library)
    #expect(outcome.remarks == ["edited here, so notes of the app were not added: two"])
    #expect(try library.habits.habit("mine").habitDescription == "Note: one")
  }

  @Test("Where a goal's words are unclear, the schedule tells when it is due")
  func schedules() throws {
    let library = try openTracker()
    let habit = { (number: Int, name: String, schedule: String) in
      """
      {"id": "11111111-1111-4111-8111-1111111111\(10 + number)", "name": "\(name)",
       "habitType": "formation", "goal": "3 laps on a whim", "schedule": "\(schedule)",
       "startDate": "2025-10-06", "userId": ""}
      """
    }
    let schedules: [(String, HabitSchedule)] = [
      ("Every Monday, Every Wednesday", .specificWeekdays([.monday, .wednesday])),
      ("once a week", .frequencyWeekly(1)), ("Everyday", .daily),
    ]
    let habits = schedules.enumerated().map { habit($0, $1.0, $1.0) }
    let report = try importing("[\(habits.joined(separator: ","))]", into: library)
    #expect(report.refused.isEmpty, "\(report)")
    for (name, schedule) in schedules {
      let habit = try library.habits.habit(name)
      #expect((habit.goalCount, habit.goalUnit) == (3, "laps"))
      #expect(habit.schedule == schedule && habit.userID == Habit.defaultUser)
    }
  }

  /// Habits of the old app with these goals, which are also their names.
  private func old(_ goals: [String]) -> String {
    let habits = goals.enumerated().map { number, goal in
      """
      {"id": "11111111-1111-4111-8111-1111111111\(10 + number)", "name": "\(goal)",
       "habitType": "formation", "goal": "\(goal)", "startDate": "2025-10-06"}
      """
    }
    return "[\(habits.joined(separator: ","))]"
  }
}
