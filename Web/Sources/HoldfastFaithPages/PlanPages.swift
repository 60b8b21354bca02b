import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// Plans of readings, one for each day.
struct PlanPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("plans") { _, _ in try await list() }
    pages.form("plans", host: host) { library, form in
      let plan = try form.plan(now: Date())
      try library.add(plan)
      return "/faith/plans/\(plan.id)"
    }
    pages.get("plans/:id") { _, context in try await show(context.id("id")) }
    for (path, isDone) in [("read", true), ("unread", false)] {
      pages.form(RouterPath("plans/:id/\(path)"), host: host) { library, id, form in
        guard let position = form["position"].flatMap({ UInt16($0) }).map({ Int($0) }) else {
          throw RuleError("the reading is missing; choose one of the plan")
        }
        _ = try library.faith.read(position, of: id, isDone)
        return form.back
      }
    }
    pages.deletion(of: ReadingPlan.self, "plans/:id/delete", host: host, then: "/faith/plans")
  }

  // MARK: All plans

  private struct ListValues: Sendable {
    var plans: [RecordLine]
    var today: String
  }

  private func list() async throws -> Response {
    try await Page.response("Plans", tab: .home, template: Self.listTemplate, from: host) {
      library in
      let today = Day()
      let plans = try library.faith.plans(limit: 50).map { plan in
        RecordLine(
          plan.id.uuidString, plan.title, detail: plan.state(on: today),
          path: "/faith/plans/\(plan.id)")
      }
      return ListValues(plans: plans, today: today.description)
    }
  }

  private static let listTemplate = Page.template(
    #"""
    {{^plans}}<p>No plans yet. A plan has a reading for each day, as short as you \#
    like.</p>{{/plans}}
    \#(RecordLine.list("plans", isSplit: false))
    <details{{^plans}} open{{/plans}}><summary>Add a plan</summary>\#
    <form method="post" action="/faith/plans" class="form">
    <label for="title">Title</label><input id="title" name="title" maxlength="200" required>
    <label for="readings">Readings, one a line</label>\#
    <textarea id="readings" name="readings" rows="6" required></textarea>
    <label for="start">First day</label>\#
    <input type="date" id="start" name="start" value="{{today}}">
    <label for="about">What it is about</label>\#
    <textarea id="about" name="about" rows="2" maxlength="20000"></textarea>
    <p class="submit"><button class="button">Add it</button></p></form></details>
    """#)

  // MARK: One plan

  private struct Reading: Sendable {
    var position: Int
    var day: String
    var reading: String
    var isDone: Bool
    var isToday: Bool
  }

  private struct Values: Sendable {
    var plan: ReadingPlan
    var state: String
    var done: Int
    var about: String?
    var readings: [Reading]
  }

  private func show(_ id: UUID) async throws -> Response {
    let values = try await host.read { library in
      let plan = try library.record(ReadingPlan.self, idPrefix: id.uuidString)
      let today = Day()
      return Values(
        plan: plan, state: plan.state(on: today), done: plan.doneCount,
        about: plan.details.nonBlank,
        readings: plan.dailyReadings.enumerated().map { position, reading in
          let day = plan.day(at: position)
          return Reading(
            position: position, day: day.words, reading: reading.reading,
            isDone: reading.doneAt != nil, isToday: day == today)
        })
    }
    return Page(values.plan.title, tab: .home, template: Self.template, values: values).response
  }

  private static let template = Page.template(
    #"""
    {{#about}}<p class="notes">{{.}}</p>{{/about}}
    <p id="state">{{state}}</p>{{^empty(readings)}}\#
    <progress aria-labelledby="state" max="{{count(readings)}}" value="{{done}}">\#
    </progress>{{/empty(readings)}}
    <ul class="entries">{{#readings}}\#
    <li class="split"{{#isToday}} aria-current="date"{{/isToday}}><p>\#
    <span class="what">{{reading}}</span><span class="detail">{{day}}\#
    {{#isDone}} · \#
    <span class="mild">✓ read</span>{{/isDone}}</span></p>
    {{#isDone}}<form method="post" action="/faith/plans/{{plan.id}}/unread">\#
    <input type="hidden" name="position" value="{{position}}">\#
    <input type="hidden" name="back" value="/faith/plans/{{plan.id}}">\#
    <button class="link">Mark as not read<span class="hidden"> {{reading}}</span></button>\#
    </form>{{/isDone}}
    {{^isDone}}<form method="post" action="/faith/plans/{{plan.id}}/read">\#
    <input type="hidden" name="position" value="{{position}}">\#
    <input type="hidden" name="back" value="/faith/plans/{{plan.id}}">\#
    <button class="button{{^isToday}} quiet{{/isToday}}">Mark as read\#
    <span class="hidden"> {{reading}}</span></button></form>{{/isDone}}</li>{{/readings}}</ul>
    <p class="row"><a class="button quiet" href="/faith/plans">Plans</a></p>
    \#(Page.deletion(of: "/faith/plans/{{plan.id}}", "Delete this plan"))
    """#)
}

extension ReadingPlan {
  /// Its days and its progress.
  fileprivate func state(on today: Day) -> String {
    let (count, left) = (dailyReadings.count, leftToRead(by: today))
    return "\(startDate.words) to \(endDate.words) · "
      + (count == 0 ? "no readings" : "\(doneCount) of \(count) read")
      + (left > 0 ? " · \(left) to read" : "")
  }
}

extension Form {
  /// The plan that was filled in. It ends with its last reading.
  ///
  /// - Throws: `RuleError` for a text that is not a day.
  fileprivate func plan(now: Date) throws -> ReadingPlan {
    let start = try self["start"].map { try Day($0) } ?? Day(now: now)
    let readings = (self["readings"] ?? "").split(whereSeparator: \.isNewline).map(String.init)
      .filter { $0.nonBlank != nil }
    return ReadingPlan(
      title: self["title"] ?? "", details: self["about"] ?? "", startDate: start,
      endDate: start.adding(days: max(readings.count, 1) - 1), dailyReadings: readings,
      createdAt: now)
  }
}
