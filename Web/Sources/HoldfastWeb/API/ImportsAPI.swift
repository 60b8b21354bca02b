import Foundation
import HTTPTypes
import Holdfast
import Hummingbird

/// Uploads: the request's body is the file.
struct ImportsAPI: Sendable {
  let imports: Imports

  func add(to router: Router<WebContext>) {
    router.post("/api/1/imports") { request, _ in try await begin(request) }
    router.get("/api/1/imports/:id") { _, context in
      guard let progress = imports.progress(try context.id("id")) else { throw WebProblem.notFound }
      return try JSONAnswer.response(State(progress))
    }
    router.post("/api/1/imports/:id/choice") { request, context in
      let choice = try request.fields.overLimitChoice()
      let id = try imports.resume(context.id("id"), choice)
      return try JSONAnswer.response(["id": id], status: .accepted)
    }
    router.get("/api/1/imports/:id/events") { _, context in
      let id = try context.id("id")
      guard imports.progress(id) != nil else { throw WebProblem.notFound }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"], body: events(of: id))
    }
  }

  private struct State: Encodable {
    var done: Double
    var outcome: ImportOutput?

    init(_ progress: Imports.Progress) {
      done = progress.done
      outcome = progress.outcome?.output
    }
  }

  private func begin(_ request: Request) async throws -> Response {
    let fields = try request.fields("name", "title", "notes", "purpose", "trim")
    guard let name = fields["name"], name.utf8.count <= 1000 else {
      throw WebProblem(
        .unprocessableContent, code: "noName", detail: "the file's name is missing or too long")
    }
    if let length = request.headers[.contentLength].flatMap({ Int64($0) }),
      length > Upload.mostBytes
    {
      throw WebProblem(
        .contentTooLarge, code: "tooLarge",
        detail:
          "the file has \(length / 1_000_000) MB; the limit is \(Upload.mostBytes / 1_000_000) MB")
    }
    var options = ImportOptions(
      purpose: try fields["purpose"].map(RecordingPurpose.init(named:)) ?? .motivational,
      title: fields["title"], notes: fields["notes"])
    // A container adds a little to the time that the page measured.
    if fields["trim"] != nil { options.conversion.overLimit = .trim }
    var body = request.body.makeAsyncIterator()
    let upload = try await imports.receive(name) { try await body.next() }
    return try JSONAnswer.response(["id": imports.begin(upload, options)], status: .accepted)
  }

  /// The progress of an import, as a browser's `EventSource` reads it.
  private func events(of id: UUID) -> ResponseBody {
    ResponseBody { [imports] writer in
      var last = -1.0
      while let progress = imports.progress(id) {
        if let outcome = progress.outcome {
          try await writer.write(
            ByteBuffer(string: "event: finished\ndata: \(JSONAnswer.text(outcome.output))\n\n"))
          break
        }
        if progress.done != last {
          last = progress.done
          try await writer.write(
            ByteBuffer(string: "event: progress\ndata: {\"done\":\(progress.done)}\n\n"))
        }
        try await Task.sleep(for: .milliseconds(200))
      }
      try await writer.finish(nil)
    }
  }
}

extension Form {
  /// What to do with a file that is too long: keep its beginning, or split it.
  func overLimitChoice() throws -> OverLimitPolicy {
    guard let choice = self["over"].flatMap(OverLimitPolicy.init(rawValue:)), choice != .refuse
    else {
      throw WebProblem(
        .unprocessableContent, code: "invalidValue", detail: "over must be trim or split")
    }
    return choice
  }
}
