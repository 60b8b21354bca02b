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
    var hero: Hero
    var figures: [String]
    var hint: String?
    var hasCravings: Bool
    var helped: [Link]
  }

  /// The figure at the top.
  private struct Hero: Sendable {
    /// The number; `nil` if the words say it all.
    var number: String?
    var words: String
    var sentences: [String] = []
    var isEmpty = false
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
    let figures = ProgressFigures(statistics: statistics, amounts: amounts)
    let values = Values(
      periods: StatisticsPeriod.allCases.map {
        Choice($0.rawValue, $0.days.map { "\($0) days" } ?? "All", isChosen: $0 == period)
      }, hero: Self.hero(statistics, amounts, period), figures: figures.all.compactMap { $0?.html },
      hint: figures.hint, hasCravings: cravings.count > 0,
      helped: cravings.helpedBy.map {
        Link(
          path: "/recordings/\($0.id)", title: $0.displayTitle, count: "helped \($0.count.times)")
      })
    return Page("Progress", tab: .progress, template: Self.template, values: values).response
  }

  private static func hero(
    _ statistics: Statistics, _ amounts: AmountHistory, _ period: StatisticsPeriod
  ) -> Hero {
    let (cravings, usage) = (statistics.cravings.count, statistics.usage)
    let time = period.days.map { "in the last \($0) days" } ?? "so far"
    guard usage.lastUse != nil else {
      guard cravings > 0 else {
        return Hero(words: "Nothing was logged \(time).", isEmpty: true)
      }
      return Hero(
        number: "\(cravings)",
        words: "\(cravings == 1 ? "craving" : "cravings") logged \(time)")
    }
    let without = TimeWithoutUse(statistics)
    var sentences = without.sentences(
      hint: "If this is a hard moment, there is a kind word for you on Home.")
    let first = sentences.removeFirst()
    if let earlier = daysBeforeUse(statistics, amounts, without) {
      sentences = sentences.prefix(without.isFirstDay ? 1 : 0) + [earlier]
    } else if usage.count == 1, !without.isFirstDay, usage.longestStretch?.since == usage.lastUse {
      // After a single use there is nothing to compare with.
      sentences = []
    }
    let counts = "\(cravings.counted("craving")) and \(usage.count.counted("use"))"
    let number = first.prefix(while: \.isNumber)
    let words = first.dropFirst(number.count).trimmingCharacters(in: [" ", "."])
    return Hero(
      number: number.isEmpty ? nil : String(number), words: number.isEmpty ? first : words,
      sentences: sentences + ["\(counts) \(time)."])
  }

  /// A sentence on the days from the first craving to the first use, if no stretch was longer. The
  /// figures begin with a use.
  private static func daysBeforeUse(
    _ statistics: Statistics, _ amounts: AmountHistory, _ without: TimeWithoutUse
  ) -> String? {
    guard let use = amounts.byDay.first?.day,
      let craving = statistics.cravings.intensity.byDay.first.flatMap({ try? Day($0.day) })
    else { return nil }
    let days = use.days(since: craving)
    guard days > 0, Double(days) > statistics.usage.longestStretch?.days ?? 0 else { return nil }
    let length = "at least \(days.counted("day"))"
    return without.isFirstDay
      ? "Before that you went \(length) without using. Those days still count."
      : "Longest stretch: \(length), from \(craving.shortWords) to \(use.shortWords)."
  }

  private static let template = Page.template(
    #"""
    <nav class="periods" aria-label="Period"><ul>{{#periods}}<li>\#
    <a href="/progress?days={{value}}"{{#isChosen}} aria-current="true"{{/isChosen}}>{{name}}</a>\#
    </li>{{/periods}}</ul></nav>
    {{#hero}}<section class="card hero"><p>{{#number}}<strong>{{.}}</strong> {{/number}}\#
    <span>{{words}}</span></p>{{#sentences}}<p class="detail">{{.}}</p>{{/sentences}}
    {{#isEmpty}}<p class="detail">This fills in as you log.</p><p class="row">\#
    <a class="button" href="/craving?back=/progress">Log craving</a>\#
    <a class="button quiet" href="/use?back=/progress">Log use</a></p>{{/isEmpty}}\#
    </section>{{/hero}}
    {{#figures}}{{{.}}}{{/figures}}
    {{^empty(helped)}}<section><h2>Recordings that helped</h2>
    <ul class="entries">{{#helped}}<li><a href="{{path}}">\#
    <span class="what">{{title}}</span> \#
    <span class="detail">{{count}}</span></a></li>{{/helped}}</ul></section>{{/empty(helped)}}
    {{#hint}}<p class="hint">{{.}}</p>{{/hint}}
    {{#hasCravings}}{{^helped}}<p class="hint">Link a craving to the recording that helped, and \#
    Progress shows it.</p>{{/helped}}{{/hasCravings}}
    <p><a class="button quiet" href="/history">What you logged</a></p>
    """#)
}
