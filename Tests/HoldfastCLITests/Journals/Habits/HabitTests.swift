import Foundation
import HoldfastTestSupport
import Testing

@Suite("Habits: commands", .temporaryFolder)
struct HabitTests {
  @Test("8: The answer of a tap names the day, the XP, the level and the streak")
  func answer() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "2", "--unit", "pages")
    let first = try await library.habit("done", "Read", "--day", "2025-10-06")
    #expect(!first.dayComplete && first.xp == 0 && first.record?.progressCount == 1)
    let second = try await library.holdfast(
      "habit", "done", "read", "--at", "2025-10-06T12:00Z", "--json")
    #expect(
      second.output.withoutChance.replacing(/"unlockedAt":"[^"]*"/, with: "\"unlockedAt\":\"NOW\"")
        == """
        {"achievements":[{"achievementId":"first_habit","id":"ID",\
        "text":"You completed a habit for the first time.","title":"A first step",\
        "unlockedAt":"NOW","userId":"me","xpAwarded":0}],\
        "becameComplete":true,"becameIncomplete":false,"changed":true,"day":"2025-10-06",\
        "dayComplete":true,"habit":{"color":"#0000FFFF","createdAt":"NOW","goalCount":2,\
        "goalUnit":"pages","habitDescription":"","habitType":"formation","icon":"","id":"ID",\
        "name":"Read","scheduleType":"daily","startDay":"2025-10-06","userId":"me","weekdays":[]},\
        "level":1,"levelUp":false,"progress":{"currentLevel":1,"totalXP":50,"xpForCurrentLevel":50,\
        "xpForNextLevel":300},"record":{"actions":[{"timestamp":"2025-10-06T12:00:00.000Z",\
        "timestampOffset":0}],"createdAt":"NOW","day":"2025-10-06","goalCount":2,"habitId":"ID",\
        "id":"ID","modifiedAt":"NOW","progressCount":2},"removedMoments":0,\
        "streak":{"currentStreak":0,"lastCompleteDate":"2025-10-06","longestStreak":1,\
        "totalCompleteDays":1},"xp":50}

        """)
    let undone = try await library.habit("undo", "Read", "--day", "2025-10-06")
    #expect(undone.becameIncomplete && undone.xp == -50 && undone.streak.totalCompleteDays == 0)
    let text = try await library.holdfast("habit", "done", "Read", "--day", "2025-10-06")
    #expect(text.lines.last == "2025-10-06 is complete: +50 XP.", "\(text.output)")
    let level = try await library.holdfast("habit", "level")
    #expect(level.lines == ["level       1", "within      50 of 300 XP", "total       50 XP"])
    let xp = try await library.holdfast("habit", "xp", "list", "--limit", "1")
    #expect(xp.lines.last?.hasSuffix("+50  2025-10-06  complete day") == true, "\(xp.output)")
  }

  @Test("11: Two commands that tap at once count two, and award once", arguments: 1...3)
  func atOnce(round: Int) async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    async let first = library.habit("done", "Read", "--day", "2025-10-06")
    async let second = library.habit("done", "Read", "--day", "2025-10-06")
    let answers = try await [first, second]
    #expect(Set(answers.map { $0.record?.progressCount }) == [1, 2])
    #expect(answers.map(\.xp).sorted() == [0, 50])
    #expect(
      try await library.sql(
        "SELECT progressCount, (SELECT sum(amount) FROM xpTransaction) FROM habitDay")
        == [["2", "50"]])
  }

  @Test("12: Bad usage is exit status 64, and an impossible day 1")
  func refused() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--on", "Monday,friday")
    let before = try await library.habitRows()
    let bad: [([String], String)] = [
      (["difficulty", "Read", "0"], "it goes from 1 to 5"),
      (["difficulty", "Read", "6"], "it goes from 1 to 5"),
      (["add", "a", "--goal", "0"], "goal 0: it goes from 1"),
      (["add", "a", "--unit", ""], "the goal has no unit"), (["add", ""], "no name"),
      (["add", "a", "--start", "2025-10-06", "--end", "2025-10-05"], "before the first one"),
      (["add", "a", "--on", "mondy"], "did you mean monday?"),
      (["add", "a", "--type", "braking"], "did you mean breaking?"),
      (["add", "a", "--daily", "--every", "2"], "Give only one of"),
      (["add", "a", "--every", "366"], "1 to 365"), (["add", "a", "--color", "blue"], "#0000FF"),
      (["add", "a", "--type", "breaking"], "needs a baseline"),
      (["done", "Read", "--times", "0"], "1 to 1000"), (["edit", "Read"], "Name what to change"),
      (["done", "Read", "--day", "2025-02-30"], "is not a day"),
      (["remind", "add", "Read", "25:00"], "is not a time of day"),
      (["week", "--of", "9999-12-31"], "give a day from 1900-01-01 to"),
      (["struggling", "--below", "2"], "from 0 to 1"),
    ]
    for (command, words) in bad {
      try await library.expectHabitRefusal(command, status: 64, saying: words)
    }
    for (command, words) in [
      (["done", "Read", "--day", "2999-01-01"], "2999-01-01 is in the future"),
      (["done", "Read", "--day", "2025-10-07"], "are 2025-10-06 and 2025-10-10"),
      (["done", "Row"], #"no habit is called "Row""#),
      (["checkin", "Read", "--day", "2025-10-06"], "a habit to build"),
      (["difficulty", "Read", "3"], "holdfast habit days shows them"),
    ] { try await library.expectHabitRefusal(command, status: 1, saying: words) }
    #expect(try await library.habitRows() == before)
  }

  @Test("13: A harder goal starts tomorrow, and a note says that new days change the past")
  func edit() async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read", "--goal", "5")
    for day in [["--day", "2025-10-06"], []] {
      _ = try await library.holdfast(["habit", "set", "Read", "5"] + day)
    }
    let text = try await library.holdfast("habit", "edit", "Read", "--unit", "time")
    #expect(text.lines.first?.hasSuffix("Read, 5 times, every day") == true, "\(text.output)")
    let edited = try await library.habit("edit", "Read", "--goal", "8")
    #expect(edited.dayComplete && edited.xp == 0 && edited.habit.goalCount == 8)
    #expect(
      try await library.column("SELECT goalCount FROM habitDay ORDER BY day") == ["5", "5"])
    let days = try await library.holdfast("habit", "edit", "Read", "--per-week", "2")
    #expect(days.status == 0 && days.errorOutput.contains("what was due in the past"))
    let ended = try await library.habit("end", "Read", "--day", "2025-10-20")
    #expect(ended.habit.endDay == "2025-10-20" && ended.habit.scheduleType == "frequencyWeekly")
  }

  @Test("16: The day is that of the local clock", arguments: ["Pacific/Kiritimati", "Etc/GMT+12"])
  func zones(zone: String) async throws {
    let library = try await LibraryFolder.withHabits()
    try await library.addHabit("Read")
    let arguments = library.command(["habit", "done", "Read", "--json"])
    let result = try await Command.run(
      Command.holdfast, arguments, environment: ["TZ": zone])
    let answer: HabitAnswer = try result.json()
    let now = Date().addingTimeInterval(zone == "Etc/GMT+12" ? -12 * 3600 : 14 * 3600)
    // Midnight may pass between the two.
    let days = [now, now - 60].map { $0.formatted(.iso8601.year().month().day()) }
    #expect(days.contains(answer.day) && answer.dayComplete)
    // Two taps around midnight, in a named zone.
    for time in ["2025-10-26 23:59 Europe/Berlin", "2025-10-27 00:01 Europe/Berlin"] {
      #expect(try await library.habit("done", "Read", "--at", time).day == String(time.prefix(10)))
    }
  }

  @Test("14: Today, the week and the rates are shown")
  func shown() async throws {
    let library = try await LibraryFolder.withHabits()
    let none = try await library.holdfast("habit", "today")
    #expect((none.status, none.output) == (0, "") && none.errorOutput.hasPrefix("No habit appears"))
    try await library.addHabit("Read", "--end", "2025-10-08")
    try await library.addHabit("Swim", "--per-week", "1", "--end", "2025-10-08")
    _ = try await library.habit("done", "Read", "--day", "2025-10-06")
    let week = try await library.holdfast("habit", "week", "--of", "2025-10-06")
    #expect(
      week.lines[1...3] == [
        "2025-10-06  monday     complete           1    1         1  100 %     1/1",
        "2025-10-07  tuesday    incomplete         1    1         0    0 %     0/0",
        "2025-10-08  wednesday  incomplete         2    2         0    0 %     0/0",
      ], "\(week.output)")
    let day = try await library.holdfast("habit", "today", "--day", "2025-10-06")
    #expect(day.errorOutput == "1 of 1 complete (100 %); 100 % of what was logged.\n")
    #expect(day.lines.contains { $0.contains("free      -/1   Swim") }, "\(day.output)")
    let struggling = try await library.holdfast("habit", "struggling")
    #expect(struggling.lines[1].contains(" 0 %   0/1          -  Swim"), "\(struggling.output)")
    #expect(struggling.lines[2].contains("33 %   1/3      100 %  Read"))
    let streak = try await library.holdfast("habit", "streak")
    #expect(streak.lines.first == "current     a new run begins today")
    let stats = try await library.holdfast("stats", "--journal", "habits", "--days", "all")
    #expect(stats.lines.first?.hasPrefix("Everything so far: 1 of 3 days complete") == true)
    let listed = try await library.holdfast("habit", "list", "--day", "2025-10-09", "--json")
    #expect(listed.output == "[]\n")
  }

  @Test("A schedule's number that is too large is refused in the words of the options")
  func scheduleNumbers() async throws {
    let library = try await LibraryFolder.withHabits()
    for (options, words) in [
      (["--every", "0"], "every 0 days: give 1 to 365"),
      (["--per-week", "8"], "8 times a week: give 1 to 7"),
      (["--per-month", "32"], "32 times a month: give 1 to 31"),
    ] {
      try await library.expectHabitRefusal(["add", "Read"] + options, status: 64, saying: words)
    }
  }
}
