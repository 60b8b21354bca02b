import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

/// The page that offers the cravings of a month, to link one to a recording.
struct CravingChoicePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/recordings/:id/cravings") { request, context in
      let id = try context.id("id")
      let month = try request.fields["month"].map { try Month($0) } ?? Month(of: Date())
      return try await show(month, id)
    }
  }

  private struct Values: Sendable {
    var id: String
    var month: String
    var cravings: [Choice]
    var earlier: String?
    var later: String?
  }

  private func show(_ month: Month, _ id: UUID) async throws -> Response {
    try await Page.response(
      "Link to a craving", tab: .recordings, under: .init("Recording", "/recordings/\(id)"),
      template: Self.template, from: host
    ) { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      let cravings = try library.cravings(
        matching: CravingQuery(since: month.start, until: month.end))
      let before = try library.cravings(matching: CravingQuery(until: month.start, limit: 1)).first
      let path = "/recordings/\(id)/cravings?month="
      return Values(
        id: id.uuidString, month: month.first.monthName,
        cravings: try cravings.filter { $0.recordingID != recording.id }
          .map { try $0.choice(in: library) },
        earlier: before.map { "\(path)\(Month(of: $0.timestamp))" },
        later: month.end <= Date() ? "\(path)\(Month(of: month.end))" : nil)
    }
  }

  private static let template = Page.template(
    #"""
    <h2>{{month}}</h2>
    {{^empty(cravings)}}<form method="post" action="/recordings/{{id}}/craving" class="form">
    <label for="craving">Which one?</label><select id="craving" name="craving">\#
    \#(Choice.options("cravings"))</select>
    <p class="submit"><button class="button large">Link it</button> \#
    <a href="/recordings/{{id}}">Cancel</a></p></form>{{/empty(cravings)}}
    {{#empty(cravings)}}<p>No other craving in this month.</p>\#
    <p><a class="button quiet" href="/recordings/{{id}}">Back</a></p>{{/empty(cravings)}}
    <p class="pages">{{#earlier}}<a href="{{.}}">Earlier</a>{{/earlier}} \#
    {{#later}}<a href="{{.}}">Later</a>{{/later}}</p>
    """#)
}

/// A month on this computer's clock.
struct Month: CustomStringConvertible, Sendable {
  let first: Day

  init(of moment: Date) {
    let day = Day(now: moment)
    first = (try? Day(day.description.prefix(8) + "01")) ?? day
  }

  /// - Parameter text: The month, such as `2026-11`.
  init(_ text: String) throws { first = try Day(text + "-01") }

  var description: String { String(first.description.prefix(7)) }
  var start: Date { Self.start(of: first) }
  /// The start of the next month.
  var end: Date { Month(of: Self.start(of: first.adding(days: 31))).start }

  private static func start(of day: Day) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = day.description.split(separator: "-").compactMap { Int($0) }
    let date = DateComponents(year: parts[0], month: parts[1], day: parts[2])
    return calendar.date(from: date) ?? .distantPast
  }
}
