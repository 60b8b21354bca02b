internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Plans of readings, one for each day.
struct PlanPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("plans") { _, _ in try await list() }
    pages.post("plans") { request, context in
      let form = try await Form(request, context)
      let plan = try await host.write { library in
        let plan = try form.plan(now: Date())
        try library.faith.add(plan)
        return plan
      }
      return Page.redirect(to: "/faith/plans/\(plan.id)")
    }
    pages.get("plans/:id") { _, context in try await show(context.id("id")) }
    pages.post("plans/:id/read") { request, context in
      try await mark(context.id("id"), true, Form(request, context))
    }
    pages.post("plans/:id/unread") { request, context in
      try await mark(context.id("id"), false, Form(request, context))
    }
    pages.post("plans/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.faith.delete(ReadingPlan.self, id: id) }
      return Page.redirect(to: "/faith/plans")
    }
  }

  private func mark(_ id: UUID, _ isDone: Bool, _ form: Form) async throws -> Response {
    guard let position = form["position"].flatMap({ UInt16($0) }).map({ Int($0) }) else {
      throw RuleError("the reading is missing; choose one of the plan")
    }
    try await host.write { library in _ = try library.faith.read(position, of: id, isDone) }
    return Page.redirect(to: form.back)
  }

  // MARK: All plans

  private struct Item: Sendable {
    var id: String
    var title: String
    var state: String
    var done: Int
    var all: Int

    init(_ plan: ReadingPlan, _ today: Day) {
      id = plan.id.uuidString
      title = plan.title
      (done, all) = (plan.doneCount, plan.dailyReadings.count)
      let left = plan.leftToRead(by: today)
      state =
        "\(plan.startDate) to \(plan.endDate) · "
        + (all == 0 ? "no readings" : "\(done) of \(all) read")
        + (left > 0 ? " · \(left) to read" : "")
    }
  }

  private struct ListValues: Sendable {
    var plans: [Item]
    var isEmpty: Bool
    var today: String
  }

  private func list() async throws -> Response {
    let values = try await host.read { library in
      let today = Day()
      let plans = try library.faith.plans(limit: 50).map { Item($0, today) }
      return ListValues(plans: plans, isEmpty: plans.isEmpty, today: today.description)
    }
    return Page("Plans", .home, Self.listTemplate, values).response
  }

  private static let listTemplate = Page.template(
    #"""
    {{#isEmpty}}<p>There is no plan yet. One has a reading for each day, as short as you like.</p>{{/isEmpty}}
    <ul class="entries">{{#plans}}<li><a href="/faith/plans/{{id}}"><span class="what">{{title}}</span><span class="detail">{{state}}</span></a></li>{{/plans}}</ul>
    <details{{#isEmpty}} open{{/isEmpty}}><summary>Add a plan</summary><form method="post" action="/faith/plans" class="form">
    <label for="title">Title</label><input id="title" name="title" maxlength="200" required>
    <label for="readings">Readings, one a line</label><textarea id="readings" name="readings" rows="6" required></textarea>
    <label for="start">First day</label><input type="date" id="start" name="start" value="{{today}}">
    <label for="about">What it is about</label><textarea id="about" name="about" rows="2" maxlength="20000"></textarea>
    <p class="submit"><button class="button">Add it</button></p></form></details>
    <p><a class="button quiet" href="/faith">Faith</a></p>
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
    var plan: Item
    var about: String?
    var readings: [Reading]
    var hasReadings: Bool
  }

  private func show(_ id: UUID) async throws -> Response {
    let values = try await host.read { library in
      let plan = try library.faith.record(ReadingPlan.self, idPrefix: id.uuidString)
      let today = Day()
      return Values(
        plan: Item(plan, today), about: plan.details.nonBlank,
        readings: plan.dailyReadings.enumerated().map { position, reading in
          let day = plan.day(at: position)
          return Reading(
            position: position, day: day.description, reading: reading.reading,
            isDone: reading.doneAt != nil, isToday: day == today)
        }, hasReadings: !plan.dailyReadings.isEmpty)
    }
    return Page(values.plan.title, .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#about}}<p class="notes">{{.}}</p>{{/about}}
    <p id="state">{{plan.state}}</p>{{#hasReadings}}<progress aria-labelledby="state" max="{{plan.all}}" value="{{plan.done}}"></progress>{{/hasReadings}}
    <ul class="entries">{{#readings}}<li class="split"{{#isToday}} aria-current="date"{{/isToday}}><p><span class="what">{{reading}}</span><span class="detail">{{day}}{{#isToday}} · today{{/isToday}}{{#isDone}} · <span class="mild">✓ read</span>{{/isDone}}</span></p>
    {{#isDone}}<form method="post" action="/faith/plans/{{plan.id}}/unread"><input type="hidden" name="position" value="{{position}}"><input type="hidden" name="back" value="/faith/plans/{{plan.id}}"><button class="link">Not read<span class="hidden"> {{reading}}</span></button></form>{{/isDone}}
    {{^isDone}}<form method="post" action="/faith/plans/{{plan.id}}/read"><input type="hidden" name="position" value="{{position}}"><input type="hidden" name="back" value="/faith/plans/{{plan.id}}"><button class="button{{^isToday}} quiet{{/isToday}}">Read<span class="hidden"> {{reading}}</span></button></form>{{/isDone}}</li>{{/readings}}</ul>
    <p class="row"><a class="button quiet" href="/faith/plans">Plans</a></p>
    <details class="sure"><summary>Delete this plan</summary><form method="post" action="/faith/plans/{{plan.id}}/delete"><button class="button danger">Delete it</button></form></details>
    """#)
}

extension Form {
  /// The plan that was filled in. It ends with its last reading.
  ///
  /// - Throws: `RuleError` for what is no day.
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
