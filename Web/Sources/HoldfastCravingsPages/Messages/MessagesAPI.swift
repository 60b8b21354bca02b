import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

struct MessagesAPI: Sendable {
  let host: LibraryHost

  /// The fields of a message. A missing field stays as it is.
  private struct Body: RequestDocument {
    var content: String?
    var category: MessageCategory?
    var isActive: Bool?

    enum Field: CodingKey, CaseIterable { case content, category, isActive }
  }

  func add(to router: Router<WebContext>) {
    router.get("/api/1/messages") { request, _ in
      _ = try request.fields()
      return try JSONAnswer.response(try await host.read { library in try library.messages() })
    }
    router.post("/api/1/messages") { request, context in
      let body = try await request.document(Body.self, context)
      guard let content = body.content, let category = body.category else {
        throw WebProblem(
          .unprocessableContent, code: "invalidValue", detail: "content and category must be given")
      }
      let message = Message(content: content, category: category, createdAt: Date())
      try await host.write { library in try library.add(message) }
      return try JSONAnswer.response(message, status: .created)
    }
    router.get("/api/1/messages/next") { request, _ in
      let triggers = try request.fields("trigger").all("trigger").map(Trigger.init(named:))
      let message = try await host.read { library in
        try library.nextMessage(for: MessageCategory(triggers: triggers))
      }
      return try JSONAnswer.response(message)
    }
    router.patch("/api/1/messages/:id") { request, context in
      let (id, body) = (try context.id("id"), try await request.document(Body.self, context))
      let message = try await host.write { library in
        if body.content != nil || body.category != nil {
          _ = try library.editMessage(id: id) { message in
            if let content = body.content { message.content = content }
            if let category = body.category { message.category = category }
          }
        }
        if let isActive = body.isActive { _ = try library.hideMessage(id: id, !isActive) }
        return try library.record(Message.self, idPrefix: id.uuidString)
      }
      return try JSONAnswer.response(message)
    }
    router.delete("/api/1/messages/:id") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.deleteMessage(id: id) }
      return Response(status: .noContent)
    }
    router.post("/api/1/messages/:id/showings") { _, context in
      let id = try context.id("id")
      return try JSONAnswer.response(try await host.write { try $0.countShowing(id: id) })
    }
  }
}
