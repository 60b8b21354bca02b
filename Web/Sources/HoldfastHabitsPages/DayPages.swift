import Foundation
import Holdfast
import HoldfastHabits
import HoldfastWeb
import Hummingbird

/// The habits of a day with a button each, and the day's figures.
struct DayPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get { request, _ in try await show(Day(), request.fields) }
    pages.get("days/:day") { request, context in
      let day = try Day(context.parameters.require("day"))
      let today = Day()
      // A future day can be viewed, but not filled in. A year ahead is far enough.
      guard (-36_600...366).contains(day.days(since: today)) else { throw WebProblem.notFound }
      return try await show(day, request.fields)
    }
  }

  private struct Item: Sendable {
    var id: String
    var name: String
    var icon: String?
    var count: String
    var state: String
    /// How much of the ring is filled, of 100.
    var share: Int
    var isComplete: Bool
    var isBuilt: Bool
    /// Whether it is done for the day, so that another tap would be a mistake.
    var isDone: Bool
    /// The text of the button for one tap.
    var one: String
    /// The count left to the goal, if it is more than one tap.
    var rest: Int?
    var canCheckIn: Bool
    var canUndo: Bool
    var recording: String?
    var isOpen: Bool

    init(_ item: HabitDayOverview.Item, isOpen: Bool) {
      let (habit, record) = (item.habit, item.record)
      let (done, goal) = (record?.progressCount ?? 0, record?.goalCount ?? habit.goalCount)
      id = habit.id.uuidString
      name = habit.name
      icon = habit.icon.nonBlank.flatMap { $0.isPicture ? $0 : nil }
      isComplete = item.isComplete
      isBuilt = habit.habitType == .formation
      state =
        switch item.isRequired {
        case _ where item.isComplete: isBuilt ? "Complete" : "Within your limit"
        case _ where !isBuilt && done > goal: "Over your limit. Tomorrow is a new day."
        case true: "To do"
        case false: "If you like"
        }
      let text = habit.text(ofGoal: goal)
      count = record == nil && !isBuilt ? "Nothing noted yet, \(text)" : "\(done) of \(text)"
      share = min(100 * done / max(goal, 1), 100)
      isDone = isBuilt && goal == 1 && done > 0
      one = goal == 1 && isBuilt ? "Done" : "+1"
      let left = goal - done
      rest = isBuilt && left > 1 && left <= HabitTracker.mostTimes ? left : nil
      canCheckIn = !isBuilt && record == nil
      canUndo = done > 0
      recording = (record?.recordingID ?? habit.recordingID)?.uuidString
      self.isOpen = isOpen
    }
  }

  fileprivate struct WeekDay: Sendable {
    var day: String
    var name: String
    var state: String
    var mark: String
    var share: String
    var isShown: Bool
  }

  private struct Values: Sendable {
    var sentences: [String]
    var day: String
    var isToday: Bool
    var items: [Item]
    var summary: String
    var streak: String
    var longest: String?
    var achievements: [RecordLine]
    var hasReminders: Bool
    var level: HabitLevel
    var week: [WeekDay]
    var previous: String
    var next: String?
    var habits: [RecordLine]
  }

  private func show(_ day: Day, _ fields: Form) async throws -> Response {
    let values = try await host.read { library in
      let (habits, today) = (library.habits, Day())
      let overview = try habits.overview(on: day)
      let streak = try habits.streak(on: today)
      let figures = overview.figures
      let all = try habits.habits(limit: 200)
      return Values(
        sentences: try TapOutcome(fields).sentences(in: habits), day: day.description,
        isToday: day == today,
        items: overview.habits.map { Item($0, isOpen: day <= today) },
        summary: figures.due == 0
          ? "Nothing is due." : "\(figures.complete) of \(figures.due) complete.",
        streak: streak.currentStreak > 0
          ? "\(streak.currentStreak.counted("day")) in a row" : "A new streak can begin today",
        longest: streak.totalCompleteDays == 0
          ? nil
          : "\(streak.longestStreak.counted("day")) at the longest, "
            + "\(streak.totalCompleteDays.counted("complete day")) in all",
        achievements: try habits.achievements().map {
          RecordLine(
            $0.id.uuidString, $0.title, detail: "\($0.text) · \($0.unlockedAt.words(in: .current))")
        }, hasReminders: try !habits.reminders().isEmpty, level: try habits.level(),
        week: try habits.week(with: day, today: today).map { WeekDay($0, today: today) },
        previous: day.adding(days: -1).description,
        next: day < today ? day.adding(days: 1).description : nil,
        habits: all.map {
          RecordLine(
            $0.id.uuidString, $0.name, detail: $0.line(on: today), path: "/habits/\($0.id)")
        })
    }
    return Page(
      values.isToday ? "Habits" : "Habits, \(day.words)", tab: .home, template: Self.template,
      values: values
    ).response
  }

  private static let template = Page.template(
    #"""
    <div role="status">{{#sentences}}<p class="lead">{{.}}</p>{{/sentences}}</div>
    {{^habits}}<p class="lead">Begin with one small thing. It can be done in a minute.</p>
    <p><a class="button large" href="/habits/new">Add a habit</a></p>{{/habits}}
    {{^empty(habits)}}{{^items}}<p>No habit is on this day.</p>{{/items}}
    <ul class="choices">{{#items}}<li class="card habit"><div class="ringed">\#
    <svg class="ring" viewBox="0 0 44 44" aria-hidden="true"><circle cx="22" cy="22" r="19"/>\#
    <circle cx="22" cy="22" r="19" pathLength="100" stroke-dasharray="{{share}} 100" \#
    class="part"/><text x="22" y="29">{{#isComplete}}✓{{/isComplete}}{{^isComplete}}{{icon}}\#
    {{/isComplete}}</text></svg>
    <div><h2><a href="/habits/{{id}}">{{name}}</a>{{#isComplete}}{{#icon}} \#
    <span aria-hidden="true">{{.}}</span>{{/icon}}{{/isComplete}}</h2>
    <p class="detail">{{count}} · \#
    <span class="{{#isComplete}}mild{{/isComplete}}">{{state}}</span></p></div></div>
    {{#isOpen}}<div class="taps">
    {{#isDone}}<p class="mild"><span aria-hidden="true">✓ </span>Done</p>{{/isDone}}
    {{#isBuilt}}{{^isDone}}<form method="post" action="/habits/{{id}}/done">\#
    <input type="hidden" name="day" value="{{day}}">\#
    <button class="button large{{#isComplete}} quiet{{/isComplete}}">{{one}}\#
    <span class="hidden"> {{name}}</span></button></form>{{/isDone}}
    {{#rest}}<form method="post" action="/habits/{{id}}/done">\#
    <input type="hidden" name="day" value="{{day}}">\#
    <input type="hidden" name="times" value="{{rest}}">\#
    <button class="button quiet large">All {{rest}}\#
    <span class="hidden"> {{name}}</span></button></form>{{/rest}}{{/isBuilt}}
    {{^isBuilt}}{{#canCheckIn}}<form method="post" action="/habits/{{id}}/checkin">\#
    <input type="hidden" name="day" value="{{day}}">\#
    <button class="button large">None so far<span class="hidden"> {{name}}</span></button>\#
    </form>{{/canCheckIn}}
    <form method="post" action="/habits/{{id}}/done">\#
    <input type="hidden" name="day" value="{{day}}"><button class="button large quiet">{{one}}\#
    <span class="hidden"> {{name}}</span></button></form>{{/isBuilt}}
    {{#canUndo}}<form method="post" action="/habits/{{id}}/undo">\#
    <input type="hidden" name="day" value="{{day}}">\#
    <button class="link">Undo<span class="hidden"> {{name}}</span></button></form>{{/canUndo}}
    {{#recording}}<a class="play" href="/recordings/{{.}}" \#
    aria-label="Play the recording of {{name}}">Play</a>{{/recording}}
    </div>{{/isOpen}}</li>{{/items}}</ul>
    <p>{{summary}}</p>
    <section><h2>Streak</h2><p><strong>{{streak}}</strong>{{#longest}}<br>\#
    <span class="detail">{{.}}</span>{{/longest}}</p>
    <p id="level">Level {{level.currentLevel}} <span class="detail">{{level.xpForCurrentLevel}} \#
    of {{level.xpForNextLevel}} points</span></p>
    <progress aria-labelledby="level" max="{{level.xpForNextLevel}}" \#
    value="{{level.xpForCurrentLevel}}"></progress>
    {{^empty(achievements)}}<details><summary>Achievements ({{count(achievements)}})</summary>\#
    \#(RecordLine.list("achievements", isSplit: false))</details>{{/empty(achievements)}}</section>
    <section><h2>{{#isToday}}This week{{/isToday}}{{^isToday}}The week of this day{{/isToday}}</h2>
    <div class="scroll"><ul class="week">{{#week}}<li{{#isShown}} aria-current="date"{{/isShown}}>\#
    <a href="/habits/days/{{day}}"><span>{{name}}</span>\#
    <span class="mark" aria-hidden="true">{{mark}}</span><span class="hidden">{{state}}</span>\#
    <span class="detail">{{share}}</span></a></li>{{/week}}</ul></div>
    <p class="pages"><a href="/habits/days/{{previous}}" rel="prev">The day before</a> {{#next}}\#
    <a href="/habits/days/{{.}}" rel="next">The day after</a>{{/next}}</p></section>
    <section><h2>All habits</h2>\#(RecordLine.list("habits", isSplit: false))
    <p class="row"><a class="button quiet" href="/habits/new">Add a habit</a>{{^isToday}} \#
    <a class="button quiet" href="/habits">Today</a>{{/isToday}}\#
    {{#hasReminders}} <a class="button quiet" href="/habits/reminders.ics" download>\#
    Reminders for a calendar</a>{{/hasReminders}}</p></section>{{/empty(habits)}}
    """#)
}

extension DayPages.WeekDay {
  fileprivate init(_ logged: LoggedDayFigures, today: Day) {
    let figures = logged.figures
    day = figures.day.description
    name = String(figures.day.weekday.rawValue.capitalized.prefix(3))
    (state, mark) =
      switch figures.state {
      case _ where logged.isAhead: ("ahead", "·")
      case .complete: ("complete", "✓")
      case .incomplete where figures.day == today: ("open", "○")
      case .incomplete: ("not complete", "–")
      case .neutral: ("free", "·")
      }
    share = logged.isAhead || figures.due == 0 ? "" : "\(figures.complete)/\(figures.due)"
    isShown = figures.day == today
  }
}

extension Day {
  /// The day as the end of a sentence: `tomorrow`, `Fri 27 Nov`.
  func startWords(on today: Day) -> String {
    self == today.adding(days: 1) ? "tomorrow" : words
  }
}

extension Habit {
  /// The plan, and whether the habit has ended or is still to begin.
  func line(on today: Day) -> String {
    if let endDay, endDay < today { return "\(plan) · ended \(endDay.words)" }
    if startDay > today { return "\(plan) · starts \(startDay.startWords(on: today))" }
    return plan
  }
}

extension String {
  /// Whether the text is a picture, such as an emoji, and not the name of one.
  fileprivate var isPicture: Bool { count <= 2 && !unicodeScalars.allSatisfy(\.isASCII) }
}
