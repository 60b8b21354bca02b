import Foundation
import HTTPTypes
import Holdfast
import Hummingbird

/// Copies for browsers that cannot play the stored recording.
struct CopiesAPI: Sendable {
  let copies: Copies

  func add(to router: Router<WebContext>) {
    router.post("/api/1/recordings/:id/copy") { _, context in
      let progress = try await copies.begin(context.id("id"))
      guard case .made = progress else {
        return try JSONAnswer.response(State(done: 0, isMade: false), status: .accepted)
      }
      return try JSONAnswer.response(State(done: 1, isMade: true))
    }
    router.get("/api/1/recordings/:id/copy/events") { _, context in
      let id = try context.id("id")
      guard try await copies.progress(of: id) != nil else { throw WebProblem.notFound }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"], body: events(of: id))
    }
  }

  private struct State: Encodable {
    var done: Double
    var isMade: Bool
  }

  /// The progress of a copy, as a browser's `EventSource` reads it.
  private func events(of id: UUID) -> ResponseBody {
    ResponseBody { [copies] writer in
      var last = -1.0
      loop: while let progress = try await copies.progress(of: id) {
        switch progress {
        case .making(let done):
          if done != last {
            last = done
            try await writer.write(
              ByteBuffer(string: "event: progress\ndata: {\"done\":\(done)}\n\n"))
          }
          try await Task.sleep(for: .milliseconds(200))
        case .made:
          try await writer.write(
            ByteBuffer(
              string:
                "event: finished\ndata: \(JSONAnswer.text(State(done: 1, isMade: true)))\n\n"))
          break loop
        case .failed(let problem):
          let failure = ["code": problem.code, "detail": problem.detail]
          try await writer.write(
            ByteBuffer(string: "event: failed\ndata: \(JSONAnswer.text(failure))\n\n"))
          break loop
        }
      }
      try await writer.finish(nil)
    }
  }
}
