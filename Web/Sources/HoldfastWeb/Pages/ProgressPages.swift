internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// What the figures of a period say. One column: what helps comes before what happened.
struct ProgressPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/progress") { request, _ in
      let chosen = request.fields["days"] ?? "30"
      guard let period = StatisticsPeriod(rawValue: chosen) else { throw WebProblem.notFound }
      return try await show(period)
    }
  }

  private struct Period: Sendable {
    var value: String
    var name: String
    var isChosen: Bool
  }

  private struct Values: Sendable {
    var periods: [Period]
    var summary: String
    var without: [String]
    var charts: [Chart]
    var helped: [Link]
    var hasHelped: Bool
  }

  private struct Link: Sendable {
    var path: String
    var title: String
    var count: String
  }

  private func show(_ period: StatisticsPeriod) async throws -> Response {
    let statistics = try await host.read { library in try library.statistics(of: period) }
    let cravings = statistics.cravings
    let counts =
      "\(cravings.count.counted("craving")) and \(statistics.usage.count.counted("use")) logged"
    let values = Values(
      periods: StatisticsPeriod.allCases.map {
        Period(
          value: $0.rawValue, name: $0.days.map { "\($0) days" } ?? "All", isChosen: $0 == period)
      },
      summary: "\(period.days.map { "The last \($0) days" } ?? "Everything so far"): \(counts).",
      without: TimeWithoutUse(statistics).sentences(
        hint: "If this is a hard moment, there is a kind word for you on Home."),
      charts: Self.charts(statistics),
      helped: cravings.helpedBy.map {
        Link(
          path: "/recordings/\($0.id)", title: $0.displayTitle,
          count: $0.count == 1 ? "helped once" : "helped \($0.count) times")
      }, hasHelped: !cravings.helpedBy.isEmpty)
    return Page("Progress", .progress, Self.template, values).response
  }

  private static func charts(_ statistics: Statistics) -> [Chart] {
    let cravings = statistics.cravings
    let intensity = cravings.intensity
    let points = intensity.byDay.count <= 31 ? intensity.byDay : intensity.byWeek
    var charts = [
      Chart(
        "Intensity over time",
        cravings.averageIntensity.map { "\(number($0)) on average." }
          ?? "Log a craving when one comes, and its intensity appears here.",
        points.map { Bar(label: $0.day, value: $0.average, text: number($0.average)) },
        full: 10),
      Chart(
        "Triggers", first(cravings.byTrigger) { $0.rawValue },
        cravings.byTrigger.map {
          Bar(label: $0.value.rawValue, value: Double($0.count), text: "\($0.count)")
        }),
      Chart(
        "Places", first(cravings.byLocation) { $0.label },
        cravings.byLocation.map {
          Bar(label: $0.value.label, value: Double($0.count), text: "\($0.count)")
        }),
      Chart(
        "Hours of the day", most(cravings.byHour) { "\($0):00" },
        cravings.byHour.map {
          Bar(label: "\($0.value):00", value: Double($0.count), text: "\($0.count)")
        }),
      Chart(
        "Weekdays", most(cravings.byWeekday) { $0.rawValue },
        cravings.byWeekday.map {
          Bar(label: $0.value.rawValue, value: Double($0.count), text: "\($0.count)")
        }),
    ]
    charts.append(
      Chart(
        "Methods",
        statistics.usage.byMethod.isEmpty ? "None in this period." : "What was logged, by method.",
        statistics.usage.byMethod.map {
          Bar(label: $0.method.rawValue, value: Double($0.count), text: $0.method.text($0.amount))
        }))
    return charts
  }

  private static func number(_ value: Double) -> String {
    "\((value * 10).rounded() / 10)"
  }

  private static func first<Value>(_ tallies: [Tally<Value>], _ name: (Value) -> String) -> String {
    guard let top = tallies.first else { return "It appears here once something is logged." }
    return "\(name(top.value)) came up most, \(top.count == 1 ? "once" : "\(top.count) times")."
  }

  private static func most<Value>(_ tallies: [Tally<Value>], _ name: (Value) -> String) -> String {
    first(tallies.sorted { $0.count > $1.count }, name)
  }

  private static let template = Page.template(
    #"""
    <nav class="periods" aria-label="Period"><ul>{{#periods}}<li><a href="/progress?days={{value}}"{{#isChosen}} aria-current="true"{{/isChosen}}>{{name}}</a></li>{{/periods}}</ul></nav>
    <p class="lead">{{summary}}</p>
    <section><h2>Time without</h2>{{#without}}<p>{{.}}</p>{{/without}}</section>
    <section><h2>Recordings that helped</h2>
    {{#hasHelped}}<ul class="entries">{{#helped}}<li><a href="{{path}}"><span class="what">{{title}}</span> <span class="detail">{{count}}</span></a></li>{{/helped}}</ul>{{/hasHelped}}
    {{^hasHelped}}<p>Link a craving to the recording that helped, and it appears here.</p>{{/hasHelped}}</section>
    {{#charts}}{{{html}}}{{/charts}}
    """#)
}

/// One bar of a chart.
struct Bar: Sendable {
  var label: String
  var value: Double
  var text: String
}

/// A chart with a sentence that says what it shows, and a table behind it.
struct Chart: Sendable {
  let html: String

  private struct Drawn: Sendable {
    var label: String
    var text: String
    var y: Int
    var textY: Int
    var width: Int
    var endX: Int
  }

  private struct Values: Sendable {
    var title: String
    var sentence: String
    var bars: [Drawn]
    var height: Int
    var hasBars: Bool
  }

  /// - Parameters:
  ///   - title: The heading.
  ///   - sentence: What the chart shows.
  ///   - bars: The bars; none for nothing to show.
  ///   - full: The value of the longest bar; by default the largest of the values.
  init(_ title: String, _ sentence: String, _ bars: [Bar], full: Double? = nil) {
    let largest = max(full ?? bars.map(\.value).max() ?? 1, 0.001)
    let drawn = bars.enumerated().map { row, bar in
      let width = max(Int(200 * bar.value / largest), 2)
      return Drawn(
        label: bar.label, text: bar.text, y: row * 28 + 4, textY: row * 28 + 19, width: width,
        endX: 124 + width)
    }
    html = Self.template.render(
      Values(
        title: title, sentence: sentence, bars: drawn, height: bars.count * 28 + 4,
        hasBars: !bars.isEmpty))
  }

  private static let template = Page.template(
    #"""
    <section><h2>{{title}}</h2><p>{{sentence}}</p>
    {{#hasBars}}<svg class="chart" viewBox="0 0 400 {{height}}" aria-hidden="true">
    {{#bars}}<text x="0" y="{{textY}}">{{label}}</text><rect x="116" y="{{y}}" width="{{width}}" height="20" rx="4"/><text x="{{endX}}" y="{{textY}}">{{text}}</text>{{/bars}}
    </svg><details><summary>As a table</summary><table><tbody>{{#bars}}<tr><th scope="row">{{label}}</th><td>{{text}}</td></tr>{{/bars}}</tbody></table></details>{{/hasBars}}</section>
    """#)
}
