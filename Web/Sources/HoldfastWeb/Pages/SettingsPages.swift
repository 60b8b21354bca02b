internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// Export, messages, and what the program is.
struct SettingsPages: Sendable {
  let host: LibraryHost
  let journals: JournalSettings

  func add(to router: Router<WebContext>) {
    router.get("/settings") { _, _ in try await settings() }
    router.get("/export.json") { _, _ in try await export() }
    router.get("/messages") { _, _ in try await messages() }
    router.post("/messages") { request, context in
      let form = try await Form(request, context)
      try await host.write { library in
        try library.add(
          Message(
            content: form["content"] ?? "",
            category: try MessageCategory(named: form["category"] ?? ""), createdAt: Date()))
      }
      return Page.redirect(to: "/messages")
    }
    router.post("/messages/:id/hide") { _, context in
      let id = try context.id("id")
      try await host.write { library in _ = try library.hideMessage(id: id) }
      return Page.redirect(to: "/messages")
    }
    router.post("/messages/:id/show") { _, context in
      let id = try context.id("id")
      try await host.write { library in _ = try library.hideMessage(id: id, false) }
      return Page.redirect(to: "/messages")
    }
    router.post("/messages/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.write { library in try library.deleteMessage(id: id) }
      return Page.redirect(to: "/messages")
    }
  }

  private struct Values: Sendable {
    var path: String
    var version = Library.version
    var count: Int
    var journals: [JournalSettings.Shown]
    var hasJournals: Bool
  }

  private func settings() async throws -> Response {
    let values = try await host.read { library in
      let journals = try journals.all(in: library)
      return Values(
        path: library.path, count: try library.count(matching: RecordingQuery()),
        journals: journals, hasJournals: !journals.isEmpty)
    }
    return Page("Settings", .settings, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    <section><h2>Your data</h2>
    <p>{{count}} recordings in <code>{{path}}</code>. Private and local only: nothing ever leaves this computer.</p>
    <p><a class="button quiet" href="/export.json" download>Export everything that you logged</a></p></section>
    <section><h2>The files</h2><p>Compares each recording's file with what the library knows about it.</p>
    <form method="post" action="/settings/verify"><button class="button quiet">Check the files</button></form></section>
    {{#hasJournals}}<section><h2>Journals</h2><ul class="entries">
    {{#journals}}<li class="split"><p><strong>{{title}}</strong><span class="detail">{{summary}}</span></p>
    {{#isEnabled}}<p class="inline"><a class="button quiet" href="{{path}}">Open</a></p><form method="post" action="/settings/journals/{{name}}/disable"><button class="link">Switch off<span class="hidden"> {{title}}</span></button></form>{{/isEnabled}}
    {{^isEnabled}}<form method="post" action="/settings/journals/{{name}}/enable"><input type="hidden" name="back" value="/settings"><button class="quiet button">Switch on<span class="hidden"> {{title}}</span></button></form>{{/isEnabled}}</li>{{/journals}}
    </ul></section>{{/hasJournals}}
    <section><h2>Messages</h2><p><a class="button quiet" href="/messages">Your kind words</a></p></section>
    <section><h2>Delete</h2><p><a class="danger" href="/settings/erase">Delete everything…</a></p></section>
    <section><h2>About</h2><p>Holdfast {{version}}, under the MIT licence.</p></section>
    """#)

  private func export() async throws -> Response {
    let data = try await host.read { library in
      var data = Data()
      _ = try library.exportDocument { data += $0 }
      return data
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/json",
        .contentDisposition: "attachment; filename=\"holdfast.json\"",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }

  private struct Line: Sendable {
    var id: String
    var text: String
    var category: String
    var isHidden: Bool
    var isOwn: Bool
  }

  private struct MessageValues: Sendable {
    var messages: [Line]
    var categories: [String]
  }

  private func messages() async throws -> Response {
    let values = try await host.read { library in
      MessageValues(
        messages: try library.messages().map {
          Line(
            id: $0.id.uuidString, text: $0.content, category: $0.category.rawValue,
            isHidden: !$0.isActive, isOwn: $0.isCustom)
        }, categories: MessageCategory.allCases.map(\.rawValue))
    }
    return Page("Kind words", .settings, Self.messageTemplate, values).response
  }

  private static let messageTemplate = Page.template(
    #"""
    <form method="post" action="/messages" class="form"><label for="content">A word of your own</label>
    <textarea id="content" name="content" rows="2" maxlength="500" required></textarea>
    <label for="category">For</label><select id="category" name="category">{{#categories}}<option>{{.}}</option>{{/categories}}</select>
    <p class="submit"><button class="button">Add</button></p></form>
    <ul class="entries">{{#messages}}<li{{#isHidden}} class="away"{{/isHidden}}><p>{{text}}</p><p class="detail">{{category}}{{#isHidden}}, hidden{{/isHidden}}</p>
    <div class="inline">
    {{#isHidden}}<form method="post" action="/messages/{{id}}/show"><button class="link">Show it again</button></form>{{/isHidden}}
    {{^isHidden}}<form method="post" action="/messages/{{id}}/hide"><button class="link">Hide</button></form>{{/isHidden}}
    {{#isOwn}}<form method="post" action="/messages/{{id}}/delete"><button class="link danger">Delete</button></form>{{/isOwn}}
    </div></li>{{/messages}}</ul>
    """#)
}
