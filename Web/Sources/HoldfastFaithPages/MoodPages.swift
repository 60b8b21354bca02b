internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Moods, in a person's own words.
struct MoodPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("moods") { request, _ in try await show(request.fields) }
    pages.post("moods") { request, context in
      let form = try await Form(request, context)
      try await host.write { library in
        let now = Date()
        let moment = try form.moment(now: now)
        let mood = MoodEntry(
          mood: form["own"] ?? form["mood"] ?? "", date: moment?.date ?? now,
          dateOffset: moment?.offset, notes: form["notes"], recordingID: form.recording,
          createdAt: now)
        try library.faith.add(mood, now: now)
      }
      return Page.redirect(to: form["when"] == nil ? "/faith?done=mood" : "/faith/moods?done=1")
    }
    pages.post("moods/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.faith.delete(MoodEntry.self, id: id) }
      return Page.redirect(to: "/faith/moods")
    }
  }

  private struct Item: Sendable {
    var id: String
    var mood: String
    var when: String
    var notes: String?
    var recording: String?
  }

  private struct Period: Sendable {
    var value: Int
    var isChosen: Bool
  }

  private struct Values: Sendable {
    var isDone: Bool
    var words = MoodSuggestions.words
    var when: String
    var recordings: [RecordingChoice]
    var periods: [Period]
    var counts: [MoodCount]
    var hasCounts: Bool
    var moods: [Item]
    var hasMoods: Bool
  }

  private func show(_ fields: Form) async throws -> Response {
    let days = fields["days"].flatMap { Int($0) } ?? 7
    guard [7, 30, 90].contains(days) else { throw WebProblem.notFound }
    let values = try await host.read { library in
      let (now, faith) = (Date(), library.faith)
      let today = Day(now: now)
      let moods = try faith.moods(matching: MoodQuery(limit: 50))
      let counts = try faith.moodCounts(from: today.adding(days: 1 - days), through: today)
      return Values(
        isDone: fields["done"] != nil, when: now.fieldText(offset: now.localOffset),
        recordings: try RecordingChoice.newest(in: library),
        periods: [7, 30, 90].map { Period(value: $0, isChosen: $0 == days) },
        counts: Array(counts.prefix(20)), hasCounts: !counts.isEmpty,
        moods: moods.map {
          Item(
            id: $0.id.uuidString, mood: $0.mood, when: $0.date.localText(offset: $0.dateOffset),
            notes: $0.notes, recording: $0.recordingID?.uuidString)
        }, hasMoods: !moods.isEmpty)
    }
    return Page("Moods", .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#isDone}}<p role="status" class="lead">Your mood is noted.</p>{{/isDone}}
    <form method="post" action="/faith/moods" class="form">
    <fieldset><legend>How are you?</legend><div class="chips">{{#words}}<label class="chip"><input type="radio" name="mood" value="{{.}}"><span>{{.}}</span></label>{{/words}}</div></fieldset>
    <label for="own">Or in your own word</label><input id="own" name="own" maxlength="40">
    <label for="notes">Notes</label><textarea id="notes" name="notes" rows="2" maxlength="5000"></textarea>
    <details><summary>More, if you like</summary>
    """# + MomentField.html + RecordingChoice.html + #"""
      </details><p class="submit"><button class="button large">Note it</button> <a href="/faith">Cancel</a></p></form>
      <section><h2>How often</h2><nav class="periods" aria-label="Period"><ul>{{#periods}}<li><a href="/faith/moods?days={{value}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{value}} days</a></li>{{/periods}}</ul></nav>
      {{#hasCounts}}<table><thead><tr><th scope="col">Mood</th><th scope="col">Times</th></tr></thead><tbody>{{#counts}}<tr><th scope="row">{{mood}}</th><td>{{count}}</td></tr>{{/counts}}</tbody></table>{{/hasCounts}}
      {{^hasCounts}}<p>None is noted in these days.</p>{{/hasCounts}}</section>
      {{#hasMoods}}<section><h2>The last ones</h2><ul class="entries">{{#moods}}<li class="split"><p><span class="what">{{mood}}</span><span class="detail">{{when}}</span>{{#notes}}<span class="notes">{{.}}</span>{{/notes}}</p>
      {{#recording}}<a class="play" href="/recordings/{{.}}" aria-label="Play the recording of {{mood}}">Play</a>{{/recording}}
      <details class="sure"><summary>Delete<span class="hidden"> {{mood}} of {{when}}</span></summary><form method="post" action="/faith/moods/{{id}}/delete"><button class="button danger">Delete it</button></form></details></li>{{/moods}}</ul></section>{{/hasMoods}}
      <p><a class="button quiet" href="/faith">Faith</a></p>
      """#)
}
