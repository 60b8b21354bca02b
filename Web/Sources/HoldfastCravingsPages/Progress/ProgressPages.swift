import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

/// The figures of a period, in one column.
struct ProgressPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/progress") { request, _ in
      let chosen = request.fields["days"] ?? "30"
      guard let period = StatisticsPeriod(rawValue: chosen) else { throw WebProblem.notFound }
      return try await show(period)
    }
  }

  private struct Values: Sendable {
    var periods: [Choice]
    var summary: String
    var time: [String]
    var longest: [String]
    var figures: [String]
    var helped: [Link]
  }

  private struct Link: Sendable {
    var path: String
    var title: String
    var count: String
  }

  private func show(_ period: StatisticsPeriod) async throws -> Response {
    let (statistics, amounts) = try await host.read { library in
      let now = Date()
      return (
        try library.statistics(of: period, now: now), try library.amounts(of: period, now: now)
      )
    }
    let cravings = statistics.cravings
    let counts =
      "\(cravings.count.counted("craving")) and \(statistics.usage.count.counted("use")) logged"
    let without = TimeWithoutUse(statistics)
    let sentences = without.sentences(
      hint: "If this is a hard moment, there is a kind word for you on Home.")
    // On the day of a use, the hint belongs with the time.
    let first = sentences.prefix(without.isFirstDay ? 2 : 1)
    let longest = Array(sentences.dropFirst(first.count)) + Self.dates(statistics, without)
    let values = Values(
      periods: StatisticsPeriod.allCases.map {
        Choice($0.rawValue, $0.days.map { "\($0) days" } ?? "All", isChosen: $0 == period)
      },
      summary: "\(period.days.map { "The last \($0) days" } ?? "Everything so far"): \(counts).",
      time: Array(first),
      longest: longest,
      figures: ProgressFigures(statistics: statistics, amounts: amounts).all.map(\.html),
      helped: cravings.helpedBy.map {
        Link(
          path: "/recordings/\($0.id)", title: $0.displayTitle, count: "helped \($0.count.times)")
      })
    return Page("Progress", .progress, Self.template, values).response
  }

  /// The dates of the longest stretch while it lasts. The sentence about an ended stretch has its
  /// own.
  private static func dates(_ statistics: Statistics, _ without: TimeWithoutUse) -> [String] {
    guard !without.isFirstDay, let stretch = statistics.usage.longestStretch,
      stretch.until == statistics.until, stretch.since != statistics.since
    else { return [] }
    let days = String(format: "%.1f days", stretch.days)
    return ["\(days), from \(statistics.usage.day(stretch.since)) until now."]
  }

  private static let template = Page.template(
    #"""
    <nav class="periods" aria-label="Period"><ul>{{#periods}}<li>\#
    <a href="/progress?days={{value}}"{{#isChosen}} aria-current="true"{{/isChosen}}>{{name}}</a>\#
    </li>{{/periods}}</ul></nav>
    <p class="lead">{{summary}}</p>
    <section><h2>Time since the last use</h2>{{#time}}<p>{{.}}</p>{{/time}}</section>
    {{^empty(longest)}}<section><h2>Longest stretch</h2>{{#longest}}\#
    <p>{{.}}</p>{{/longest}}</section>{{/empty(longest)}}
    {{#figures}}{{{.}}}{{/figures}}
    <section><h2>Recordings that helped</h2>
    {{^empty(helped)}}<ul class="entries">{{#helped}}<li><a href="{{path}}">\#
    <span class="what">{{title}}</span> \#
    <span class="detail">{{count}}</span></a></li>{{/helped}}</ul>{{/empty(helped)}}
    {{^helped}}<p>Link a craving to the recording that helped, and it appears \#
    here.</p>{{/helped}}</section>
    """#)
}
