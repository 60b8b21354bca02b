import HTTPTypes
import Hummingbird

/// An answer that reports events as they happen, as server-sent events.
///
/// - SeeAlso: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct EventStream {
  private var writer: any ResponseBodyWriter
  /// Whether the reader is gone.
  private(set) var isClosed = false

  /// Makes an answer whose events `body` sends. Each event's data is one line of JSON.
  static func response(
    _ body: @escaping @Sendable (inout EventStream) async -> Void
  ) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: ResponseBody { writer in
        var events = EventStream(writer: writer)
        await body(&events)
        if !events.isClosed { try await events.writer.finish(nil) }
      })
  }

  /// Sends an event, if there is still a reader.
  mutating func send(_ name: String, _ data: some Encodable) async {
    guard !isClosed else { return }
    do {
      let text = "event: \(name)\ndata: \(try JSONAnswer.text(data))\n\n"
      try await writer.write(ByteBuffer(string: text))
    } catch {
      isClosed = true
    }
  }
}
