import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb
import Hummingbird

/// Today and the days before it, with their sums.
struct DayPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get { request, _ in try await today(logged: request.fields["logged"]) }
    pages.get("days/:day") { request, context in
      let day = try Day(context.parameters.require("day"))
      return try await show(day, logged: request.fields["logged"])
    }
    pages.get("days/:day/delete") { _, context in
      try await askToDelete(Day(context.parameters.require("day")))
    }
    pages.post("days/:day/delete") { _, context in
      let day = try Day(context.parameters.require("day"))
      try await host.delete { library in _ = try library.food.delete(day) }
      return Page.redirect(to: "/food")
    }
  }

  private struct Item: Sendable {
    var id: String
    var time: String
    var name: String
    var amount: String
    var figures: String?
    var said: String?
    var recording: String?
    var isOutside: Bool

    init(_ entry: FoodEntry) {
      id = entry.id.uuidString
      time = String(entry.timestamp.localText(offset: entry.timestampOffset).dropFirst(11))
      name = entry.foodName
      amount = "\(entry.quantity.foodText) \(entry.unit)"
      figures = entry.nutrition.text
      said = entry.rawDescription.nonBlank
      recording = entry.recordingID?.uuidString
      isOutside = entry.day == nil
    }
  }

  private struct Row: Sendable {
    var day: String
    var name: String
    var calories: String
    var protein: String
    var carbohydrates: String
    var fat: String

    init(_ total: FoodDayTotal) {
      day = total.day.description
      name = total.day.words
      // A sum of 0 mostly means that nothing is known.
      func text(_ sum: Double) -> String { sum == 0 ? "–" : sum.foodText }
      calories = text(total.totalCalories)
      protein = text(total.totalProtein)
      carbohydrates = text(total.totalCarbohydrates)
      fat = text(total.totalFat)
    }
  }

  private struct Values: Sendable {
    var logged: String?
    var back: String
    var day: String
    var previous: String
    var next: String?
    var items: [Item]
    var sums: String?
    var canBeDeleted: Bool
    var days: [Row] = []
    /// Whether a day has one of the figures beside the energy.
    var hasNutrients = false
    var average: String?

    init(_ day: Day, logged: String?, in library: Library) throws {
      self.logged = logged.flatMap { UUID(uuidString: $0)?.uuidString }
      self.day = day.description
      back = day == Day() ? "/food" : "/food/days/\(day)"
      previous = day.adding(days: -1).description
      next = day < Day() ? day.adding(days: 1).description : nil
      items = try library.food.entries(matching: FoodQuery(from: day, through: day))
        .map(Item.init)
      let total = try library.food.total(of: day)
      // One entry has its figures beside it.
      sums = items.count > 1 ? total.nutrition.text : nil
      canBeDeleted = try library.record(FoodDay.self, id: day.description) != nil
    }
  }

  private func today(logged: String?) async throws -> Response {
    try await Page.response("Food", tab: .home, template: Self.todayTemplate, from: host) {
      library in
      let today = Day()
      var values = try Values(today, logged: logged, in: library)
      let days = try library.food.totals(from: today.adding(days: -6), through: today)
        .filter(\.hasEntries)
      // The sums of today are above.
      if days.contains(where: { $0.day != today }) { values.days = days.map(Row.init) }
      values.hasNutrients = days.contains {
        $0.totalProtein + $0.totalCarbohydrates + $0.totalFat > 0
      }
      if days.count > 1 {
        values.average = try library.food.statistics(of: .week).dayAverage?.text
      }
      return values
    }
  }

  private func show(_ day: Day, logged: String?) async throws -> Response {
    try await Page.response(
      "Food, \(day.words)", tab: .home, template: Self.dayTemplate, from: host
    ) {
      try Values(day, logged: logged, in: $0)
    }
  }

  private static let todayTemplate = Page.template(
    notice + #"""
      <div class="actions"><a class="button large" href="/food/new">Write it</a>
      <a class="button large quiet" href="/record?kind=audio&amp;then=/food/new">Say it</a></div>
      <section><h2>Today</h2>
      """# + list + #"""
        {{^items}}<p>Nothing logged today.</p>{{/items}}</section>
        {{^empty(days)}}<section><h2>The last seven days</h2>
        {{#average}}<p>On a day with entries, on average: {{.}}.</p>{{/average}}
        <div class="scroll"><table class="figures"><thead><tr><th scope="col">Day</th>\#
        <th scope="col">kcal</th>{{#hasNutrients}}<th scope="col">Protein</th>\#
        <th scope="col">Carbs</th><th scope="col">Fat</th>{{/hasNutrients}}</tr></thead>
        <tbody>{{#days}}<tr><th scope="row"><a href="/food/days/{{day}}">{{name}}</a></th>\#
        <td>{{calories}}</td>{{#hasNutrients}}<td>{{protein}}</td><td>{{carbohydrates}}</td>\#
        <td>{{fat}}</td>{{/hasNutrients}}</tr>{{/days}}</tbody></table></div>
        {{#hasNutrients}}<p class="hint">Protein, carbohydrates and fat are in grams.</p>\#
        {{/hasNutrients}}</section>{{/empty(days)}}
        <p class="row"><a class="button quiet" href="/food/ingredients">Ingredients</a> \#
        <a class="button quiet" href="/food/days/{{previous}}">Yesterday</a> \#
        <a class="button quiet" href="/food/months">Month</a> \#
        <a class="button quiet" href="/food/entries">Search</a></p>
        """#)

  private static let dayTemplate = Page.template(
    notice + list + #"""
      {{^items}}<p>Nothing logged on this day.</p>{{/items}}
      <p class="pages"><a href="/food/days/{{previous}}" rel="prev">The day before</a> {{#next}}\#
      <a href="/food/days/{{.}}" rel="next">The day after</a>{{/next}}</p>
      <p class="row"><a class="button quiet" href="/food/new?day={{day}}">Write something</a> \#
      <a class="button quiet" href="/food">Today</a></p>
      {{#canBeDeleted}}<p><a class="danger" href="/food/days/{{day}}/delete">Delete this day…</a>\#
      </p>{{/canBeDeleted}}
      """#)

  private static let notice = #"""
    {{#logged}}<div class="notice"><p role="status" class="lead">Saved.</p>
    <form method="post" action="/food/entries/{{.}}/delete" data-undo>\#
    <input type="hidden" name="back" value="{{back}}">\#
    <input type="hidden" name="undo" value="1">\#
    <button class="link">Undo</button></form></div>{{/logged}}
    """#

  private static let list = #"""
    {{#sums}}<p class="lead">{{.}}</p>{{/sums}}
    <ul class="entries">{{#items}}<li class="split"><a href="/food/entries/{{id}}">\#
    <span class="time">{{time}}</span> <span class="what">{{name}}</span>
    <span class="detail">{{amount}}{{#figures}} · {{.}}{{/figures}}\#
    {{#isOutside}} · not in the sums{{/isOutside}}</span>{{#said}}\#
    <span class="notes">“{{.}}”</span>{{/said}}</a>
    {{#recording}}<a class="play" href="/recordings/{{.}}" \#
    aria-label="Play what you said about {{name}}">Play</a>{{/recording}}</li>{{/items}}</ul>
    """#

  // MARK: Deleting a day

  private func askToDelete(_ day: Day) async throws -> Response {
    try await Page.response(
      "Delete \(day.words)?", tab: .home, template: Self.deleteTemplate, from: host
    ) { library in
      let count = try library.food.total(of: day).entryCount
      return [
        "day": day.description, "name": day.words,
        "entries": count == 1 ? "1 entry" : "\(count) entries",
      ]
    }
  }

  private static let deleteTemplate = Page.template(
    #"""
    <p>This deletes {{entries}} of {{name}}. The recordings in which you said them stay.</p>
    <form method="post" action="/food/days/{{day}}/delete" class="inline">\#
    <button class="button danger">Delete</button>
    <a class="button quiet" href="/food/days/{{day}}">Keep it</a></form>
    """#)
}
