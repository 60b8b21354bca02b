import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird
import Mustache

/// Kind words: the list of them, and the next one.
struct MessagePages: Sendable {
  let host: LibraryHost
  let shown: ShownMessages

  func add(to router: Router<WebContext>) {
    router.get("/messages") { _, _ in try await show() }
    router.form("/messages", host: host, saying: .saved) { library, form in
      try library.add(
        Message(
          content: form["content"] ?? "", category: try form.category(), createdAt: Date()))
      return "/messages"
    }
    router.get("/messages/:id") { _, context in try await edit(context.id("id")) }
    router.form("/messages/:id", host: host) { library, id, form in
      let category = try form.category()
      _ = try library.editMessage(id: id) { message in
        try form.expect(message.version)
        message.content = form["content"] ?? ""
        message.category = category
      }
      return "/messages"
    }
    router.button("/messages/:id/earlier", host: host) { library, id in
      try library.moveEarlier(id)
      return "/messages"
    }
    router.button("/messages/:id/hide", host: host, saying: .saved) { library, id in
      _ = try library.hideMessage(id: id)
      return "/messages"
    }
    router.button("/messages/:id/show", host: host, saying: .saved) { library, id in
      _ = try library.hideMessage(id: id, false)
      return "/messages"
    }
    router.deletion("/messages/:id/delete", host: host, then: "/messages") { library, id in
      try library.deleteMessage(id: id)
    }
    router.post("/messages/next") { request, context in
      let (visit, form) = (request.visit, try await Form(request, context))
      if let id = form["id"].flatMap(UUID.init(uuidString:)),
        shown.forget(id, at: form["place"] ?? "", visit)
      {
        _ = try await host.write { library in try library.countShowing(id: id) }
      }
      return Page.redirect(to: form.back)
    }
  }

  private struct Group: Sendable {
    var name: String
    var messages: [Item]
  }

  private struct Item: Sendable {
    var id: String
    var content: String
    var isActive: Bool
    var isCustom: Bool
    var canMove: Bool
  }

  private struct Values: Sendable {
    var groups: [Group]
    var categories = MessageCategory.choices()
  }

  private func show() async throws -> Response {
    try await Page.response("Kind words", tab: .settings, template: Self.template, from: host) {
      library in
      let messages = try library.messages()
      return Values(
        groups: MessageCategory.allCases.map { category in
          let own = messages.filter { $0.category == category }
          let first = own.first { $0.isCustom }?.id
          return Group(
            name: category.words,
            messages: own.map {
              Item(
                id: $0.id.uuidString, content: $0.content, isActive: $0.isActive,
                isCustom: $0.isCustom, canMove: $0.isCustom && $0.id != first)
            })
        })
    }
  }

  private static let template = Page.template(
    #"""
    <form method="post" action="/messages" class="form">\#
    <label for="content">A word of your own</label>
    <textarea id="content" name="content" rows="2" maxlength="500" required></textarea>
    <label for="category">For</label><select id="category" name="category">\#
    \#(Choice.options("categories"))</select>
    <p class="submit"><button class="button">Add</button></p></form>
    {{#groups}}<section><h2>{{name}}</h2>
    <ul class="entries">{{#messages}}<li{{^isActive}} class="away"{{/isActive}}><p>{{content}}\#
    {{^isActive}} <span class="detail">Hidden</span>{{/isActive}}</p>
    <div class="inline">{{#isCustom}}<a class="play" href="/messages/{{id}}">Edit\#
    <span class="hidden"> “{{content}}”</span></a>{{/isCustom}}
    {{#canMove}}<form method="post" action="/messages/{{id}}/earlier">\#
    <button class="link">Show earlier<span class="hidden"> “{{content}}”</span></button>\#
    </form>{{/canMove}}
    {{^isActive}}<form method="post" action="/messages/{{id}}/show">\#
    <button class="link">Show it again</button></form>{{/isActive}}
    {{#isActive}}<form method="post" action="/messages/{{id}}/hide">\#
    <button class="link">Hide</button></form>{{/isActive}}
    {{#isCustom}}\#(Page.deletion(of: "/messages/{{id}}", "Delete")){{/isCustom}}
    </div></li>{{/messages}}</ul></section>{{/groups}}
    """#)

  private struct Edited: Sendable {
    var id: String
    var version: String
    var content: String
    var categories: [Choice]
  }

  private func edit(_ id: UUID) async throws -> Response {
    try await Page.response(
      "Edit kind words", tab: .settings, under: .init("Kind words", "/messages"),
      template: Self.editor, from: host
    ) { library in
      let message = try library.record(Message.self, idPrefix: id.uuidString)
      return Edited(
        id: id.uuidString, version: message.version, content: message.content,
        categories: MessageCategory.choices(message.category))
    }
  }

  private static let editor = Page.template(
    #"""
    <form method="post" action="/messages/{{id}}" class="form">\#
    <input type="hidden" name="version" value="{{version}}">\#
    <label for="content">Your words</label>
    <textarea id="content" name="content" rows="3" maxlength="500" required>{{content}}</textarea>
    <label for="category">For</label><select id="category" name="category">\#
    \#(Choice.options("categories"))</select>
    <p class="submit"><button class="button">Keep changes</button> \#
    <a href="/messages">Cancel</a></p></form>
    """#)
}

extension Form {
  fileprivate func category() throws -> MessageCategory {
    try MessageCategory(named: self["category"] ?? "")
  }
}

extension MessageCategory {
  /// The moments that its messages are for, as a heading.
  fileprivate var words: String {
    switch self {
    case .urge: "For a craving"
    case .anxiety: "For worry"
    case .boredom: "For boredom"
    case .social: "For company"
    case .celebration: "For good days"
    }
  }

  fileprivate static func choices(_ chosen: MessageCategory = .urge) -> [Choice] {
    allCases.map {
      Choice($0.rawValue, String($0.words.dropFirst(4)).asSentence.trimmed, isChosen: $0 == chosen)
    }
  }
}

extension String {
  /// The sentence as a name, without its full stop.
  fileprivate var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Library {
  /// Moves a person's own message before the one above it, of those for the same moments.
  fileprivate func moveEarlier(_ id: UUID) throws {
    let category = try record(Message.self, idPrefix: id.uuidString).category
    var own = try messages(matching: MessageQuery(category: category, isCustom: true))
    guard let place = own.firstIndex(where: { $0.id == id }), place > 0 else { return }
    own.swapAt(place, place - 1)
    for (priority, message) in own.enumerated() where message.priority != priority {
      try editMessage(id: message.id) { $0.priority = priority }
    }
  }
}
