import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

/// The logged entries, newest first, by day.
struct HistoryPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/history") { request, _ in
      let before = request.fields["before"].flatMap { Double($0) }
      return try await show(before: before.map(Date.init(timeIntervalSince1970:)))
    }
  }

  private static let pageLength = 100

  fileprivate struct Item: Sendable {
    var moment: Date
    var day: String
    var time: String
    var path: String
    var what: String
    var level: String
    var context: String
    var notes: String?
    var recording: String?
  }

  private struct DayItems: Sendable {
    var day: String
    var items: [Item]
  }

  private struct Values: Sendable {
    var days: [DayItems]
    var next: String?
  }

  private func show(before: Date?) async throws -> Response {
    try await Page.response("What you logged", tab: .home, template: Self.template, from: host) {
      library in
      let limit = Self.pageLength + 1
      let cravings = try library.cravings(matching: CravingQuery(until: before, limit: limit))
      let usage = try library.usage(matching: UsageQuery(until: before, limit: limit))
      var items =
        try cravings.map { try Item($0, in: library) } + usage.map(Item.init)
      items.sort { $0.moment > $1.moment }
      let isMore = items.count > Self.pageLength
      if isMore {
        // Entries of one moment stay on one page.
        let last = items[Self.pageLength - 1].moment
        items.removeAll { $0.moment <= last }
        let end = last.addingTimeInterval(0.001)
        items +=
          try library.cravings(matching: CravingQuery(since: last, until: end))
          .map { try Item($0, in: library) }
        items += try library.usage(matching: UsageQuery(since: last, until: end)).map(Item.init)
      }
      var days: [DayItems] = []
      for item in items {
        if days.last?.day == item.day {
          days[days.count - 1].items.append(item)
        } else {
          days.append(DayItems(day: item.day, items: [item]))
        }
      }
      let last = items.last?.moment.timeIntervalSince1970
      return Values(
        days: days, next: isMore ? last.map { "/history?before=\($0)" } : nil)
    }
  }

  private static let template = Page.template(
    #"""
    {{^days}}<p>Nothing is logged yet. \#
    <a href="/craving">Log a craving</a> when one comes.</p>{{/days}}
    {{#days}}<section><h2>{{day}}</h2><ul class="entries">
    {{#items}}<li><a href="{{path}}"><span class="time">{{time}}</span> \#
    <span class="what {{level}}">{{what}}</span>
    <span class="detail">{{context}}</span>{{#recording}}\#
    <span class="detail">Helped: {{.}}</span>{{/recording}}{{#notes}}\#
    <span class="notes">{{.}}</span>{{/notes}}</a></li>{{/items}}
    </ul></section>{{/days}}
    {{#next}}<p class="pages"><a href="{{.}}" rel="next">Earlier</a></p>{{/next}}
    """#)
}

extension HistoryPages.Item {
  fileprivate init(_ craving: Craving, in library: Library) throws {
    self.init(
      craving, path: "/craving/\(craving.id)",
      what: "Craving, \(craving.intensity.value) (\(craving.intensity.category.rawValue))",
      level: craving.intensity.category.rawValue,
      recording: try craving.recordingID.flatMap { try library.recording(id: $0) }?.displayTitle)
  }

  fileprivate init(_ usage: Usage) {
    self.init(
      usage, path: "/use/\(usage.id)",
      what: "\(usage.method.rawValue), \(usage.method.text(usage.amount))", level: "",
      recording: nil)
  }

  fileprivate init(
    _ entry: some LoggedEntry, path: String, what: String, level: String, recording: String?
  ) {
    let zone = TimeZone(secondsFromGMT: entry.timestampOffset * 60) ?? .current
    self.init(
      moment: entry.timestamp, day: entry.timestamp.dayWords(in: zone),
      time: String(entry.localText.dropFirst(11)),
      path: path, what: what, level: level,
      context: (entry.triggers.list.map(\.rawValue) + [entry.location?.label].compactMap(\.self))
        .joined(separator: ", "), notes: entry.notes, recording: recording)
  }
}
