package import Foundation
package import Holdfast

package struct Choice: Sendable {
  private var value: String
  private var name: String
  private var isChosen: Bool

  /// - Parameters:
  ///   - value: The value that the form sends, or the path of the page.
  ///   - name: The text that people read; by default the value.
  package init(_ value: String, _ name: String? = nil, isChosen: Bool = false) {
    self.value = value
    self.name = name ?? value
    self.isChosen = isChosen
  }

  /// The options of a list, by its name in the values of a page.
  package static func options(_ list: String) -> String {
    #"""
    {{#\#(list)}}<option value="{{value}}"{{#isChosen}} \#
    selected{{/isChosen}}>{{name}}</option>{{/\#(list)}}
    """#
  }
}

/// The field for the recording that a record links to. Its form names the list `recordings`.
package enum RecordingField {
  /// The newest recordings, and the chosen one.
  package static func newest(
    in library: Library, choosing chosen: UUID? = nil, withDates: Bool = true
  ) throws -> [Choice] {
    var offered = try library.recordings(matching: RecordingQuery(limit: 20))
    if let chosen, !offered.contains(where: { $0.id == chosen }) {
      offered = [try library.recording(id: chosen)].compactMap(\.self) + offered
    }
    return offered.map {
      let name = $0.displayTitle + (withDates ? ", \($0.recorded.words)" : "")
      return Choice($0.id.uuidString, name, isChosen: $0.id == chosen)
    }
  }

  package static let html = #"""
    <label for="recording">Recording</label>
    <select id="recording" name="recording"><option value="">None</option>
    \#(Choice.options("recordings"))
    </select>
    """#
}

extension Form {
  package var recording: UUID? { self["recording"].flatMap(UUID.init(uuidString:)) }
}
