import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// The journal's page of today: the verse, the readings, a prompt, the prayers.
struct TodayPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get { request, _ in try await today(request.fields) }
  }

  private struct Reading: Sendable {
    var plan: String
    var title: String
    var position: Int
    var reading: String
    var isDone: Bool
    var left: String?
  }

  private struct Values: Sendable {
    var done: String?
    var mood: SavedMood?
    var verse: String?
    var readings: [Reading]
    var moods = MoodSuggestions.words
    var prompt: [String: String]?
    var prayers: [RecordLine]
    var entries: [RecordLine]
  }

  private func today(_ fields: Form) async throws -> Response {
    try await Page.response("Faith", tab: .home, template: Self.template, from: host) { library in
      let (faith, today) = (library.faith, Day())
      let prayers = try faith.prayers(matching: FaithQuery(status: .active, limit: 5))
      let entries = try faith.entries(matching: FaithQuery(limit: 5))
      let readings = try faith.plans(limit: 20).compactMap { Self.reading(of: $0, on: today) }
      return Values(
        done: fields["done"].flatMap(Self.sentence),
        mood: try SavedMood(fields, back: "/faith", in: library),
        verse: try faith.verse(of: today).map {
          try ShownVerse.html($0, in: faith, back: "/faith")
        },
        readings: readings,
        prompt: try faith.nextPrompt().map { ["id": $0.id.uuidString, "text": $0.prompt] },
        prayers: prayers.map(RecordLine.init),
        entries: try entries.map { try RecordLine($0, in: library) })
    }
  }

  /// The result of the previous page, in words.
  private static func sentence(_ done: String) -> String? {
    switch done {
    case "entry": "Saved."
    case "prayer": "Prayer saved."
    case "reading": "Marked as read."
    default: nil
    }
  }

  /// The reading of a day, or the first unread one of the days before it.
  private static func reading(of plan: ReadingPlan, on today: Day) -> Reading? {
    let position = today.days(since: plan.startDate)
    guard position >= 0 else { return nil }
    let readings = plan.dailyReadings
    let unread = readings.prefix(position + 1).firstIndex { $0.doneAt == nil }
    guard let shown = unread ?? (readings.indices.contains(position) ? position : nil) else {
      return nil
    }
    let left = plan.leftToRead(by: today)
    return Reading(
      plan: plan.id.uuidString, title: plan.title, position: shown,
      reading: readings[shown].reading, isDone: readings[shown].doneAt != nil,
      left: left > 1 ? "\(left) to read" : nil)
  }

  private static let template = Page.template(
    #"""
    {{#done}}<p role="status" class="lead">{{.}}</p>{{/done}}\#(SavedMood.html)
    <div class="actions"><a class="button large" href="/faith/new">Write</a>
    <a class="button large quiet" href="/faith/prayers/new">Pray</a></div>
    {{#verse}}<section aria-labelledby="verse">\#
    <h2 id="verse">Today’s verse</h2>{{{.}}}</section>{{/verse}}
    {{^empty(readings)}}<section><h2>To read</h2><ul class="entries">{{#readings}}\#
    <li class="split"><a href="/faith/plans/{{plan}}"><span class="what">{{reading}}</span>\#
    <span class="detail">{{title}}{{#left}} · {{.}}{{/left}}</span></a>
    {{#isDone}}<p class="mild"><span aria-hidden="true">✓ </span>Read</p>{{/isDone}}{{^isDone}}\#
    <form method="post" action="/faith/plans/{{plan}}/read">\#
    <input type="hidden" name="position" value="{{position}}">\#
    <input type="hidden" name="back" value="/faith?done=reading">\#
    <button class="button">Mark as read<span class="hidden"> {{reading}}</span></button>\#
    </form>{{/isDone}}</li>{{/readings}}</ul></section>{{/empty(readings)}}
    <section><h2>How are you?</h2><form method="post" action="/faith/moods" class="chips">\#
    {{#moods}}<button name="mood" value="{{.}}" class="button quiet">{{.}}</button>{{/moods}}
    <a class="button quiet" href="/faith/moods">In my own words</a></form></section>
    {{#prompt}}<section class="card message" aria-label="A prompt"><p>{{text}}</p><p>\#
    <a href="/faith/new?prompt={{id}}">Write about it</a></p></section>{{/prompt}}
    <section><h2>Prayers</h2>{{^empty(prayers)}}\#
    \#(RecordLine.list("prayers", rest: PrayerPages.answered)){{/empty(prayers)}}{{^prayers}}\#
    <p>No prayer is open.</p>{{/prayers}}<p>\#
    <a class="button quiet" href="/faith/prayers">All prayers</a></p></section>
    <section><h2>What you wrote</h2>{{^empty(entries)}}\#
    \#(RecordLine.list("entries")){{/empty(entries)}}{{^entries}}\#
    <p>Nothing yet. A line is enough.</p>{{/entries}}<p>\#
    <a class="button quiet" href="/faith/entries">All that you wrote</a></p></section>
    <section><h2>More</h2><p class="row"><a class="button quiet" href="/faith/moods">Moods</a> \#
    <a class="button quiet" href="/faith/verses">Verses</a> \#
    <a class="button quiet" href="/faith/plans">Plans</a> \#
    <a class="button quiet" href="/faith/prompts">Prompts</a> \#
    <a class="button quiet" href="/faith/devotionals">Devotionals</a> \#
    <a class="button quiet" href="/faith/study">Study</a></p></section>
    """#)
}
