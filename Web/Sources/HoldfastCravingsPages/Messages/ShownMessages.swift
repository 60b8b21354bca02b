import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Mustache
import Synchronization

/// A kind word on a page.
struct ShownMessage: Sendable {
  let id: UUID
  /// Where it is shown: one word stays there while the browser's session lasts.
  let place: String
  let html: String

  fileprivate init(_ message: Message, at place: String, _ visit: Visit) {
    id = message.id
    self.place = place
    html = Self.template.render([
      "id": message.id.uuidString, "text": message.content, "place": place,
      "back": visit.address,
    ])
  }

  private static let template = Page.template(
    #"""
    <section class="card message" aria-label="A kind word"><p>{{text}}</p>
    <form method="post" action="/messages/next"><input type="hidden" name="id" value="{{id}}">
    <input type="hidden" name="place" value="{{place}}">
    <input type="hidden" name="back" value="{{back}}">\#
    <button class="link">Another one</button></form></section>
    """#)
}

/// The kind words that browsers have shown since the server was started.
///
/// A page keeps its word while a session lasts, so that a reload does not take it away. Each word
/// counts once for its page and session.
final class ShownMessages: Sendable {
  private struct Shown {
    var id: UUID
    var isCounted = false
  }

  /// More pages than a person opens. At the limit, all are forgotten.
  private static let most = 1000

  private let host: LibraryHost
  private let state = Mutex<[String: Shown]>([:])

  init(host: LibraryHost) { self.host = host }

  /// The word for a page; `nil` if all are hidden.
  func message(
    for category: MessageCategory, at place: String, _ visit: Visit, in library: Library
  ) throws -> ShownMessage? {
    if let known = state.withLock({ $0[Self.key(place, visit)]?.id }),
      let message = try library.record(Message.self, id: known), message.isActive
    {
      return ShownMessage(message, at: place, visit)
    }
    do {
      return ShownMessage(try library.nextMessage(for: category), at: place, visit)
    } catch HoldfastError.Code.noMessage {
      return nil
    }
  }

  /// Counts a word that a page has shown, without waiting for other programs.
  func count(_ message: ShownMessage?, _ visit: Visit) {
    guard let message, visit.isSeen else { return }
    let key = Self.key(message.place, visit)
    let isNew = state.withLock { state in
      if state[key]?.id == message.id { return state[key]?.isCounted == false }
      if state.count >= Self.most { state = [:] }
      state[key] = Shown(id: message.id)
      return true
    }
    guard isNew else { return }
    host.writeIfFree { library in
      try library.countShowing(id: message.id)
      self.state.withLock { $0[key]?.isCounted = true }
    }
  }

  /// Forgets the word of a page, which then shows another one.
  ///
  /// - Returns: Whether it is still to be counted.
  func forget(_ id: UUID, at place: String, _ visit: Visit) -> Bool {
    state.withLock { state in
      let shown = state.removeValue(forKey: Self.key(place, visit))
      return shown?.id != id || shown?.isCounted != true
    }
  }

  private static func key(_ place: String, _ visit: Visit) -> String { "\(visit.session) \(place)" }
}
