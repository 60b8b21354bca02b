import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird
import Mustache

/// Kind words: the list of them, and the next one.
struct MessagePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/messages") { _, _ in try await show() }
    router.form("/messages", host, saying: .saved) { library, form in
      try library.add(
        Message(
          content: form["content"] ?? "",
          category: try MessageCategory(named: form["category"] ?? ""), createdAt: Date()))
      return "/messages"
    }
    router.button("/messages/:id/hide", host, saying: .saved) { library, id in
      _ = try library.hideMessage(id: id)
      return "/messages"
    }
    router.button("/messages/:id/show", host, saying: .saved) { library, id in
      _ = try library.hideMessage(id: id, false)
      return "/messages"
    }
    router.deletion("/messages/:id/delete", host, then: "/messages") { library, id in
      try library.deleteMessage(id: id)
    }
    router.form("/messages/next", host) { library, form in
      if let id = form["id"].flatMap(UUID.init(uuidString:)) {
        _ = try library.countShowing(id: id)
      }
      return form.back
    }
  }

  private struct Values: Sendable {
    var messages: [Message]
    var categories = MessageCategory.allCases.map(\.rawValue)
  }

  private func show() async throws -> Response {
    try await Page.response("Kind words", .settings, Self.template, from: host) { library in
      Values(messages: try library.messages())
    }
  }

  private static let template = Page.template(
    #"""
    <form method="post" action="/messages" class="form">\#
    <label for="content">A word of your own</label>
    <textarea id="content" name="content" rows="2" maxlength="500" required></textarea>
    <label for="category">For</label><select id="category" name="category">{{#categories}}\#
    <option>{{.}}</option>{{/categories}}</select>
    <p class="submit"><button class="button">Add</button></p></form>
    <ul class="entries">{{#messages}}<li{{^isActive}} class="away"{{/isActive}}><p>{{content}}</p>\#
    <p class="detail">{{category}}{{^isActive}}, hidden{{/isActive}}</p>
    <div class="inline">
    {{^isActive}}<form method="post" action="/messages/{{id}}/show">\#
    <button class="link">Show it again</button></form>{{/isActive}}
    {{#isActive}}<form method="post" action="/messages/{{id}}/hide">\#
    <button class="link">Hide</button></form>{{/isActive}}
    {{#isCustom}}\#(Page.deletion(of: "/messages/{{id}}", "Delete")){{/isCustom}}
    </div></li>{{/messages}}</ul>
    """#)
}

struct ShownMessage: Sendable {
  let html: String

  /// The message to show; `nil` if all are hidden.
  ///
  /// - Parameter page: The page that shows it, to which *Another one* returns.
  static func next(
    for category: MessageCategory, in library: Library, back page: String = "/"
  ) throws -> ShownMessage? {
    do {
      let message = try library.nextMessage(for: category)
      return ShownMessage(
        html: template.render(
          ["id": message.id.uuidString, "text": message.content, "back": page]))
    } catch HoldfastError.Code.noMessage {
      return nil
    }
  }

  private static let template = Page.template(
    #"""
    <section class="card message" aria-label="A kind word"><p>{{text}}</p>
    <form method="post" action="/messages/next"><input type="hidden" name="id" value="{{id}}">\#
    <input type="hidden" name="back" value="{{back}}">
    <button class="link">Another one</button></form></section>
    """#)
}
