internal import Foundation
internal import Holdfast
internal import HoldfastFaith

/// A prayer in a list.
struct PrayerItem: Sendable {
  var id: String
  var title: String
  var detail: String
  var notes: String?
  var recording: String?
  var isActive: Bool

  init(_ prayer: PrayerRequest) {
    id = prayer.id.uuidString
    title = prayer.title
    let day = String(prayer.date.localText(offset: prayer.dateOffset).prefix(10))
    let answer = prayer.answerDate.map {
      "answered on \($0.localText(offset: prayer.dateOffset).prefix(10))"
    }
    let parts = ["since \(day)", answer, prayer.isPrivate ? "private" : nil].compactMap(\.self)
    detail = (parts + prayer.tags).joined(separator: " · ")
    notes = prayer.answerNotes ?? prayer.details.nonBlank
    recording = prayer.recordingID?.uuidString
    isActive = prayer.status == .active
  }

  /// The list, for a page whose values have it as `prayers`.
  static let list = #"""
    <ul class="entries">{{#prayers}}<li class="split"><a href="/faith/prayers/{{id}}"><span class="what">{{title}}</span><span class="detail">{{detail}}</span>{{#notes}}<span class="notes">{{.}}</span>{{/notes}}</a>
    {{#recording}}<a class="play" href="/recordings/{{.}}" aria-label="Play the recording of {{title}}">Play</a>{{/recording}}
    {{#isActive}}<a class="button quiet" href="/faith/prayers/{{id}}#answer">Answered<span class="hidden"> {{title}}</span></a>{{/isActive}}</li>{{/prayers}}</ul>
    """#
}
