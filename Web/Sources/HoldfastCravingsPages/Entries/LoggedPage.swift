import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

struct LoggedPage: Sendable {
  let shown: ShownMessages
  /// The text after "Saved."
  var lead: String
  /// The path of the entries.
  var path: String
  /// The path that changes the entry, if offered.
  var change: String?

  private struct Values: Sendable {
    var page: LoggedPage
    var id: String
    var back: String
    var message: ShownMessage?
    var recording: RecordingCard?
  }

  /// - Parameter category: Returns the situation for a kind word; `nil` for no word.
  func response(
    id: UUID, to request: Request, from host: LibraryHost,
    category: @escaping @Sendable (Library, UUID) throws -> MessageCategory?
  ) async throws -> Response {
    let (visit, back) = (request.visit, request.fields.back)
    return try await Page.response("Logged", tab: .home, template: Self.template, from: host) {
      library in
      let message = try category(library, id).flatMap {
        try shown.message(for: $0, at: id.uuidString, visit, in: library)
      }
      return Values(
        page: self, id: id.uuidString, back: back, message: message,
        recording: try library.cards(of: library.quickRecordings(limit: 1)).first)
    } shown: {
      shown.count($0.message, visit)
    }
  }

  private static let template = Page.template(
    #"""
    <p role="status" class="done">Saved. {{page.lead}}</p>
    <form method="post" action="{{page.path}}/{{id}}/delete" data-undo>\#
    <input type="hidden" name="back" value="{{back}}">\#
    <input type="hidden" name="undo" value="1">
    <button class="link">Undo</button></form>
    {{#message}}{{{html}}}{{/message}}
    {{#recording}}<ul class="cards one">{{{html}}}</ul>{{/recording}}
    <p><a class="button quiet" href="{{back}}">Done</a>{{#page.change}} \#
    <a href="{{.}}">Change it</a>{{/page.change}}</p>
    """#)
}

extension RecordForm where Record: LoggedEntry {
  static func parent(isNew: Bool) -> Page.Parent? {
    isNew ? nil : .init("What you logged", "/history")
  }

  /// A new entry leads to the page with a kind word.
  func page(after entry: Record, isNew: Bool, _ form: Form) -> String {
    isNew
      ? "\(Self.path)/\(entry.id)/logged?back=\(form.back.addingPercentEncoding)" : form.back
  }
}
