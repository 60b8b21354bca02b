internal import Foundation
internal import Holdfast
internal import Hummingbird

/// Cravings, usage and statistics as JSON.
struct EntriesAPI: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    addCravings(to: router)
    addUsage(to: router)
    router.get("/api/1/statistics") { request, _ in
      let text = request.fields["days"] ?? "30"
      guard let period = StatisticsPeriod(rawValue: text) else {
        throw WebProblem(
          .unprocessableContent, "invalidValue", "days must be 7, 30, 90 or all")
      }
      return try JSONAnswer.response(try await host.read { try $0.statistics(of: period) })
    }
  }

  // MARK: Cravings

  /// What is said about a craving. The moment is now unless it is given.
  private struct CravingBody: Decodable {
    var timestamp: Date?
    var timestampOffset: Int?
    var intensity: Intensity
    var triggers: TriggerSet?
    var location: Location?
    var notes: String?
    var recordingId: UUID?

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

  private func addCravings(to router: Router<WebContext>) {
    router.get("/api/1/cravings") { request, _ in
      let (fields, page) = (request.fields, try ListedPage(request.fields))
      let query = CravingQuery(
        since: try fields.moment("since"), until: try fields.moment("until"),
        trigger: try fields["trigger"].map(Trigger.init(named:)), limit: page.limit + 1,
        offset: page.offset)
      let found = try await host.read { library in try library.cravings(matching: query) }
      return try JSONAnswer.response(JSONList(found.map(CravingOutput.init), page))
    }
    router.post("/api/1/cravings") { request, context in
      let body = try await request.document(CravingBody.self, context)
      let craving = try await host.write { library in
        let now = Date()
        var craving = Craving(timestamp: now, intensity: body.intensity, createdAt: now)
        body.fill(&craving)
        try library.log(craving, now: now)
        return craving
      }
      return try JSONAnswer.response(CravingOutput(craving), status: .created)
    }
    router.get("/api/1/cravings/:id") { _, context in
      let id = try context.id("id")
      let craving = try await host.read { try $0.craving(idPrefix: id.uuidString) }
      return try JSONAnswer.response(CravingOutput(craving))
    }
    router.put("/api/1/cravings/:id") { request, context in
      let (id, body) = (
        try context.id("id"), try await request.document(CravingBody.self, context)
      )
      let craving = try await host.write { library in
        try library.editCraving(id: id) { body.fill(&$0) }
      }
      return try JSONAnswer.response(CravingOutput(craving))
    }
    router.delete("/api/1/cravings/:id") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.deleteCraving(id: id) }
      return Response(status: .noContent)
    }
  }

  // MARK: Usage

  /// What is said about a use. The moment is now unless it is given.
  private struct UsageBody: Decodable {
    var timestamp: Date?
    var timestampOffset: Int?
    var method: UsageMethod
    var amount: Double
    var triggers: TriggerSet?
    var location: Location?
    var notes: String?

    func fill(_ usage: inout Usage) {
      if let timestamp { usage.timestamp = timestamp.roundedToMillisecond }
      if let timestampOffset { usage.timestampOffset = timestampOffset }
      (usage.method, usage.amount) = (method, amount)
      usage.triggers = triggers ?? []
      usage.location = location
      usage.notes = notes?.nonBlank
    }
  }

  private func addUsage(to router: Router<WebContext>) {
    router.get("/api/1/usage") { request, _ in
      let (fields, page) = (request.fields, try ListedPage(request.fields))
      let query = UsageQuery(
        since: try fields.moment("since"), until: try fields.moment("until"),
        method: try fields["method"].map(UsageMethod.init(named:)), limit: page.limit + 1,
        offset: page.offset)
      let found = try await host.read { library in try library.usage(matching: query) }
      return try JSONAnswer.response(JSONList(found, page))
    }
    router.post("/api/1/usage") { request, context in
      let body = try await request.document(UsageBody.self, context)
      let usage = try await host.write { library in
        let now = Date()
        var usage = Usage(
          timestamp: now, method: body.method, amount: body.amount, createdAt: now)
        body.fill(&usage)
        try library.log(usage, now: now)
        return usage
      }
      return try JSONAnswer.response(usage, status: .created)
    }
    router.get("/api/1/usage/:id") { _, context in
      let id = try context.id("id")
      return try JSONAnswer.response(try await host.read { try $0.usage(idPrefix: id.uuidString) })
    }
    router.put("/api/1/usage/:id") { request, context in
      let (id, body) = (try context.id("id"), try await request.document(UsageBody.self, context))
      let usage = try await host.write { library in
        try library.editUsage(id: id) { body.fill(&$0) }
      }
      return try JSONAnswer.response(usage)
    }
    router.delete("/api/1/usage/:id") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.deleteUsage(id: id) }
      return Response(status: .noContent)
    }
  }
}
