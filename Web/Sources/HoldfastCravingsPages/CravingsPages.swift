import Foundation
package import Holdfast
import HoldfastCravings
package import HoldfastWeb
package import Hummingbird
import Mustache

/// The pages of cravings, usage and kind messages, and their parts of Home and of each recording's
/// page.
package struct CravingsPages: LibraryPages {
  package static let journal = Journal.cravings

  private let host: LibraryHost
  private let shown: ShownMessages

  package init(host: LibraryHost) {
    self.host = host
    shown = ShownMessages(host: host)
  }

  package func add(to router: Router<WebContext>) {
    CravingForm(shown: shown).add(to: router, host)
    UsageForm(shown: shown).add(to: router, host)
    CravingChoicePages(host: host).add(to: router)
    HistoryPages(host: host).add(to: router)
    ProgressPages(host: host).add(to: router)
    MessagePages(host: host, shown: shown).add(to: router)
    EntriesAPI(host: host).add(to: router)
    MessagesAPI(host: host).add(to: router)
  }

  // MARK: Home

  package func home(in library: Library, for visit: Visit) throws -> HomeParts {
    // Another day has another word.
    let message = try shown.message(for: .urge, at: "home \(Day())", visit, in: library)
    return (
      isEmpty: try library.cravings(matching: CravingQuery(limit: 1)).isEmpty
        && library.usage(matching: UsageQuery(limit: 1)).isEmpty,
      top: Self.actions + (message?.html ?? ""),
      bottom: #"<a class="button quiet" href="/history">What you logged</a>"#,
      shown: { shown.count(message, visit) }
    )
  }

  private static let actions = #"""
    <div class="actions">
    <a class="button large" href="/craving">Log craving</a>
    <a class="button large quiet" href="/use">Log use</a>
    </div>
    """#

  // MARK: A recording

  private struct Values: Sendable {
    var id: String
    /// How many cravings it helped with, in words; `nil` for none.
    var count: String?
    var helped: [Choice]
    var isMore: Bool
    var cravings: [Choice]
    /// The page with earlier cravings; `nil` if these are all.
    var earlier: String?
  }

  private static let offered = 20

  package func parts(of recording: Recording, in library: Library) throws -> RecordingParts {
    let count = try library.summary(of: CravingQuery(recording: recording.id)).count
    let helped = try library.cravings(
      matching: CravingQuery(recording: recording.id, limit: Self.offered))
    let newest = try library.cravings(matching: CravingQuery(limit: Self.offered + 1))
    let cravings = newest.prefix(Self.offered).filter { $0.recordingID != recording.id }
    let values = Values(
      id: recording.id.uuidString, count: count > 0 ? count.counted("craving") : nil,
      helped: helped.map { Choice("/craving/\($0.id)", $0.choiceText) },
      isMore: count > helped.count,
      cravings: try cravings.map { try $0.choice(in: library) },
      earlier: newest.dropFirst(Self.offered).first.map {
        "/recordings/\(recording.id)/cravings?month=\(Month(of: $0.timestamp))"
      })
    return (
      detail: values.count.map { "helped with \($0)" }, html: Self.helped.render(values)
    )
  }

  private static let helped = Page.template(
    #"""
    {{#count}}<section id="helped"><h2>Helped with {{.}}</h2><ul class="entries">{{#helped}}\#
    <li><a href="{{value}}">{{name}}</a></li>{{/helped}}</ul>\#
    {{#isMore}}<p><a href="/history">What you logged</a> has the rest.</p>{{/isMore}}</section>\#
    {{/count}}
    {{^empty(cravings)}}<details><summary>Link to a craving it helped with</summary>
    <form method="post" action="/recordings/{{id}}/craving" class="form">
    <label for="craving">Which one?</label><select id="craving" name="craving">\#
    \#(Choice.options("cravings"))</select>
    <p class="submit"><button class="button">Link it</button>\#
    {{#earlier}} <a href="{{.}}">An earlier one</a>{{/earlier}}</p></form>\#
    </details>{{/empty(cravings)}}
    """#)
}

extension Craving {
  /// The craving as one to link to another recording.
  ///
  /// - Parameter library: Where the recording is that helped, which the link would replace.
  func choice(in library: Library) throws -> Choice {
    guard let recordingID else { return Choice(id.uuidString, choiceText) }
    let title = try library.recording(idPrefix: recordingID.uuidString).displayTitle
    return Choice(id.uuidString, "\(choiceText) (instead of “\(title)”)")
  }

  /// The text that tells a craving from others in a list: its time, intensity and triggers.
  var choiceText: String {
    let zone = TimeZone(secondsFromGMT: timestampOffset * 60) ?? .current
    let time = "\(timestamp.dayWords(in: zone)) \(localText.suffix(5))"
    return ([time, "\(intensity.value) of 10"] + triggers.list.map(\.rawValue))
      .joined(separator: ", ")
  }
}
