import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// Devotionals: the list of them, and each with its text.
struct DevotionalPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    DevotionalForm().add(
      to: pages, host, new: "devotionals/new", records: "devotionals",
      afterDeletion: DevotionalForm.path)
    pages.get("devotionals") { request, _ in try await list(request.fields) }
    for (path, isDone) in [("done", true), ("open", false)] {
      pages.form(RouterPath("devotionals/:id/\(path)"), host: host) { library, id, _ in
        try library.faith.complete(devotional: id, isDone)
        return DevotionalForm.path
      }
    }
  }

  private func list(_ fields: Form) async throws -> Response {
    try await Page.response("Devotionals", tab: .home, template: Self.template, from: host) {
      library in
      try RecordList(fields, at: "\(DevotionalForm.path)?") { limit, offset in
        try library.faith.devotionals(limit: limit, offset: offset).map { devotional in
          let parts = [
            devotional.date.words, devotional.scripture.nonBlank, devotional.author.nonBlank,
            devotional.isCompleted ? "✓ read" : nil,
          ]
          return RecordLine(
            devotional.id.uuidString, devotional.title,
            detail: parts.compactMap(\.self).joined(separator: " · "),
            notes: devotional.content.nonBlank.map { String($0.prefix(200)) },
            path: "\(DevotionalForm.path)/\(devotional.id)", recording: devotional.recordingID)
        }
      }
    }
  }

  private static let template = Page.template(
    RecordList.html(empty: "No devotionals yet. Add one that speaks to you.") + #"""
      <p class="row"><a class="button" href="/faith/devotionals/new">Add one</a></p>
      """#)
}

/// The page of a devotional: its text, and the form that changes it.
private struct DevotionalForm: RecordForm {
  static let path = "/faith/devotionals"
  static let titles = (new: "Add a devotional", edited: "Devotional")

  struct Fields: Sendable {
    var date: String
    var isDone: Bool
    var about: String?
  }

  func fields(of devotional: Devotional?, _ address: Form, in library: Library) -> Fields {
    let parts = [
      devotional?.scripture.nonBlank, devotional?.author.nonBlank, devotional?.date.words,
    ]
    return Fields(
      date: (devotional?.date ?? Day()).description, isDone: devotional?.isCompleted ?? false,
      about: parts.compactMap(\.self).joined(separator: " · ").nonBlank)
  }

  func new(_ form: Form, now: Date) -> Devotional {
    Devotional(title: "", date: Day(now: now), createdAt: now)
  }

  func change(_ form: Form, in library: Library) throws -> (inout Devotional) throws -> Void {
    let date = try form["date"].map { try Day($0) }
    return { devotional in
      devotional.title = form["title"] ?? ""
      devotional.scripture = form["scripture"] ?? ""
      devotional.content = form["content"] ?? ""
      devotional.author = form["author"] ?? ""
      if let date { devotional.date = date }
    }
  }

  func page(after devotional: Devotional, isNew: Bool, _ form: Form) -> String {
    "\(Self.path)/\(devotional.id)"
  }

  static let template = Page.form(
    #"""
    {{#id}}<h2>{{record.title}}</h2>{{#about}}<p class="detail">{{.}}</p>{{/about}}
    <p class="notes lead">{{record.content}}</p>
    {{#recording}}<p><a class="button quiet" href="/recordings/{{.}}">Play</a></p>{{/recording}}
    {{#isDone}}<form method="post" action="{{action}}/open" class="inline">\#
    <p class="mild">✓ Read</p>\#
    <button class="link">Mark as not read</button></form>{{/isDone}}
    {{^isDone}}<form method="post" action="{{action}}/done">\#
    <button class="button large">Mark as read</button></form>{{/isDone}}{{/id}}
    {{#id}}<details><summary>Edit</summary>{{/id}}
    <form method="post" action="{{action}}" class="form">
    <label for="title">Title</label>\#
    <input id="title" name="title" value="{{record.title}}" maxlength="200" required>
    <label for="scripture">Passage</label>\#
    <input id="scripture" name="scripture" value="{{record.scripture}}" maxlength="100">
    <label for="content">Text</label>\#
    <textarea id="content" name="content" rows="8" maxlength="100000">{{record.content}}</textarea>
    <label for="author">Author</label>\#
    <input id="author" name="author" value="{{record.author}}" maxlength="100">
    <label for="date">Day</label><input type="date" id="date" name="date" value="{{date}}">
    \#(RecordingField.html())
    \#(Page.submit("Save", cancel: "/faith/devotionals"))
    {{#id}}</details>\#(Page.deletion("Delete this devotional")){{/id}}
    """#)
}
