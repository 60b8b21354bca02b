import Foundation
import Holdfast
import HoldfastHabits
import HoldfastWeb
import Hummingbird

/// The page of each habit, and the form of a new one.
struct HabitPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("new") { _, _ in
      let fields = try await host.read { try HabitFields(nil, in: $0) }
      return Page("Add a habit", tab: .home, template: Self.newTemplate, values: ["fields": fields])
        .response
    }
    pages.form("", host: host) { library, form in
      let clock = HabitClock()
      var habit = Habit(name: "", startDay: clock.today, createdAt: clock.now)
      try form.fill(&habit)
      let isStartChosen = form["start"] != nil
      let added = try library.habits.add(habit, isStartChosen: isStartChosen, clock: clock).habit
      return added.startDay > Day() ? "/habits/\(added.id)" : "/habits"
    }
    pages.get(":id") { request, context in
      try await show(context.id("id"), reminders: request.fields["reminders"])
    }
    pages.form(":id", host: host) { library, id, form in
      let before = try library.habits.habit(id.uuidString)
      let outcome = try library.habits.edit(id) { try form.fill(&$0) }
      return "/habits" + TapOutcome(outcome, changing: before).query
    }
    pages.button(":id/end", host: host) { library, id in
      let today = Day()
      _ = try library.habits.edit(id) { $0.endDay = max($0.startDay, today) }
      return "/habits/\(id)"
    }
    pages.button(":id/resume", host: host) { library, id in
      _ = try library.habits.edit(id) { $0.endDay = nil }
      return "/habits/\(id)"
    }
    pages.get(":id/delete") { _, context in try await askToDelete(context.id("id")) }
    pages.deletion(of: Habit.self, ":id/delete", host: host, then: "/habits")
  }

  // MARK: One habit

  private struct Reminder: Sendable {
    var id: String
    var time: String

    init(_ reminder: HabitReminder) {
      (id, time) = (reminder.id.uuidString, reminder.time.description)
    }
  }

  private struct Values: Sendable {
    var id: String
    /// The id for the lines of a list, which have their own.
    var habit: String
    var name: String
    var plan: String
    var about: String?
    /// The recording that says why. Its name is unique, because a template looks up a missing value
    /// outside too.
    var reason: String?
    var today: String
    var count: Int
    var difficulties: [Choice]
    var isLogged: Bool
    var appears: Bool
    var recordings: [RecordingChoice]
    var rate: String?
    var days: [RecordLine]
    var ended: String?
    var reminders: [Reminder]
    /// Whether the reminders were changed just now, so that their section is open.
    var isReminded: Bool
    var isAdded: Bool
    var goesOn: Bool
    var fields: HabitFields
  }

  private func show(_ id: UUID, reminders change: String?) async throws -> Response {
    let values = try await host.read { library in
      let (habits, today) = (library.habits, Day())
      let habit = try habits.habit(id.uuidString)
      let days = try habits.days(of: id, limit: 14)
      let record = days.first { $0.day == today }
      let rate = try habits.rates(through: today).first { $0.habit == id }
      return Values(
        id: id.uuidString, habit: id.uuidString, name: habit.name, plan: habit.line(on: today),
        about: habit.habitDescription.nonBlank, reason: habit.recordingID?.uuidString,
        today: today.description, count: record?.progressCount ?? 0,
        difficulties: (1...5).map { number in
          Choice(
            "\(number)", Self.difficulties[number - 1],
            isChosen: record?.difficulty == number)
        }, isLogged: record != nil,
        appears: HabitHistory(habit, completeDays: [Day]()).appears(on: today),
        recordings: try RecordingField.all(in: library, choosing: record?.recordingID),
        rate: rate.flatMap {
          $0.due > 0 ? "Complete on \($0.complete) of \($0.due.counted("day")) so far." : nil
        },
        days: days.map { day in
          let difficulty = day.difficulty.map { " · \(Self.difficulties[$0 - 1])" } ?? ""
          return RecordLine(
            day.id.uuidString, day.day.words,
            detail: "\(day.progressCount) of \(day.goalCount)\(difficulty)",
            path: "/habits/days/\(day.day)", recording: day.recordingID)
        }, ended: habit.endDay?.words, reminders: try habits.reminders(of: id).map(Reminder.init),
        isReminded: change != nil, isAdded: change == "added",
        goesOn: habit.endDay == nil, fields: try HabitFields(habit, in: library))
    }
    return Page(values.name, tab: .home, template: Self.showTemplate, values: values).response
  }

  /// The meanings of the numbers from 1 to 5.
  private static let difficulties = ["easy", "fairly easy", "neither", "hard", "very hard"]

  private static let showTemplate = Page.template(
    #"""
    <p>{{plan}}</p>{{#about}}<p class="notes">{{.}}</p>{{/about}}
    {{#reason}}<p><a class="button quiet" href="/recordings/{{.}}">Play why</a></p>{{/reason}}
    {{#rate}}<p class="detail">{{.}}</p>{{/rate}}
    {{#appears}}<section><h2>Today</h2>
    <form method="post" action="/habits/{{id}}/set" class="form">\#
    <input type="hidden" name="day" value="{{today}}">
    <label for="count">How many today</label>\#
    <input type="number" id="count" name="count" min="0" value="{{count}}" required>
    {{^empty(recordings)}}<details><summary>A recording of today (optional)</summary>
    """# + RecordingField.html() + #"""
      </details>{{/empty(recordings)}}
      <p class="submit"><button class="button">Save</button></p></form>
      {{#isLogged}}<form method="post" action="/habits/{{id}}/difficulty" class="form">\#
      <input type="hidden" name="day" value="{{today}}">
      <fieldset><legend>How hard was it?</legend><div class="chips">{{#difficulties}}\#
      <label class="chip"><input type="radio" name="difficulty" value="{{value}}"{{#isChosen}} \#
      checked{{/isChosen}}><span>{{name}}</span></label>{{/difficulties}}</div></fieldset>
      <p class="submit"><button class="button quiet">Note it</button></p>\#
      </form>{{/isLogged}}</section>{{/appears}}
      {{^empty(days)}}<section><h2>Recent</h2>\#
      \#(RecordLine.list("days"))</section>{{/empty(days)}}
      <details id="reminders"{{#isReminded}} open{{/isReminded}}><summary>Reminders\#
      {{^empty(reminders)}} ({{count(reminders)}}){{/empty(reminders)}}</summary>
      {{#isReminded}}<p role="status" class="done">{{#isAdded}}Saved. One more step: open the \#
      file of your reminders in your calendar.{{/isAdded}}{{^isAdded}}Removed. If your calendar \#
      has it, remove it there too.{{/isAdded}}</p>{{/isReminded}}
      {{^empty(reminders)}}<p><a class="button{{^isAdded}} quiet{{/isAdded}}" \#
      href="/habits/reminders.ics" download>Save the file for your calendar</a></p>
      <p class="hint">Your calendar reminds you, once it has the file.</p>\#
      {{/empty(reminders)}}
      <ul class="entries">{{#reminders}}<li class="split"><p>{{time}}</p>\#
      <form method="post" action="/habits/reminders/{{id}}/delete">\#
      <input type="hidden" name="back" value="/habits/{{habit}}?reminders=removed#reminders">\#
      <button class="link">Remove<span class="hidden"> {{time}}</span></button></form>\#
      </li>{{/reminders}}</ul>
      <form method="post" action="/habits/{{id}}/reminders" class="form"><label for="time">\#
      Remind me at</label><input type="time" id="time" name="time" required>\#
      <p class="submit"><button class="button quiet">Add reminder</button></p></form>
      {{^reminders}}<p class="hint">Reminders come from your calendar, which reads a file \#
      of them.</p>{{/reminders}}</details>
      <details><summary>Edit</summary><form method="post" action="/habits/{{id}}" class="form">
      """# + HabitFields.html + #"""
        <p class="hint">A new goal holds from today on. If today is complete, a harder one starts \#
        tomorrow. New days change what was due before as well, and may change your streak; days \#
        that gave you points stay complete. To keep the past, let this habit end and add \#
        another.</p>
        <p class="submit"><button class="button">Keep changes</button></p></form></details>
        {{#goesOn}}<form method="post" action="/habits/{{id}}/end">\#
        <button class="link">End this habit</button>
        <p class="hint">Today is then its last day. What you logged stays.</p></form>{{/goesOn}}
        {{#ended}}<form method="post" action="/habits/{{id}}/resume"><p>Its last day is {{.}}. \#
        <button class="link">Resume</button></p></form>{{/ended}}
        <p><a class="danger" href="/habits/{{id}}/delete">Delete…</a></p>
        """#)

  private static let newTemplate = Page.template(
    #"""
    <form method="post" action="/habits" class="form">
    """# + HabitFields.html + #"""
      {{#fields}}{{#later}}<p class="hint">Today is complete already, so this \#
      starts {{.}}.</p>{{/later}}{{/fields}}
      <p class="submit"><button class="button large">Add it</button> \#
      <a href="/habits">Cancel</a></p></form>
      """#)

  private func askToDelete(_ id: UUID) async throws -> Response {
    try await Page.response("Delete?", tab: .home, template: Self.deleteTemplate, from: host) {
      library in
      let habit = try library.habits.habit(id.uuidString)
      let days = try library.habits.days(of: id).count
      return ["id": id.uuidString, "name": habit.name, "days": days.counted("day")]
    }
  }

  private static let deleteTemplate = Page.template(
    #"""
    <p>“{{name}}” is deleted, with what you logged for it on {{days}}. Its recordings and your \#
    points stay, and days that gave you points stay complete.</p>
    <form method="post" action="/habits/{{id}}/delete" class="inline">\#
    <button class="button danger">Delete</button>
    <a class="button quiet" href="/habits/{{id}}">Keep it</a></form>
    """#)
}
