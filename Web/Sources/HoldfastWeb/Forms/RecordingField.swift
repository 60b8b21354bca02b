package import Foundation
package import Holdfast

/// A recording that a form offers, with what tells it from the others.
package struct RecordingChoice: Sendable {
  private var id: String
  private var title: String
  private var detail: String
  private var isVideo: Bool
  private var isChosen: Bool

  init(_ recording: Recording, isChosen: Bool) {
    id = recording.id.uuidString
    title = recording.displayTitle
    isVideo = recording.type == .video
    self.isChosen = isChosen
    let kind = isVideo ? "Video" : "Sound"
    detail = "\(kind) · \(recording.duration.clockDuration) · \(recording.recorded.words)"
  }
}

/// The field for the recording that a record links to.
package enum RecordingField {
  /// Returns all recordings.
  package static func all(
    in library: Library, choosing chosen: UUID? = nil, sort: RecordingQuery.Sort = .recent
  ) throws -> [RecordingChoice] {
    try library.recordings(matching: RecordingQuery(sort: sort)).map {
      RecordingChoice($0, isChosen: $0.id == chosen)
    }
  }

  /// The template of the field, whose form names the list of recordings.
  ///
  /// Without a script, all recordings are there, and the user scrolls.
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
    <span class="title">{{title}}</span> <span class="detail">{{detail}}</span></label>
    {{/\#(list)}}</div>
    <p class="hint" role="status" data-none></p></fieldset>{{/empty(\#(list))}}
    """#
  }
}

extension Form {
  package var recording: UUID? { self["recording"].flatMap(UUID.init(uuidString:)) }
}
