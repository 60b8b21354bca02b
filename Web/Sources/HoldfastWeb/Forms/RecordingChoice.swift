package import Foundation
package import Holdfast

/// A recording that a form offers.
package struct RecordingChoice: Sendable {
  var id: String
  var title: String
  var isChosen: Bool

  /// The newest recordings, and the one that is chosen.
  ///
  /// - Throws: `LibraryError` when the library cannot be read.
  package static func newest(
    in library: Library, choosing chosen: UUID? = nil
  ) throws -> [RecordingChoice] {
    var offered = try library.recordings(matching: RecordingQuery(limit: 20))
    if let chosen, !offered.contains(where: { $0.id == chosen }) {
      offered = [try library.recording(id: chosen)].compactMap(\.self) + offered
    }
    return offered.map {
      RecordingChoice(
        id: $0.id.uuidString, title: "\($0.displayTitle), \($0.recorded.displayDate)",
        isChosen: $0.id == chosen)
    }
  }

  /// What the field of an entry of a journal looks like. Its form names the list `recordings`.
  package static let html = #"""
    <label for="recording">Recording</label>
    <select id="recording" name="recording"><option value="">None</option>
    {{#recordings}}<option value="{{id}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/recordings}}
    </select>
    """#
}

extension Form {
  /// The recording that was chosen, if any.
  package var recording: UUID? { self["recording"].flatMap(UUID.init(uuidString:)) }
}
