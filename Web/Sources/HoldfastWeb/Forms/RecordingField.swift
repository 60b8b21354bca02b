package import Foundation
package import Holdfast

/// A recording that a form offers, with what tells it from the others.
package struct RecordingChoice: Sendable {
  private var id: String
  private var title: String
  private var facts: [String]
  private var isVideo: Bool
  private var isChosen: Bool

  init(_ recording: Recording, isChosen: Bool) {
    id = recording.id.uuidString
    title = recording.displayTitle
    isVideo = recording.type == .video
    self.isChosen = isChosen
    let isDated = recording.isNamedByDate
    facts = [
      isDated ? nil : recording.kindName, recording.duration.clockDuration,
      isDated ? nil : recording.recorded.words,
    ].compactMap(\.self)
  }
}

/// The recordings that a form offers.
package struct RecordingChoices: Sendable {
  package var choices: [RecordingChoice]
  /// The address of the same page with all recordings; `nil` if these are all.
  package var more: String?

  package init(_ choices: [RecordingChoice] = [], more: String? = nil) {
    self.choices = choices
    self.more = more
  }
}

/// The field for the recording that a record links to.
package enum RecordingField {
  /// How many recordings a form has at first, so that it is there at once in a large library.
  private static let offered = 24

  /// Returns the first recordings and the chosen one, or all if the page's address asks for them.
  package static func choices(
    in library: Library, _ address: Form, choosing chosen: UUID? = nil,
    sort: RecordingQuery.Sort = .recent
  ) throws -> RecordingChoices {
    guard address["all"] == nil else {
      return RecordingChoices(try all(in: library, choosing: chosen, sort: sort))
    }
    let found = try library.recordings(
      matching: RecordingQuery(sort: sort, limit: Self.offered + 1))
    var first = Array(found.prefix(Self.offered))
    if let chosen, !first.contains(where: { $0.id == chosen }) {
      first += [try library.recording(id: chosen)].compactMap(\.self)
    }
    return RecordingChoices(
      first.map { RecordingChoice($0, isChosen: $0.id == chosen) },
      more: found.count > Self.offered ? "?\(address.query(adding: "all", "1"))" : nil)
  }

  /// Returns all recordings.
  package static func all(
    in library: Library, choosing chosen: UUID? = nil, sort: RecordingQuery.Sort = .recent
  ) throws -> [RecordingChoice] {
    try library.recordings(matching: RecordingQuery(sort: sort)).map {
      RecordingChoice($0, isChosen: $0.id == chosen)
    }
  }

  /// The template of the field, whose form names the list of recordings, and as `moreRecordings`
  /// the address of the page that has all of them.
  package static func html(
    _ legend: String = "Recording", name: String = "recording", list: String = "recordings"
  ) -> String {
    #"""
    {{^empty(\#(list))}}<fieldset class="chooser" data-chooser><legend>\#(legend)</legend>
    <input type="search" class="needs-script" aria-label="Find a recording" \#
    placeholder="Find a recording" data-find>
    <div class="options"><label class="option">\#
    <input type="radio" name="\#(name)" value="" checked><span class="title">None</span></label>
    {{#\#(list)}}<label class="option">\#
    <input type="radio" name="\#(name)" value="{{id}}"{{#isChosen}} checked{{/isChosen}}>\#
    {{#isVideo}}<img src="/thumbnails/{{id}}" alt="" loading="lazy">{{/isVideo}}\#
    {{^isVideo}}<img src="/waveforms/{{id}}" alt="" loading="lazy" class="wave">{{/isVideo}}\#
    <span class="title">{{title}}</span> <span class="detail facts">\#
    {{#facts}}<span>{{.}}</span> {{/facts}}</span></label>
    {{/\#(list)}}</div>
    <p class="hint" role="status" data-none></p>\#
    {{#moreRecordings}}<p><a href="{{.}}" data-more>Show all recordings</a></p>{{/moreRecordings}}\#
    </fieldset>{{/empty(\#(list))}}
    """#
  }
}

extension Form {
  package var recording: UUID? { self["recording"].flatMap(UUID.init(uuidString:)) }
}
