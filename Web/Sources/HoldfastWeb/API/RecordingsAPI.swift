import Foundation
import Holdfast
import Hummingbird

struct RecordingsAPI: Sendable {
  let host: LibraryHost
  let copies: Copies
  private let plays = PlayCounter()

  init(host: LibraryHost, copies: Copies) {
    self.host = host
    self.copies = copies
  }

  func add(to router: Router<WebContext>) {
    router.get("/api/1/recordings") { request, _ in
      try await list(
        request.fields("q", "type", "purpose", "sort", "since", "until", "limit", "offset"))
    }
    router.get("/api/1/recordings/:id") { _, context in
      let id = try context.id("id")
      let text = try await host.read { library in
        let recording = try library.recording(idPrefix: id.uuidString)
        return try JSONAnswer.text(
          RecordingDetails(
            recording, files: library.fileState(of: recording.id),
            thumbnail: library.thumbnail(of: recording.id), sound: library.sound(of: recording.id),
            links: library.links(to: recording.id)))
      }
      return JSONAnswer.response(text: text)
    }
    router.patch("/api/1/recordings/:id") { request, context in
      let (id, change) = (try context.id("id"), try await request.document(Change.self, context))
      let edited = try await host.write { library in
        try library.editRecording(id: id) { recording in
          if let title = change.title { recording.title = title }
          if let notes = change.notes { recording.notes = notes }
          if let purpose = change.purpose { recording.purpose = purpose }
        }
      }
      return try JSONAnswer.response(RecordingOutput(edited))
    }
    router.post("/api/1/recordings/:id/plays") { request, context in
      let (id, play) = (try context.id("id"), try await request.document(Play.self, context))
      let played = try await plays.count(play.id, of: id, host)
      return try JSONAnswer.response(RecordingOutput(played))
    }
    router.get("/api/1/recordings/:id/transcript") { _, context in
      let id = try context.id("id")
      let transcript = try await host.read { library in
        try library.transcript(of: library.recording(idPrefix: id.uuidString).id)
      }
      guard let transcript else { throw WebProblem(HoldfastError.noTranscript(id)) }
      return try JSONAnswer.response(transcript)
    }
    router.delete("/api/1/recordings/:id") { _, context in
      let id = try context.id("id")
      await copies.giveUp(id)
      try await host.delete { library in _ = try library.deleteRecording(id: id) }
      return Response(status: .noContent)
    }
  }

  /// The changed fields. A blank title or blank notes are removed.
  private struct Change: RequestDocument {
    var title: String?
    var notes: String?
    var purpose: RecordingPurpose?

    enum Field: CodingKey, CaseIterable { case title, notes, purpose }
  }

  /// A play, whose ID the client makes. The same one is counted once, however often it is sent.
  private struct Play: RequestDocument {
    var id: UUID

    enum Field: CodingKey, CaseIterable { case id }
  }

  private func list(_ fields: Form) async throws -> Response {
    let page = try ListedPage(fields)
    let query = RecordingQuery(
      since: try fields.moment("since"), until: try fields.moment("until"),
      type: try fields["type"].map(RecordingType.init(named:)),
      purpose: try fields["purpose"].map(RecordingPurpose.init(named:)), search: fields["q"],
      sort: try fields["sort"].map(RecordingQuery.Sort.init(listed:)) ?? .recent,
      limit: page.limit + 1, offset: page.offset)
    let found = try await host.read { library in try library.recordings(matching: query) }
    return try JSONAnswer.response(JSONList(found.map(RecordingOutput.init), page))
  }
}

extension RecordingQuery.Sort {
  /// - Throws: ``WebProblem`` that lists all orders.
  init(listed text: String) throws {
    guard let sort = RecordingQuery.Sort(rawValue: text) else {
      let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw WebProblem(
        .unprocessableContent, code: "invalidValue", detail: "sort must be one of \(all)")
    }
    self = sort
  }
}
