import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// Moods, in a person's own words.
struct MoodPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("moods") { request, _ in try await show(request.fields) }
    pages.form("moods", host: host) { library, form in
      let now = Date()
      let moment = try form.moment(now: now)
      let mood = MoodEntry(
        mood: form["own"] ?? form["mood"] ?? "", date: moment?.date ?? now,
        dateOffset: moment?.offset, notes: form["notes"], recordingID: form.recording,
        createdAt: now)
      try library.add(mood, now: now)
      return "/faith\(form["when"] == nil ? "" : "/moods")?saved=\(mood.id)"
    }
    pages.deletion(of: MoodEntry.self, "moods/:id/delete", host: host, then: nil)
  }

  private struct Values: Sendable {
    var mood: SavedMood?
    var words = MoodSuggestions.words
    var when: String
    var recordings: [RecordingChoice]
    var periods: [Choice]
    var counts: [MoodCount]
    var moods: [RecordLine]
  }

  private func show(_ fields: Form) async throws -> Response {
    let days = fields["days"].flatMap { Int($0) } ?? 7
    guard [7, 30, 90].contains(days) else { throw WebProblem.notFound }
    return try await Page.response("Moods", tab: .home, template: Self.template, from: host) {
      library in
      let (now, faith) = (Date(), library.faith)
      let today = Day(now: now)
      let moods = try faith.moods(matching: FaithQuery(limit: 50))
      let counts = try faith.moodCounts(from: today.adding(days: 1 - days), through: today)
      return Values(
        mood: try SavedMood(fields, back: "/faith/moods", in: library),
        when: now.fieldText(offset: now.localOffset),
        recordings: try RecordingField.all(in: library),
        periods: [7, 30, 90].map { Choice("\($0)", isChosen: $0 == days) },
        counts: Array(counts.prefix(20)),
        moods: moods.map {
          RecordLine(
            $0.id.uuidString, $0.mood, detail: $0.date.words(in: .minutes($0.dateOffset)),
            notes: $0.notes,
            recording: $0.recordingID)
        })
    }
  }

  private static let deletion = Page.deletion(
    of: "/faith/moods/{{id}}", #"Delete<span class="hidden"> {{what}} of {{detail}}</span>"#,
    back: "/faith/moods")

  private static let template = Page.template(
    #"""
    \#(SavedMood.html)
    <form method="post" action="/faith/moods" class="form">
    <fieldset><legend>How are you?</legend><div class="chips">{{#words}}<label class="chip">\#
    <input type="radio" name="mood" value="{{.}}">\#
    <span>{{.}}</span></label>{{/words}}</div></fieldset>
    <label for="own">Or in your own word</label><input id="own" name="own" maxlength="40">
    <label for="notes">Notes</label>\#
    <textarea id="notes" name="notes" rows="2" maxlength="5000"></textarea>
    <details><summary>More details (optional)</summary>
    \#(MomentField.html)\#(RecordingField.html())</details><p class="submit">\#
    <button class="button large">Note it</button> <a href="/faith">Cancel</a></p></form>
    <section><h2>How often</h2><nav class="periods" aria-label="Period"><ul>{{#periods}}<li>\#
    <a href="/faith/moods?days={{value}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{value}} \#
    days</a></li>{{/periods}}</ul></nav>
    {{^empty(counts)}}<table><thead><tr><th scope="col">Mood</th>\#
    <th scope="col">Times</th></tr></thead><tbody>{{#counts}}<tr><th scope="row">{{mood}}</th>\#
    <td>{{count}}</td></tr>{{/counts}}</tbody></table>{{/empty(counts)}}
    {{^counts}}<p>None is noted in these days.</p>{{/counts}}</section>
    {{^empty(moods)}}<section><h2>Recent</h2>\#
    \#(RecordLine.list("moods", rest: deletion))</section>{{/empty(moods)}}
    """#)
}

/// The mood that was noted just now, with a button that takes it back.
struct SavedMood: Sendable {
  private var id: String
  private var name: String
  private var back: String

  /// - Parameters:
  ///   - fields: The address, which has the mood's ID.
  ///   - back: The page to which the button returns.
  init?(_ fields: Form, back: String, in library: Library) throws {
    guard let id = fields["saved"].flatMap(UUID.init(uuidString:)),
      let mood = try library.record(MoodEntry.self, id: id)
    else { return nil }
    (self.id, name, self.back) = (id.uuidString, mood.mood, back)
  }

  /// The template of a page whose values have it as `mood`.
  static let html = #"""
    {{#mood}}<div class="notice"><p role="status" class="lead">{{name}}, saved.</p>
    <form method="post" action="/faith/moods/{{id}}/delete" data-undo>\#
    <input type="hidden" name="back" value="{{back}}">\#
    <input type="hidden" name="undo" value="1">\#
    <button class="link">Undo</button></form></div>{{/mood}}
    """#
}
