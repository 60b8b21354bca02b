import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb
import Hummingbird

/// A month of the diary, and the search in all of it.
struct MonthPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("months") { _, _ in try await show(Day().firstOfMonth) }
    pages.get("months/:month") { _, context in
      try await show(Day(context.parameters.require("month") + "-01"))
    }
    pages.get("entries") { request, _ in try await search(request.fields) }
  }

  // MARK: A month

  private struct Cell: Sendable {
    var day: String
    var number: String
    var name: String
    var calories: String
    var isToday: Bool
    var isFuture: Bool
  }

  private struct Values: Sendable {
    /// Empty cells before the first day, so that each column is a weekday.
    var blanks: [Int]
    var cells: [Cell]
    var summary: String
    var previous: String
    var next: String?
  }

  private func show(_ first: Day) async throws -> Response {
    let (next, today) = (first.adding(days: 31).firstOfMonth, Day())
    let values = try await host.read { library in
      let totals = Dictionary(
        try library.food.totals(from: first, through: next.adding(days: -1))
          .filter(\.hasEntries).map { ($0.day, $0) }, uniquingKeysWith: { $1 })
      let known = totals.values.filter { $0.nutrition != Nutrition() }
      let mean = known.reduce(0) { $0 + $1.totalCalories } / Double(max(known.count, 1))
      return Values(
        blanks: Array(0..<first.days(since: first.monday)),
        cells: (0..<next.days(since: first)).map { place in
          let day = first.adding(days: place)
          let total = totals[day]
          let isUnknown = total?.nutrition == Nutrition()
          let calories = isUnknown ? "✓" : total?.totalCalories.rounded().foodText
          let logged = isUnknown ? ", logged" : calories.map { ", \($0) kcal" }
          return Cell(
            day: day.description, number: "\(place + 1)", name: day.words + (logged ?? ""),
            calories: calories ?? "", isToday: day == today, isFuture: day > today)
        },
        summary: totals.isEmpty
          ? "Nothing was logged in this month."
          : "\(totals.count.counted("day")) logged"
            + (known.isEmpty ? "." : ", \(mean.rounded().foodText) kcal on average."),
        previous: first.adding(days: -1).month, next: next <= today ? next.month : nil)
    }
    return Page("Food in \(first.monthName)", tab: .home, template: Self.template, values: values)
      .response
  }

  private static let template = Page.template(
    #"""
    <p>{{summary}}</p>
    <div class="scroll"><p class="week weekdays detail" aria-hidden="true"><span>Mon</span>\#
    <span>Tue</span><span>Wed</span>\#
    <span>Thu</span><span>Fri</span><span>Sat</span><span>Sun</span></p>
    <ol class="week month">{{#blanks}}<li aria-hidden="true"></li>{{/blanks}}{{#cells}}\#
    <li{{#isToday}} aria-current="date"{{/isToday}}>{{^isFuture}}<a href="/food/days/{{day}}" \#
    aria-label="{{name}}"><span>{{number}}</span>\#
    <span class="detail">{{calories}}</span></a>{{/isFuture}}{{#isFuture}}\#
    <span>{{number}}</span>{{/isFuture}}</li>{{/cells}}</ol></div>
    <p class="pages"><a href="/food/months/{{previous}}" rel="prev">The month before</a> {{#next}}\#
    <a href="/food/months/{{.}}" rel="next">The month after</a>{{/next}}</p>
    """#)

  // MARK: Searching

  private struct Found: Sendable {
    var search: String
    var records: [RecordLine]
    var isMore: Bool
  }

  private static let most = 100

  private func search(_ fields: Form) async throws -> Response {
    let text = fields["q"]
    return try await Page.response("All food", tab: .home, template: Self.list, from: host) {
      library in
      let entries = try library.food.entries(
        matching: FoodQuery(search: text, limit: Self.most + 1))
      return Found(
        search: text ?? "",
        records: entries.prefix(Self.most).map { entry in
          let figures = entry.nutrition.text.map { " · \($0)" } ?? ""
          return RecordLine(
            entry.id.uuidString, entry.foodName,
            detail: "\(entry.ownDay.words) · \(entry.quantity.foodText) \(entry.unit)\(figures)",
            path: "/food/entries/\(entry.id)", recording: entry.recordingID)
        }, isMore: entries.count > Self.most)
    }
  }

  private static let list = Page.template(
    #"""
    <form method="get" action="/food/entries" class="filters" role="search">\#
    <label class="hidden" for="q">Search</label>\#
    <input type="search" id="q" name="q" value="{{search}}" placeholder="Search what you ate">\#
    <button class="button quiet">Search</button></form>
    {{^records}}<p role="status">No entries match.</p>{{/records}}
    \#(RecordLine.list("records"))
    {{#isMore}}<p>There are more. Search for a part of the name.</p>{{/isMore}}
    """#)
}

extension Day {
  fileprivate var firstOfMonth: Day { (try? Day(description.prefix(8) + "01")) ?? self }
  /// The year and the month, as an address has them.
  fileprivate var month: String { String(description.prefix(7)) }
}
