import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

/// Cravings, usage and statistics as JSON.
struct EntriesAPI: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    add(CravingBody.self, at: "/api/1/cravings", by: "trigger", to: router) {
      library, fields, page in
      try library.cravings(
        matching: CravingQuery(
          since: try fields.moment("since"), until: try fields.moment("until"),
          trigger: try fields["trigger"].map(Trigger.init(named:)), limit: page.limit + 1,
          offset: page.offset))
    }
    add(UsageBody.self, at: "/api/1/usage", by: "method", to: router) {
      library, fields, page in
      try library.usage(
        matching: UsageQuery(
          since: try fields.moment("since"), until: try fields.moment("until"),
          method: try fields["method"].map(UsageMethod.init(named:)), limit: page.limit + 1,
          offset: page.offset))
    }
    router.get("/api/1/statistics") { request, _ in
      let text = try request.fields("days")["days"] ?? "30"
      guard let period = StatisticsPeriod(rawValue: text) else {
        throw WebProblem(
          .unprocessableContent, code: "invalidValue", detail: "days must be 7, 30, 90 or all")
      }
      return try JSONAnswer.response(try await host.read { try $0.statistics(of: period) })
    }
  }

  private func add<Body: EntryBody>(
    _ type: Body.Type, at path: String, by field: String, to router: Router<WebContext>,
    list: @escaping @Sendable (Library, Form, ListedPage) throws -> [Body.Record]
  ) {
    let one = RouterPath("\(path)/:id")
    router.get(RouterPath(path)) { request, _ in
      let fields = try request.fields(field, "since", "until", "limit", "offset")
      let page = try ListedPage(fields)
      let found = try await host.read { library in try list(library, fields, page) }
      return try JSONAnswer.response(JSONList(found.map(Body.output), page))
    }
    router.post(RouterPath(path)) { request, context in
      let body = try await request.document(type, context)
      let entry = try await host.write { library in
        let now = Date()
        var entry = body.new(now)
        body.fill(&entry)
        try library.add(entry, now: now)
        return entry
      }
      return try JSONAnswer.response(Body.output(entry), status: .created)
    }
    router.get(one) { _, context in
      let id = try context.id("id")
      let entry = try await host.read { library in
        try library.record(Body.Record.self, idPrefix: id.uuidString)
      }
      return try JSONAnswer.response(Body.output(entry))
    }
    router.put(one) { request, context in
      let (id, body) = (try context.id("id"), try await request.document(type, context))
      let entry = try await host.write { library in
        try library.edit(Body.Record.self, id: id) { body.fill(&$0) }
      }
      return try JSONAnswer.response(Body.output(entry))
    }
    router.delete(one) { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.delete(Body.Record.self, id: id) }
      return Response(status: .noContent)
    }
  }
}

/// The fields of an entry. The moment is now unless it is given.
private protocol EntryBody: RequestDocument, Sendable {
  associatedtype Record: LoggedEntry where Record.ID == UUID
  associatedtype Output: Encodable

  static func output(_ entry: Record) -> Output
  func new(_ now: Date) -> Record
  func fill(_ entry: inout Record)
}

private struct CravingBody: EntryBody {
  var timestamp: Date?
  var timestampOffset: Int?
  var intensity: Intensity
  var triggers: TriggerSet?
  var location: Location?
  var notes: String?
  var recordingId: UUID?

  enum Field: CodingKey, CaseIterable {
    case timestamp, timestampOffset, intensity, triggers, location, notes, recordingId
  }

  static func output(_ craving: Craving) -> CravingOutput { CravingOutput(craving) }

  func new(_ now: Date) -> Craving {
    Craving(timestamp: now, intensity: intensity, createdAt: now)
  }

  func fill(_ craving: inout Craving) {
    if let timestamp { craving.timestamp = timestamp.roundedToMillisecond }
    if let timestampOffset { craving.timestampOffset = timestampOffset }
    craving.intensity = intensity
    craving.triggers = triggers ?? []
    craving.location = location
    craving.notes = notes?.nonBlank
    craving.recordingID = recordingId
  }
}

private struct UsageBody: EntryBody {
  var timestamp: Date?
  var timestampOffset: Int?
  var method: UsageMethod
  var amount: Double
  var triggers: TriggerSet?
  var location: Location?
  var notes: String?

  enum Field: CodingKey, CaseIterable {
    case timestamp, timestampOffset, method, amount, triggers, location, notes
  }

  static func output(_ usage: Usage) -> Usage { usage }

  func new(_ now: Date) -> Usage {
    Usage(timestamp: now, method: method, amount: amount, createdAt: now)
  }

  func fill(_ usage: inout Usage) {
    if let timestamp { usage.timestamp = timestamp.roundedToMillisecond }
    if let timestampOffset { usage.timestampOffset = timestampOffset }
    (usage.method, usage.amount) = (method, amount)
    usage.triggers = triggers ?? []
    usage.location = location
    usage.notes = notes?.nonBlank
  }
}
