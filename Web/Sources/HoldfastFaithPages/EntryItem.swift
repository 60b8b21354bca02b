internal import Foundation
internal import Holdfast
internal import HoldfastFaith

/// An entry in a list.
struct EntryItem: Sendable {
  var id: String
  var when: String
  var title: String
  var context: String?
  var begin: String?
  var recording: String?

  init(_ entry: JournalEntry) {
    id = entry.id.uuidString
    when = entry.date.localText(offset: entry.dateOffset)
    title = entry.title
    let context = [entry.mood, entry.location].compactMap(\.self) + entry.tags
    self.context =
      (context + (entry.isPrivate ? ["private"] : [])).joined(separator: " · ").nonBlank
    begin = entry.content.nonBlank.map { $0.count > 200 ? "\($0.prefix(200))…" : $0 }
    recording = entry.recordingID?.uuidString
  }

  /// The list, for a page whose values have it as `entries`.
  static let list = #"""
    <ul class="entries">{{#entries}}<li class="split"><a href="/faith/entries/{{id}}"><span class="what">{{title}}</span><span class="detail">{{when}}{{#context}} · {{.}}{{/context}}</span>{{#begin}}<span class="notes">{{.}}</span>{{/begin}}</a>
    {{#recording}}<a class="play" href="/recordings/{{.}}" aria-label="Play the voice note of {{title}}">Play</a>{{/recording}}</li>{{/entries}}</ul>
    """#
}
