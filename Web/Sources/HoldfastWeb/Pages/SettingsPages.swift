internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// What can be done with the library as a whole, messages, and what the program is.
struct SettingsPages: Sendable {
  let host: LibraryHost
  let journals: JournalSettings

  func add(to router: Router<WebContext>) {
    router.get("/settings") { _, _ in try await settings() }
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
      try await host.delete { library in try library.deleteMessage(id: id) }
      return Page.redirect(to: "/messages")
    }
  }

  private struct Table: Sendable {
    var path: String
    var text: String
  }

  private struct Values: Sendable {
    var path: String
    var recordings: String
    var faulty: String?
    var tables: [Table]
    var backup: BackupState
    var journals: [JournalSettings.Shown]
    var hasJournals: Bool
    var hasPrivate: Bool
  }

  private func settings() async throws -> Response {
    let values = try await host.read { library in
      let counts = (try? library.exportedCounts()) ?? []
      let journals = try journals.all(in: library)
      return Values(
        path: library.path,
        recordings: try library.count(matching: RecordingQuery()).counted("recording"),
        faulty: try Self.sentence(onFaulty: library.faultyCount()),
        tables: counts.map { kind, count in
          Table(
            path: "/export/\(kind.name).csv",
            text: "\(kind.plural.prefix(1).uppercased())\(kind.plural.dropFirst()) · \(count)")
        }, backup: try BackupState(of: library), journals: journals,
        hasJournals: !journals.isEmpty,
        hasPrivate: counts.count > ExportDocument.coreKinds.count)
    }
    return Page("Settings", .settings, Self.template, values).response
  }

  /// Tells how many recordings are known to be missing or damaged; `nil` if none is.
  private static func sentence(onFaulty count: Int) -> String? {
    guard count > 0 else { return nil }
    let verb = count == 1 ? "is" : "are"
    return "\(count.counted("recording")) \(verb) known to be missing or damaged."
  }

  private static let template = Page.template(
    #"""
    <p>{{recordings}} in <code>{{path}}</code>. Private and local only: nothing ever leaves this computer.</p>
    <section><h2>Backup</h2><p data-before>{{backup.sentence}}</p>
    <form method="post" action="/settings/backup" class="form" data-run><label for="folder">Folder for backups</label>
    <input id="folder" name="folder" value="{{backup.folder}}" placeholder="/media/usb/holdfast" required maxlength="1000" list="places" autocapitalize="off" spellcheck="false">
    <datalist id="places">{{#backup.places}}<option>{{.}}</option>{{/backup.places}}</datalist>
    <p class="submit"><button class="button">Back up now</button></p></form></section>
    <section><h2>The files</h2>{{#faulty}}<p>{{.}}</p>{{/faulty}}<p>Compares each recording’s file with what the library knows about it.</p>
    <form method="post" action="/settings/verify" data-run><p><label class="check"><input type="checkbox" name="deep" value="1"> Read every byte, which takes longer</label></p>
    <button class="button quiet">Check the files</button></form></section>
    <section><h2>Privacy</h2><p>Looks for what tells more about you than it must: in the files, in the library’s folder, and where programs leave traces.</p>
    <form method="post" action="/settings/privacy" data-run><button class="button quiet">Check privacy</button></form></section>
    <section><h2>Export</h2><p>What the library knows and what you logged, for other programs. The recordings themselves are not in it.</p>
    <p><a class="button quiet" href="/export.json" download>Save everything as JSON</a></p>
    <details><summary>Save tables for a spreadsheet (CSV)</summary>
    {{#hasPrivate}}<p class="hint">Journal entries that you marked as private are in the JSON file only.</p>{{/hasPrivate}}
    <ul class="entries">{{#tables}}<li><a href="{{path}}" download>{{text}}</a></li>{{/tables}}</ul></details></section>
    {{#hasJournals}}<section><h2>Journals</h2><ul class="entries">
    {{#journals}}<li class="split"><p><strong>{{title}}</strong><span class="detail">{{summary}}</span></p>
    {{#isEnabled}}<p class="inline"><a class="button quiet" href="{{path}}">Open</a></p><form method="post" action="/settings/journals/{{name}}/disable"><button class="link">Switch off<span class="hidden"> {{title}}</span></button></form>{{/isEnabled}}
    {{^isEnabled}}<form method="post" action="/settings/journals/{{name}}/enable"><input type="hidden" name="back" value="/settings"><button class="quiet button">Switch on<span class="hidden"> {{title}}</span></button></form>{{/isEnabled}}</li>{{/journals}}
    </ul></section>{{/hasJournals}}
    <section><h2>Messages</h2><p><a class="button quiet" href="/messages">Your kind words</a></p></section>
    <section><h2>Delete</h2><p><a class="danger" href="/settings/erase">Delete everything…</a></p></section>
    <section><h2>About</h2><p>Holdfast \#(Library.version), under the MIT licence.</p></section>
    <template data-panel><div class="panel card"><progress aria-label="Progress"></progress><p class="detail" data-count></p>
    <p role="status" data-state></p><ul class="entries" data-lines></ul>
    <form method="post" action="/settings/repair" hidden><p>A repair deletes nothing. It moves what does not belong where it is aside, and
    brings back what a backup has.</p><button class="button">Repair</button></form></div></template>
    """#)

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
    {{#isOwn}}<details class="sure"><summary>Delete</summary><form method="post" action="/messages/{{id}}/delete"><button class="button danger">Delete it</button></form></details>{{/isOwn}}
    </div></li>{{/messages}}</ul>
    """#)
}
